// Checks at placing an order: the rate, and the spread and costs, each at its bound and one unit beyond.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CostLine, type PriceTerms, fraction, money, percent, rate } from '@kurs/money';
import { movedAgainstDesk, takesMoreNow } from './quote.ts';

const given = (parts: bigint) => money('BTC', parts);

const terms = (costs: readonly CostLine[], spread = '0.5'): PriceTerms => ({
  giveUnit: 'BTC',
  getUnit: 'USDT',
  giveDigits: 8,
  getDigits: 2,
  rate: rate('BTC', 'USDT', fraction(90_000n, 1n)),
  spread: [{ from: given(0n), percent: percent(spread) }],
  minFee: given(1n),
  costs,
  discounts: [],
  minMargin: { percent: percent('0'), min: given(0n), afterRewards: fraction(1n, 1n) },
});

const fixed = (parts: bigint): CostLine => ({ code: 'network', fixed: given(parts) });
/** 0.3 % of this amount are 3 000 parts. */
const GIVE = given(1_000_000n);

for (const [what, then, now, moved] of [
  ['the same', terms([fixed(700n)]), terms([fixed(700n)]), false],
  ['costs more by 0.3 % of the amount', terms([fixed(700n)]), terms([fixed(3_700n)]), false],
  ['costs more by one part beyond', terms([fixed(700n)]), terms([fixed(3_701n)]), true],
  ['a line that wasn’t there', terms([]), terms([{ code: 'payin', percent: percent('0.31') }]), true],
  ['a spread more by 0.3 %', terms([]), terms([], '0.8'), false],
  ['a spread more by a little beyond', terms([]), terms([], '0.8001'), true],
  ['spread and costs together', terms([fixed(0n)]), terms([fixed(1_501n)], '0.65'), true],
  ['more of one and less of the other', terms([fixed(5_000n)]), terms([fixed(0n)], '1'), false],
  ['less than then', terms([fixed(90_000n)], '5'), terms([]), false],
  ['all of the amount', terms([]), terms([fixed(1_000_000n)]), true],
  ['discounts are no part of it', { ...terms([]), discounts: [{ code: 'coupon', percent: percent('50') }] }, terms([]), false],
] as const) {
  test(`spread and costs of now: ${what}`, () => assert.equal(takesMoreNow(GIVE, then, now), moved));
}

for (const [what, current, moved] of [
  // 90 270 less 0.3 % of today's worth is 90 000.
  ['as quoted', 90_270n, false],
  ['against the desk by 0.3 %', 90_000n, false],
  ['by a little beyond', 89_999n, true],
  ['for the desk', 99_000n, false],
] as const) {
  test(`the rate of now: ${what}`, () => {
    const at = (price: bigint) => rate('BTC', 'USDT', fraction(price, 1n));
    assert.equal(movedAgainstDesk(at(90_270n), at(current), 'BTC'), moved);
  });
}
