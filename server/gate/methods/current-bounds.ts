// Bounds of payments by a currency, at the prices of the moment.

import type { CurrencyInfo } from '../../payments/index.ts';
import { refundTerms } from '../../pricing/index.ts';
import { type Snapshot, latest } from '../../rates/index.ts';
import type { PaymentBounds } from '../invoices/invoice.ts';
import { type OptionPrice, leastOf } from '../invoices/option-price.ts';
import { type PricedTerms, currentPrice, minFeeIn } from './current-price.ts';

/** Returns the smallest payment by a currency that is credited, in parts; undefined if costs exceed every amount. */
export function leastPayment(price: OptionPrice, { dust }: Pick<CurrencyInfo, 'dust'>): bigint | undefined {
  const eaten = leastOf(price);
  return eaten !== undefined && eaten < dust ? dust : eaten;
}

/** Returns the bounds of payments by a currency. `least`: smallest payment that is credited, in parts. */
export const boundsWith = ({ code, unit }: CurrencyInfo, least: bigint, snapshot: Snapshot): PaymentBounds => ({
  ...{ least, smallestRefund: refundTerms(code)?.smallest.parts ?? least, minFee: minFeeIn(snapshot, unit) },
});

/** Returns the bounds of the moment for payments by a currency; undefined if there is no price. */
export function currentBounds(terms: PricedTerms, info: CurrencyInfo): PaymentBounds | undefined {
  const [price, snapshot] = [currentPrice(terms, info.code), latest()];
  const least = price && leastPayment(price, info);
  return snapshot && least !== undefined ? boundsWith(info, least, snapshot) : undefined;
}
