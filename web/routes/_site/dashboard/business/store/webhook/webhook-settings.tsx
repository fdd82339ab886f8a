import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { placed } from '../../../../../../features/rest-of.ts';
import { m } from '../../../../../../features/words.ts';
import { Button } from '../../../../../../ui/fields/button.tsx';
import { Field } from '../../../../../../ui/fields/field.tsx';
import { Message } from '../../../../../../ui/parts/message.tsx';
import business from '../../business.module.css';
import { Card } from '../../card.tsx';
import { useAnswer } from '../../use-answer.ts';
import { EventFields } from '../webhooks/event-fields.tsx';
import type { Webhook } from '../webhooks/webhook-words.ts';
import css from './webhook.module.css';

/** Forms that change a webhook's address and events, and that remove it. */
export function WebhookSettings({ webhook: { url, body, events } }: { webhook: Webhook }): ReactNode {
  const answer = useAnswer('change');
  const busy = useNavigation().formData?.get('intent') === 'change';
  const refused = answer?.message === undefined ? undefined : placed(answer, ['url', 'events']);
  return (
    <Card id="change" title={m.webhooks_settings()}>
      <Form method="post" noValidate preventScrollReset className={business['form']}>
        <input type="hidden" name="intent" value="change" />
        <input type="hidden" name="body" value={body} />
        {refused?.rest !== undefined && <Message tone="error" isLive title={refused.rest} />}
        {answer && !refused && <Message tone="success" isLive title={m.about_saved()} />}
        <Field
          name="url"
          type="url"
          inputMode="url"
          label={m.webhooks_url()}
          hint={m.webhooks_url_hint()}
          maxLength={1_000}
          defaultValue={refused ? answer?.values['url'] : url}
          error={refused?.at['url']}
        />
        <EventFields body={body} chosen={events} error={refused?.at['events']} />
        <div>
          <Button type="submit" look="secondary" busy={busy && m.account_saving()}>
            {m.about_save()}
          </Button>
        </div>
      </Form>
      <details className={css['removal']}>
        <summary>{m.webhooks_remove()}</summary>
        <Form method="post">
          <input type="hidden" name="intent" value="remove" />
          <p className="small soft">{m.webhooks_remove_lead()}</p>
          <Button type="submit" look="danger" size="small">
            {m.webhooks_remove_sure()}
          </Button>
        </Form>
      </details>
    </Card>
  );
}
