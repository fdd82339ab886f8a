import { type ReactNode, useEffect, useRef, useState } from 'react';
import { AccountInput } from '../../../../features/account-input.tsx';
import { findCurrency, shortNameOf } from '../../../../features/currency.ts';
import type { Choice } from '../../../../features/order/order.ts';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Select } from '../../../../ui/fields/select.tsx';
import type { OrderAnswer, OrderData } from '../page.server.ts';

/**
 * Fields by which a customer names the currency that they want, and their account for it. The account's fields appear once a
 * currency is chosen; without JavaScript, the first button loads the page with them.
 */
export function DirectionFields({
  choice,
  fields,
  answer,
  children,
}: {
  readonly choice: Choice;
  readonly fields: OrderData['fields'];
  readonly answer: OrderAnswer | undefined;
  /** Button that sends the whole form. */
  readonly children: ReactNode;
}): ReactNode {
  const { currencies } = useSite();
  const chosen = answer?.values?.['to'] ?? '';
  const [to, setTo] = useState(chosen);
  const box = useRef<HTMLDivElement>(null);
  // The customer may have chosen before this code was loaded.
  useEffect(() => setTo((before) => box.current?.querySelector('select')?.value ?? before), []);
  const open = choice.currencies ?? [];
  const own = fields[to] ?? [];
  const errorAt = (name: string): string | undefined => answer?.errors?.[name]?.[0];
  return (
    <>
      <input type="hidden" name="choice" value={choice.choice} />
      <Select name="to" label={m.picker_get()} value={to} onChange={(event) => setTo(event.target.value)} error={errorAt('to')}>
        <option value="">{m.choice_name_direction_pick()}</option>
        {open.map((code) => (
          <option key={code} value={code}>
            {shortNameOf(findCurrency(currencies, code), currencies)}
          </option>
        ))}
      </Select>
      {own.map((field) => (
        <AccountInput
          key={`${to} ${field.name}`}
          field={field}
          name={`account.${field.name}`}
          currency={findCurrency(currencies, to)}
          value={answer?.values?.['to'] === to ? (answer.values[`account.${field.name}`] ?? '') : ''}
          error={errorAt(`account.${field.name}`) ?? (own.length === 1 ? errorAt('account') : undefined)}
        />
      ))}
      {own.length > 0 ? (
        children
      ) : (
        <Button type="submit" name="intent" value="direction" look="secondary" isWide>
          {m.choice_name_direction_next()}
        </Button>
      )}
    </>
  );
}
