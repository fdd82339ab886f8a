import type { ReactNode } from 'react';
import { Money } from '../../../features/money.tsx';
import type { Order } from '../../../features/order/order.ts';
import { BesidePrice, PriceLines } from '../../../features/order/price-lines.tsx';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { Code } from '../../../ui/parts/copyable.tsx';
import { Icon } from '../../../ui/base/icon.tsx';
import { Slip, SlipCut, SlipLine, SlipLines } from '../../../ui/parts/slip.tsx';
import { writeTime } from '../../../ui/base/time.ts';
import css from './receipt.module.css';

/** Slip of a finished exchange. Together with the page's link it is the customer's receipt, which can be printed. */
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
          <Money of={order.give} beside={order.get} />
        </SlipLine>
        <PriceLines of={order} rate={m.slip_rate()} />
        {payout?.txid && (
          <SlipLine label={m.receipt_payout()}>
            <Code>{payout.txid}</Code>
          </SlipLine>
        )}
        <SlipLine label={m.you_received()} isTotal>
          <Money of={order.get} beside={order.give} />
        </SlipLine>
      </SlipLines>
      {order.promised && (
        <>
          <SlipCut />
          <SlipLines>
            <BesidePrice order={order} />
          </SlipLines>
        </>
      )}
      <Button look="secondary" icon="receipt" className={css['print']} onClick={() => print()}>
        {m.receipt_print()}
      </Button>
    </Slip>
  );
}
