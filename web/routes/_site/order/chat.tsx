import { type ReactNode, useEffect, useRef } from 'react';
import { fetchApi } from '../../../features/api/address.ts';
import { m } from '../../../features/words.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { useHydrated } from '../../../ui/base/clock.ts';
import { cx } from '../../../ui/base/cx.ts';
import { FieldError } from '../../../ui/fields/field.tsx';
import { useLocale } from '../../../ui/base/locale.ts';
import { writeTime } from '../../../ui/base/time.ts';
import { pageUrl } from '../../pages.ts';
import type { DrawnChatProps } from './card-props.ts';
import css from './order.module.css';

const LONGEST = 1_000;

/** Chat about an order: its messages, and a form to send a message. */
export function Chat({ data, answer, Form, intent }: DrawnChatProps): ReactNode {
  const { chat, order, token } = data;
  const locale = useLocale();
  const place = useSeen(data);
  const hydrated = useHydrated();
  return (
    <div className={css['talk']} ref={place}>
      <p className="small soft">{m.chat_lead()}</p>
      <ol aria-live="polite">
        {chat.messages.map(({ seq, by, at, text }) => (
          <li key={seq} className={css[by]}>
            <p className="tiny mute">
              <b>{by === 'desk' ? m.chat_desk() : m.chat_you()}</b> <time className="num">{writeTime(at, locale)}</time>
            </p>
            <p className={css['said']}>{text}</p>
          </li>
        ))}
      </ol>
      {hydrated || chat.isOpen ? (
        <Say {...{ data, answer, Form, intent }} />
      ) : (
        <a className="link" href={pageUrl(locale, 'order', { id: order.id, token, chat: '1' })}>
          {m.chat_write()}
        </a>
      )}
    </div>
  );
}

/**
 * Form to send a message. Without JavaScript it is shown only if the page doesn't reload automatically, because a reload would
 * lose the typed text.
 */
function Say({ data: { chat, order }, answer, Form, intent }: DrawnChatProps): ReactNode {
  const wrong = answer?.said === undefined ? undefined : (answer.errors?.['text']?.[0] ?? answer.message);
  // The key changes with each message that the customer sends, which resets the form. Messages from the desk leave the typed text
  // unchanged.
  const last = chat.messages.findLast(({ by }) => by === 'customer')?.seq ?? 0;
  return (
    <Form method="post" key={last} preventScrollReset noValidate>
      <input type="hidden" name="key" value={`${order.id}-chat-${last}`} />
      <label htmlFor="chat-text" className="small">
        {m.chat_label()}
      </label>
      <textarea
        id="chat-text"
        name="text"
        rows={3}
        maxLength={LONGEST}
        defaultValue={answer?.said}
        className={cx(wrong !== undefined && css['wrong'])}
        aria-invalid={wrong === undefined ? undefined : true}
        aria-describedby={wrong === undefined ? undefined : 'chat-wrong'}
      />
      <FieldError id="chat-wrong">{wrong}</FieldError>
      <Button type="submit" name="intent" value="say" size="small" busy={intent === 'say' && m.chat_sending()}>
        {m.chat_send()}
      </Button>
    </Form>
  );
}

/** Reports to the server when the desk's newest message is visible. Returns a ref for the element that contains the chat. */
function useSeen({ order, token, chat }: DrawnChatProps['data']): React.RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const last = chat.messages.findLast(({ by }) => by === 'desk')?.seq ?? 0;
  const { unread } = chat;
  useEffect(() => {
    const details = place.current?.closest('details');
    if (unread === 0 || !details) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    const look = (): void => {
      if (document.hidden || !details.open) return;
      stop.abort();
      const body = JSON.stringify({ id: order.id, token, seq: last });
      // If the report fails, the customer only gets a letter about a message that they have already read.
      void fetchApi('/api/v1/order/chat/seen', { method: 'POST', body }).catch(() => undefined);
    };
    details.addEventListener('toggle', look, { signal });
    document.addEventListener('visibilitychange', look, { signal });
    look();
    return () => stop.abort();
  }, [order.id, token, last, unread]);
  return place;
}
