// Price terms of the simulated order (`order-world`).

import { type PriceTerms, fraction, money, percent, rate } from '@kurs/money';

export const UNIT_GIVEN = 'PAYEER_USD';
export const UNIT_GOT = 'PAYPAL_USD';

const one = fraction(1n, 1n);
const given = (parts: bigint) => money(UNIT_GIVEN, parts);

/** Terms with a fee of 10 %, half of it discounted, and a cost of 1: of 20 given, 18 are exchanged, one to one. */
export const TERMS: PriceTerms = {
  giveUnit: UNIT_GIVEN,
  getUnit: UNIT_GOT,
  giveDigits: 2,
  getDigits: 2,
  rate: rate('USD', 'USD', one),
  spread: [{ from: given(0n), percent: percent('10') }],
  minFee: given(1n),
  costs: [{ code: 'network', fixed: given(1n) }],
  discounts: [{ code: 'coupon', percent: percent('50') }],
  minMargin: { percent: percent('0'), min: given(0n), afterRewards: one },
};
export const BACK: PriceTerms = {
  ...TERMS,
  giveUnit: UNIT_GOT,
  getUnit: UNIT_GIVEN,
  spread: [{ from: money(UNIT_GOT, 0n), percent: percent('10') }],
  minFee: money(UNIT_GOT, 1n),
  costs: [],
  discounts: [],
  minMargin: { ...TERMS.minMargin, min: money(UNIT_GOT, 0n) },
};
