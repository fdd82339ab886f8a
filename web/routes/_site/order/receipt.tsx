import type { ReactNode } from 'react';
import { feeName } from '../../../features/calculator/fee-name.ts';
import { Money } from '../../../features/money.tsx';
import type { Order } from '../../../features/order/order.ts';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { writePercent, writeRate } from '../../../ui/amount.ts';
import { Button } from '../../../ui/button.tsx';
import { Code } from '../../../ui/copyable.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Slip, SlipCut, SlipLine, SlipLines } from '../../../ui/slip.tsx';
import { writeTime } from '../../../ui/time.ts';
import css from './receipt.module.css';

/** The finished exchange as a slip: the page with its link is the receipt, and it prints. */
export function Receipt({ order }: { order: Order }): ReactNode {
  const { name, locale } = useSite();
  const payout = order.transfers.findLast(({ kind }) => kind === 'payout');
  if (!order.get) return null;
  return (
    <Slip label={m.receipt_title()} className={css['slip']}>
      <div className={css['head']}>
        <span className={css['seal']} aria-hidden="true">
          <Icon name="check" size={24} />
        </span>
        <div>
          <h2 className="card-title">{m.receipt_title()}</h2>
          <p className="tiny mute num">
            {name} · {order.id} · {writeTime(order.updated_at, locale)}
          </p>
        </div>
      </div>
      <SlipCut />
      <SlipLines>
        <SlipLine label={order.related.length === 0 ? m.you_sent() : m.receipt_taken()}>
          <Money of={order.arrived ?? order.give} />
        </SlipLine>
        {order.fees.map((fee) => (
          <SlipLine
            key={fee.code}
            label={feeName(fee.code, fee.percent === undefined ? undefined : writePercent(fee.percent, locale))}
          >
            <Money of={fee} sign="−" />
          </SlipLine>
        ))}
        {order.rate && (
          <SlipLine label={m.slip_rate()}>
            1{'\u00a0'}
            {order.rate.base} = {writeRate(order.rate.value, locale)}
            {'\u00a0'}
            {order.rate.quote}
          </SlipLine>
        )}
        {payout?.txid && (
          <SlipLine label={m.receipt_payout()}>
            <Code>{payout.txid}</Code>
          </SlipLine>
        )}
        <SlipLine label={m.you_received()} total>
          <Money of={order.get} />
        </SlipLine>
      </SlipLines>
      <Button look="secondary" icon="receipt" className={css['print']} onClick={() => print()}>
        {m.receipt_print()}
      </Button>
    </Slip>
  );
}
