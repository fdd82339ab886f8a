import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { placed } from '../../../../../features/rest-of.ts';
import { m } from '../../../../../features/words.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { Message } from '../../../../../ui/parts/message.tsx';
import type { FormAnswer } from '../answered.ts';
import business from '../business.module.css';
import { Card } from '../card.tsx';
import { useAnswer } from '../use-answer.ts';
import type { SettingsForm } from './settings-form.ts';
import css from './store.module.css';

/**
 * Card with a form for some settings of a store, which are saved together. `children` renders the fields: it takes the last answer
 * and the message of each field. `above` and `beside` stand outside the form, which is then narrower.
 */
export function SettingsCard({
  name,
  title,
  fields,
  above,
  beside,
  children,
}: {
  name: SettingsForm;
  title: string;
  /** Names of the form's fields. */
  fields: readonly string[];
  above?: ReactNode;
  beside?: ReactNode;
  children: (answer: FormAnswer | undefined, wrong: Readonly<Record<string, string>>) => ReactNode;
}): ReactNode {
  const answer = useAnswer(name);
  const busy = useNavigation().formData?.get('intent') === name;
  const isRefused = answer?.message !== undefined;
  const refused = isRefused ? placed(answer, fields) : undefined;
  const form = (
    <Form method="post" noValidate preventScrollReset className={business['form']}>
      <input type="hidden" name="intent" value={name} />
      {refused?.rest !== undefined && <Message tone="error" isLive title={refused.rest} />}
      {answer && !isRefused && <Message tone="success" isLive title={m.about_saved()} />}
      {children(answer, refused?.at ?? {})}
      <div>
        <Button type="submit" look="secondary" busy={busy && m.account_saving()}>
          {m.about_save()}
        </Button>
      </div>
    </Form>
  );
  return (
    <Card id={name} title={title}>
      {beside === undefined ? (
        form
      ) : (
        <div className={css['look']}>
          {above}
          {form}
          {beside}
        </div>
      )}
    </Card>
  );
}
