import { type ReactNode, useEffect, useRef } from 'react';
import { Form, useSubmit } from 'react-router';
import type { Challenge } from '../../../features/bot-check/solve.ts';
import { useBotToken } from '../../../features/bot-check/use-bot-token.ts';
import { m } from '../../../features/words.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { cx } from '../../../ui/base/cx.ts';
import { Message } from '../../../ui/parts/message.tsx';
import { Main } from '../layout.tsx';
import css from './exchange.module.css';

/** Robot check before the review, so that no program can reserve all of the desk's money. */
export function BotCheck({ challenge }: { challenge: Challenge }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const token = useBotToken(challenge, place);
  const form = useRef<HTMLFormElement>(null);
  const submit = useSubmit();
  useEffect(() => {
    if (token) void submit(form.current);
  }, [token, submit]);
  return (
    <Main className={cx('wrap', css['over'])}>
      <h1 className="title">{m.check_title()}</h1>
      <p className="soft">{challenge.provider ? m.bot_lead() : m.check_lead()}</p>
      <div ref={place} className={css['check']} />
      <Form method="post" ref={form}>
        <input type="hidden" name="intent" value="review" />
        <input type="hidden" name="bot_token" value={token ?? ''} />
        {token === null ? (
          <Message tone="error" isLive title={m.check_failed()} />
        ) : challenge.provider && token === undefined ? null : (
          <Button type="submit" size="large" busy={m.check_working()}>
            {m.check_working()}
          </Button>
        )}
        <noscript>
          <Message tone="warning" title={m.check_noscript()} />
        </noscript>
      </Form>
    </Main>
  );
}
