import type { ReactNode } from 'react';
import { m } from '../words.ts';
import { discountName, feeName } from '../calculator/fee-name.ts';
import { Money } from '../money.tsx';
import { writePercent, writeRate } from '../../ui/base/amount.ts';
import { useLocale } from '../../ui/base/locale.ts';
import { SlipLine } from '../../ui/parts/slip.tsx';
import type { Order } from './order.ts';

/**
 * Lines of a slip between the sent and the received amount: fees and costs, discounts, the rate. They explain the whole
 * difference.
 */
export function PriceLines({ of, rate }: { of: Pick<Order, 'fees' | 'discounts' | 'rate'>; rate: string }): ReactNode {
  const locale = useLocale();
  return (
    <>
      {of.fees.map((fee) => (
        <SlipLine
          key={fee.code}
          label={feeName(fee.code, fee.percent === undefined ? undefined : writePercent(fee.percent, locale))}
        >
          <Money of={fee} sign="−" />
        </SlipLine>
      ))}
      {of.discounts?.map((line) => (
        <SlipLine key={line.code} label={discountName(line.code)} isGain>
          <Money of={line} sign="+" />
        </SlipLine>
      ))}
      {of.rate && (
        <SlipLine label={rate}>
          1{'\u00a0'}
          {of.rate.base} = {writeRate(of.rate.value, locale)}
          {'\u00a0'}
          {of.rate.quote}
        </SlipLine>
      )}
    </>
  );
}

/**
 * Shows further prices of an order: the promised price if another price was booked, and the price at which an undelivered payout
 * was exchanged back.
 */
export function BesidePrice({ order }: { order: Order }): ReactNode {
  const { promised, bought_back: back } = order;
  return (
    <>
      {back && (
        <>
          <SlipLine label={m.price_back()}>
            <Money of={back.give} />
          </SlipLine>
          <PriceLines of={back} rate={m.slip_rate()} />
          <SlipLine label={back.is_max ? m.price_back_most() : m.price_back_get()}>
            <Money of={back.get} />
          </SlipLine>
        </>
      )}
      {promised && (
        <>
          <SlipLine label={m.price_promised()}>
            <Money of={promised.give} /> → <Money of={promised.get} />
          </SlipLine>
          <PriceLines of={promised} rate={m.slip_rate_held()} />
        </>
      )}
    </>
  );
}
