import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { writeTime } from '../../../../../../ui/base/time.ts';
import { Button } from '../../../../../../ui/fields/button.tsx';
import { Checkbox } from '../../../../../../ui/fields/field.tsx';
import { Message } from '../../../../../../ui/parts/message.tsx';
import { type Webhook, answerWords } from '../webhooks/webhook-words.ts';
import css from './webhook.module.css';

/** Says why a webhook fails or is off, and switches it on again. */
export function StateOf({ webhook }: { webhook: Webhook }): ReactNode {
  const { locale } = useSite();
  const busy = useNavigation().formData?.get('intent') === 'on';
  const { state, since = '', reason, missed } = webhook;
  if (state === 'on') return null;
  const time = since === '' ? '' : writeTime(since, locale);
  const answer = answerWords(webhook);
  const last = answer === undefined ? '' : ` ${m.webhooks_last_answer({ answer })}`;
  if (state === 'failing')
    return (
      <Message tone="warning" title={m.webhooks_failing_since({ time })}>
        {m.webhooks_failing_text() + last}
      </Message>
    );
  return (
    <Message tone="error" title={m.webhooks_off_since({ time })}>
      <p>{(reason === 'gone' ? m.webhooks_off_gone() : m.webhooks_off_failing()) + last}</p>
      <Form method="post" preventScrollReset className={css['on']}>
        <input type="hidden" name="intent" value="on" />
        {missed > 0 && (
          <Checkbox name="missed" defaultChecked>
            {m.webhooks_with_missed({ count: missed })}
          </Checkbox>
        )}
        <Button type="submit" size="small" busy={busy && m.account_saving()}>
          {m.webhooks_switch_on()}
        </Button>
      </Form>
    </Message>
  );
}
