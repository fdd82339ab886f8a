// Limits on discounts: by hand, by the two worked examples, and by properties over all requests.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type MinMargin, discountsGiven } from './discounts.ts';
import { type DiscountLine, PROVISION, type PriceTerms, fraction, money, parse, parseRate, percent, zero } from './index.ts';
import { breakdownForGive } from './index.ts';

const usd = (amount: string) => parse('PAYPAL_USD', amount);
const btc = (amount: string) => parse('BTC', amount);
const codes = (components: readonly { code: string; amount: bigint }[]) => components.map(({ code, amount }) => [code, amount]);

/** Share kept for a customer of an affiliate whom another referred: 40 % and 5 % are paid on. */
const AFTER_REWARDS = percent('55');

describe('the worked examples', () => {
  const paypal: PriceTerms = {
    ...{ giveUnit: 'PAYPAL_USD', getUnit: 'USDT', giveDigits: 2, getDigits: 2, rate: parseRate('USD', 'USDT', '1') },
    spread: [{ from: zero('PAYPAL_USD'), percent: percent('5') }],
    minFee: usd('0.20'),
    costs: [
      { code: 'payin', fixed: usd('35.39') },
      { code: 'network', fixed: usd('4.50') },
    ],
    discounts: [
      { code: 'coupon', fixed: usd('30') },
      { code: 'loyalty', percent: percent('10') },
    ],
    minMargin: { percent: percent('0.1'), min: usd('0.10'), afterRewards: AFTER_REWARDS, provision: PROVISION },
  };
  const bitcoin: PriceTerms = {
    ...{ giveUnit: 'BTC', getUnit: 'USDT', giveDigits: 8, getDigits: 2, rate: parseRate('BTC', 'USDT', '80000') },
    spread: [{ from: zero('BTC'), percent: percent('0.5') }],
    minFee: btc('0.0000025'),
    costs: [{ code: 'network', fixed: btc('0.00005625') }],
    discounts: [
      { code: 'coupon', percent: percent('40') },
      { code: 'friend', of: 'rest', percent: percent('15') },
      { code: 'loyalty', percent: percent('10') },
    ],
    minMargin: { percent: percent('0.1'), min: btc('0.00000125'), afterRewards: AFTER_REWARDS },
  };

  test('1 000.00 USD of PayPal with a fixed coupon of 30: half of the fee is let off', () => {
    const { components, exchanged, get } = breakdownForGive(usd('1000'), paypal);
    assert.deepEqual(codes(components), [
      ['fee', 5_000n],
      ['coupon', 2_000n],
      ['loyalty', 500n],
      ['payin', 3_539n],
      ['network', 450n],
    ]);
    assert.deepEqual([exchanged.parts, get], [93_511n, parse('USDT', '935.11')]);
  });

  test('0.01250000 BTC with 40 %: the friend’s discount is taken of the rest after the others, and the coupon is reduced', () => {
    const { components, exchanged, get } = breakdownForGive(btc('0.0125'), bitcoin);
    assert.deepEqual(codes(components), [
      ['fee', 6_250n],
      ['coupon', 2_032n],
      ['friend', 468n],
      ['loyalty', 625n],
      ['network', 5_625n],
    ]);
    assert.deepEqual([exchanged.parts, get], [1_241_250n, parse('USDT', '993')]);
  });
});

test('discounts are trimmed in order, and one trimmed to zero is left out', () => {
  const requests = [
    { code: 'credit', fixed: usd('1') },
    { code: 'late', fixed: usd('1') },
    { code: 'loyalty', percent: percent('10') },
  ];
  const minMargin = { percent: percent('0'), min: zero('PAYPAL_USD'), afterRewards: fraction(1n, 1n) };
  const given = (fee: string) => codes(discountsGiven(requests, { fee: usd(fee), give: usd('100'), minMargin, digits: 2 }));
  assert.deepEqual(given('10'), [
    ['credit', 100n],
    ['late', 100n],
    ['loyalty', 100n],
  ]);
  assert.deepEqual(given('4'), [
    ['credit', 60n],
    ['late', 100n],
    ['loyalty', 40n],
  ]);
  assert.deepEqual(given('1'), [
    ['late', 40n],
    ['loyalty', 10n],
  ]);
  assert.deepEqual(given('0'), []);
});

const share = (max: number) => fc.integer({ min: 0, max }).map((n) => fraction(BigInt(n), 1_000n));
const sum = (max: number) => fc.integer({ min: 0, max }).map((parts) => money('BTC', BigInt(parts)));
const request: fc.Arbitrary<DiscountLine[]> = fc.array(
  fc.oneof(
    fc.record({ code: fc.constant('coupon'), percent: share(1_000) }),
    fc.record({ code: fc.constant('coupon'), percent: share(1_000), cap: sum(5_000) }),
    fc.record({ code: fc.constant('late'), fixed: sum(20_000) }),
    fc.record({ code: fc.constant('friend'), of: fc.constant('rest' as const), percent: share(200) }),
  ),
  { maxLength: 5 },
);
const keeps: fc.Arbitrary<MinMargin> = fc.record({
  percent: share(5),
  min: sum(500),
  afterRewards: fc.integer({ min: 50, max: 100 }).map((n) => fraction(BigInt(n), 100n)),
  ...{ provision: fc.option(fc.constant(PROVISION), { nil: undefined }) },
}) as fc.Arbitrary<MinMargin>;

test('for any request, at least half of the fee, the minimum margin after rewards and the provision remain', () => {
  let trimmed = 0;
  fc.assert(
    fc.property(request, keeps, sum(10_000), sum(1_000_000), (lines, minMargin, fee, give) => {
      const given = discountsGiven(lines, { fee, give, minMargin, digits: 8 });
      const total = given.reduce((all, { amount }) => all + amount, 0n);
      if (total === 0n) return;
      if (given.length < lines.length) trimmed += 1;
      assert.ok(total * 2n <= fee.parts, 'more than half');
      const setAside = minMargin.provision ? (give.parts + 99n) / 100n : 0n;
      const retained = fee.parts - total - setAside;
      const { numerator: n, denominator: d } = minMargin.afterRewards;
      assert.ok(retained * n >= minMargin.min.parts * d, 'under the least margin');
      assert.ok(retained * n * minMargin.percent.denominator >= give.parts * minMargin.percent.numerator * d, 'under the share');
    }),
    { numRuns: 2_000 },
  );
  assert.ok(trimmed > 100, String(trimmed));
});

test('gives no more than requested, and all of it if no limit applies', () => {
  const none = { percent: percent('0'), min: zero('BTC'), afterRewards: fraction(1n, 1n) };
  fc.assert(
    fc.property(request, sum(1_000_000), (lines, fee) => {
      const at = { give: fee, minMargin: none, digits: 8 };
      const given = discountsGiven(lines, { ...at, fee });
      for (const line of lines.filter(({ of }) => of === undefined)) {
        const max =
          (line.fixed?.parts ?? 0n) + (line.percent ? (fee.parts * line.percent.numerator) / line.percent.denominator : 0n);
        const got = given.filter(({ code }) => code === line.code).reduce((all, { amount }) => all + amount, 0n);
        const same = lines.filter(({ code }) => code === line.code).length;
        if (same === 1) assert.ok(got <= max && (!line.cap || got <= line.cap.parts), line.code);
      }
    }),
    { numRuns: 1_000 },
  );
});
