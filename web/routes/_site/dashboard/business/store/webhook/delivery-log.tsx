import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { cx } from '../../../../../../ui/base/cx.ts';
import { writeTime } from '../../../../../../ui/base/time.ts';
import { Button, ButtonLink } from '../../../../../../ui/fields/button.tsx';
import { Pill } from '../../../../../../ui/parts/pill.tsx';
import { pageUrl } from '../../../../../pages.ts';
import orders from '../../../orders/orders.module.css';
import { DELIVERY_LOOKS, type DeliveryRow, answerWords } from '../webhooks/webhook-words.ts';
import type { WebhookData } from './page.server.ts';
import { showCurrent } from '../../../show-current.ts';
import css from './webhook.module.css';

const STATES = Object.keys(DELIVERY_LOOKS) as DeliveryRow['state'][];

/** Log of a webhook's deliveries by state, with a button that sends a test delivery. */
export function DeliveryLog({ data }: { data: WebhookData }): ReactNode {
  const { locale } = useSite();
  const { store, webhook, state, deliveries, next } = data;
  const busy = useNavigation().formData?.get('intent') === 'test';
  const of = { store: store.id, id: webhook.id };
  const hrefOf = (more: Readonly<Record<string, string>>): string => pageUrl(locale, 'storeWebhook', { ...of, ...more });
  return (
    <section className="card" aria-labelledby="log-title">
      <div className={css['top']}>
        <h2 className="card-title" id="log-title">
          {m.webhooks_log()}
        </h2>
        {webhook.state !== 'off' && (
          <Form method="post" preventScrollReset>
            <input type="hidden" name="intent" value="test" />
            <Button type="submit" look="secondary" size="small" icon="paper-plane-tilt" busy={busy && m.account_saving()}>
              {m.webhooks_test()}
            </Button>
          </Form>
        )}
      </div>
      <nav ref={showCurrent} className={orders['groups']} aria-label={m.webhooks_states()}>
        {(['', ...STATES] as const).map((one) => (
          <a key={one} href={hrefOf(one === '' ? {} : { state: one })} aria-current={one === state ? 'page' : undefined}>
            {one === '' ? m.webhooks_all() : DELIVERY_LOOKS[one].word()}
          </a>
        ))}
      </nav>
      {deliveries.length === 0 ? (
        <p className={cx('soft', css['none'])}>{m.webhooks_log_empty()}</p>
      ) : (
        <ul className={css['rows']}>
          {deliveries.map((row) => (
            <DeliveryItem key={row.id} row={row} href={hrefOf({ ...(state !== '' && { state }), delivery: row.id })} />
          ))}
        </ul>
      )}
      {next !== undefined && (
        <div className={css['none']}>
          <ButtonLink size="small" look="secondary" href={hrefOf({ ...(state !== '' && { state }), after: next })} rel="next">
            {m.orders_after()}
          </ButtonLink>
        </div>
      )}
    </section>
  );
}

function DeliveryItem({ row, href }: { row: DeliveryRow; href: string }): ReactNode {
  const { locale } = useSite();
  const { id, at, type, state, tries, next } = row;
  const { tone, icon, word } = DELIVERY_LOOKS[state];
  const answer = answerWords(row);
  return (
    <li>
      <div className={css['what']}>
        <a className="link" href={href}>
          <code>{type}</code>
        </a>
        <span className="tiny mute">
          {writeTime(at, locale)} · {m.webhooks_tries({ count: tries })}
          {next !== undefined && ` · ${m.webhooks_next({ time: writeTime(next, locale) })}`}
        </span>
        {answer !== undefined && <span className={cx('tiny', css['answer'])}>{answer}</span>}
      </div>
      <Pill tone={tone} icon={icon}>
        {word()}
      </Pill>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value="replay" />
        <input type="hidden" name="delivery" value={id} />
        <Button
          type="submit"
          look="secondary"
          size="small"
          icon="arrow-clockwise"
          aria-label={m.webhooks_replay_one({ type, time: writeTime(at, locale) })}
        >
          {m.webhooks_replay()}
        </Button>
      </Form>
    </li>
  );
}
