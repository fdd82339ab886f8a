import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { placed } from '../../../../../../features/rest-of.ts';
import { m } from '../../../../../../features/words.ts';
import { Button } from '../../../../../../ui/fields/button.tsx';
import { Choice } from '../../../../../../ui/fields/choice.tsx';
import { Field } from '../../../../../../ui/fields/field.tsx';
import { Message } from '../../../../../../ui/parts/message.tsx';
import business from '../../business.module.css';
import { Card } from '../../card.tsx';
import { useAnswer } from '../../use-answer.ts';
import { EventFields } from './event-fields.tsx';
import css from './webhooks.module.css';

const FIELDS = ['url', 'body', 'events', 'secret'];

/** Form that makes a webhook. */
export function MakeWebhook(): ReactNode {
  const answer = useAnswer('make');
  const busy = useNavigation().formData?.get('intent') === 'make';
  const refused = answer?.message === undefined ? undefined : placed(answer, FIELDS);
  const values = refused ? answer?.values : undefined;
  return (
    <Card id="make" title={m.webhooks_make()}>
      <Form method="post" noValidate preventScrollReset className={`${business['form']} ${css['make']}`}>
        <input type="hidden" name="intent" value="make" />
        {refused?.rest !== undefined && <Message tone="error" isLive title={refused.rest} />}
        <Field
          name="url"
          type="url"
          inputMode="url"
          label={m.webhooks_url()}
          hint={m.webhooks_url_hint()}
          maxLength={1_000}
          defaultValue={values?.['url']}
          error={refused?.at['url']}
        />
        <Choice
          name="body"
          label={m.webhooks_body()}
          defaultValue={values?.['body'] === 'greenfield' ? 'greenfield' : 'kurs'}
          error={refused?.at['body']}
          options={[
            { value: 'kurs', label: m.webhooks_kurs(), note: m.webhooks_kurs_note() },
            { value: 'greenfield', label: m.webhooks_greenfield(), note: m.webhooks_greenfield_note() },
          ]}
        />
        <EventFields body="kurs" chosen={undefined} error={refused?.at['events']} />
        <EventFields body="greenfield" chosen={undefined} error={refused?.at['events']} />
        <Field
          name="secret"
          isMono
          label={m.webhooks_own_secret()}
          hint={m.webhooks_own_secret_hint()}
          maxLength={128}
          error={refused?.at['secret']}
        />
        <div>
          <Button type="submit" busy={busy && m.account_saving()}>
            {m.webhooks_make_do()}
          </Button>
        </div>
      </Form>
    </Card>
  );
}
