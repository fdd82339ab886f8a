import { Fragment, type ReactNode } from 'react';
import { shortNetwork } from '../../../../features/currency.ts';
import { Money } from '../../../../features/money.tsx';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { Icon } from '../../../../ui/base/icon.tsx';
import { writeTime } from '../../../../ui/base/time.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Code } from '../../../../ui/parts/copyable.tsx';
import { Slip, SlipCut, SlipLine, SlipLines } from '../../../../ui/parts/slip.tsx';
import css from './receipt.module.css';
import { ReturnLink } from './return-link.tsx';
import { usePay } from '../use-pay.ts';

/** Receipt of a paid invoice, which can be printed, and the way back to the shop. */
export function Receipt(): ReactNode {
  const { invoice } = usePay().data;
  const { name, locale } = useSite();
  const { store, number, order_id: order, currency, credited } = invoice;
  const paid = invoice.payments.filter(({ status }) => status === 'credited');
  const last = paid
    .map(({ at }) => at)
    .toSorted()
    .at(-1);
  return (
    <>
      <Slip label={m.receipt_title()} className={css['slip']}>
        <div className={css['head']}>
          <span className={css['seal']} aria-hidden="true">
            <Icon name="check" size={24} />
          </span>
          <div>
            <h2 className="card-title">{m.receipt_title()}</h2>
            <p className="tiny mute num">
              {name} · {number}
              {last !== undefined && ` · ${writeTime(last, locale)}`}
            </p>
          </div>
        </div>
        <SlipCut />
        <SlipLines>
          <SlipLine label={m.checkout_receiver()}>{store.name}</SlipLine>
          {order !== undefined && <SlipLine label={m.checkout_receipt_order()}>{order}</SlipLine>}
          {paid.map((payment) => (
            <Fragment key={payment.id}>
              <SlipLine
                label={
                  payment.network === ''
                    ? m.checkout_wallets({ name })
                    : m.checkout_paid_by({ network: shortNetwork(payment.network) })
                }
              >
                <Money of={payment.paid} />
              </SlipLine>
              {payment.over !== undefined && (
                <SlipLine label={m.checkout_receipt_over()}>
                  <Money of={payment.over} />
                </SlipLine>
              )}
              {payment.txid !== undefined && (
                <SlipLine label={m.transfer_txid()}>
                  <Code>{payment.txid}</Code>
                </SlipLine>
              )}
            </Fragment>
          ))}
          <SlipLine label={m.checkout_credited()} isTotal>
            <Money of={{ amount: credited, currency }} />
          </SlipLine>
        </SlipLines>
        <Button look="secondary" icon="printer" className={css['print']} onClick={() => print()}>
          {m.receipt_print()}
        </Button>
      </Slip>
      <ReturnLink />
    </>
  );
}
