// Prices of the two worked examples of the affiliate programme. For tests only.

import type { OrderPublished } from '../exchange/index.ts';

type Line = OrderPublished['price']['lines'][number];
const line = (code: string, kind: Line['kind'], parts: string): Line => ({
  ...{ code, kind, parts, payer: 'customer' },
  account: kind === 'discount' ? 'spent:discount' : kind === 'cost' ? 'income:fee' : 'income:spread',
});
const oneToOne = { base: 'USD', quote: 'USDT', numerator: '1', denominator: '1' };
const bitcoin = { base: 'BTC', quote: 'USDT', numerator: '80000', denominator: '1' };

/** 1 000.00 USD of PayPal with a fixed coupon of 30 and loyalty; 0.0125 BTC with a coupon of 40 % and loyalty. */
export const WORKED_PRICES: Record<'paypal' | 'btc', OrderPublished['price']> = {
  paypal: {
    ...{
      isBooked: true,
      exchanged: '93511',
      rate: oneToOne,
      mid: oneToOne,
      rewardMid: oneToOne,
      retained: '3539',
      provision: '1000',
      margin: '100',
    },
    give: { currency: 'PAYPAL_USD', unit: 'PAYPAL_USD', parts: '100000' },
    get: { currency: 'USDT_ERC20', unit: 'USDT', parts: '935110000' },
    lines: [
      line('fee', 'fee', '5000'),
      line('coupon', 'discount', '2000'),
      line('loyalty', 'discount', '500'),
      line('payin', 'cost', '3539'),
      line('network', 'cost', '450'),
    ],
  },
  btc: {
    ...{
      isBooked: true,
      exchanged: '1241250',
      rate: bitcoin,
      mid: bitcoin,
      rewardMid: bitcoin,
      retained: '0',
      provision: '0',
      margin: '1250',
    },
    give: { currency: 'BTC', unit: 'BTC', parts: '1250000' },
    get: { currency: 'USDT_ERC20', unit: 'USDT', parts: '993000000' },
    lines: [
      line('fee', 'fee', '6250'),
      line('coupon', 'discount', '2032'),
      line('friend', 'discount', '468'),
      line('loyalty', 'discount', '625'),
      line('network', 'cost', '5625'),
    ],
  },
};
