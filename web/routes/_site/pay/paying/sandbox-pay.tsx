import type { ReactNode } from 'react';
import { tickerOf } from '../../../../features/currency.ts';
import { useCurrency } from '../../../../features/use-currency.ts';
import { m } from '../../../../features/words.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Field } from '../../../../ui/fields/field.tsx';
import { errorOf, valueOf } from '../answer.ts';
import css from './option.module.css';
import type { PayOption } from '../pay-data.ts';
import { usePay } from '../use-pay.ts';

/** Button that pays from the wallet of the sandbox's customer. For a top-up it asks for the amount. */
export function SandboxPay({ option }: { option: PayOption }): ReactNode {
  const { data, answer, submit, sent } = usePay();
  const currency = useCurrency(option.method);
  return (
    <form method="post" action={data.path} onSubmit={submit} noValidate className={css['form']}>
      <input type="hidden" name="version" value={data.invoice.version} />
      {option.amount === undefined && (
        <Field
          name="amount"
          label={m.pay_amount()}
          inputMode="decimal"
          maxLength={40}
          defaultValue={valueOf(answer, 'sandbox', 'amount')}
          error={errorOf(answer, 'sandbox', 'amount')}
          trailing={<span className="mute">{tickerOf(currency)}</span>}
        />
      )}
      <Button
        type="submit"
        name="intent"
        value="sandbox"
        look="secondary"
        icon="wallet"
        busy={sent?.get('intent') === 'sandbox' && m.sandbox_paying()}
      >
        {m.sandbox_pay()}
      </Button>
    </form>
  );
}
