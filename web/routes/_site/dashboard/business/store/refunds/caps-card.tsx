import type { Output, Routes } from '@kurs/contract';
import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { writeAmount } from '../../../../../../ui/base/amount.ts';
import { Button } from '../../../../../../ui/fields/button.tsx';
import { Field } from '../../../../../../ui/fields/field.tsx';
import { Message } from '../../../../../../ui/parts/message.tsx';
import { Card } from '../../card.tsx';
import { useAnswer } from '../../use-answer.ts';
import css from './refunds.module.css';

/** The sums in a day up to which claims go out without the owner: of managers together, and of each API key that refunds. */
export function CapsCard({ caps }: { caps: Output<Routes['refundCaps']> }): ReactNode {
  return (
    <div className={css['caps']}>
      <Card id="caps" title={m.refunds_caps()}>
        <div className={css['capsIn']}>
          <p className="small soft">{m.refunds_caps_lead()}</p>
          <CapForm of="" label={m.refunds_cap_managers()} cap={caps.managers} />
          {caps.keys.map(({ id, name, cap }) => (
            <CapForm key={id} of={id} label={m.refunds_cap_key({ name })} cap={cap} />
          ))}
        </div>
      </Card>
    </div>
  );
}

function CapForm({ of, label, cap }: { of: string; label: string; cap: string }): ReactNode {
  const { locale } = useSite();
  const answer = useAnswer('cap');
  const form = useNavigation().formData;
  const busy = form?.get('intent') === 'cap' && form.get('id') === of;
  const own = answer?.about === of ? answer : undefined;
  return (
    <Form method="post" className={css['cap']} noValidate preventScrollReset>
      <input type="hidden" name="intent" value="cap" />
      <input type="hidden" name="id" value={of} />
      <Field
        key={cap}
        name="cap"
        id={`cap-${of}`}
        label={label}
        inputMode="decimal"
        maxLength={20}
        defaultValue={own?.values['cap'] ?? writeAmount(cap, 2, locale)}
        error={own?.errors?.['cap']?.[0]}
        trailing={<span className="mute">USD</span>}
      />
      <Button type="submit" look="secondary" busy={busy && m.account_saving()}>
        {m.refunds_cap_set()}
      </Button>
      {own?.message !== undefined && !own.errors?.['cap'] && <Message tone="error" isLive title={own.message} />}
      {own && own.message === undefined && <output className="small soft">{m.refunds_cap_saved()}</output>}
    </Form>
  );
}
