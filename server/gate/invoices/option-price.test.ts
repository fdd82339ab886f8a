// The price of a payment option: one payment of the shown amount pays what is due, for all pairs of currencies.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { UNITS, type PriceTerms, assetOf, fraction, money, parse, parseRate, percent, rate, scaleOf, zero } from '@kurs/money';
import { type OptionPrice, amountFor, converted, costOf, costsExceed, leastOf, withoutFixed } from './option-price.ts';

/** Usual worth of one whole asset in USD, for plausible rates. */
const USD: Readonly<Record<string, string>> = {
  ...{ USD: '1', EUR: '1.16', RUB: '0.0124', USDT: '1', BTC: '93000', ETH: '3000', BNB: '880' },
  ...{ TRX: '0.28', LTC: '85', DOGE: '0.15' },
};
const PAY_DIGITS: Readonly<Record<string, number>> = { USDT: 2, TRX: 2, ETH: 8, BNB: 8 };
const digitsOf = (unit: string): number => PAY_DIGITS[unit] ?? scaleOf(unit);

/** Rate from one asset to another, a little off the usual worth. */
function rateOf(from: string, to: string, wobble: bigint) {
  const [a, b] = [from, to].map((asset) => parseRate(asset, 'USD', USD[asset] ?? '1').value);
  if (!a || !b) throw new Error('an asset has no worth');
  const off = from === to ? 1_000n : wobble;
  return rate(from, to, fraction(a.numerator * b.denominator * off, a.denominator * b.numerator * 1_000n));
}

interface Drawn {
  readonly give: string;
  readonly get: string;
  readonly currency: string;
  readonly spread: string;
  readonly costPercent: string;
  readonly fixed: bigint;
  readonly wobble: bigint;
  readonly isBorneByStore: boolean;
}

function priceOf({ give, get, currency, spread, costPercent, fixed, wobble, isBorneByStore }: Drawn): OptionPrice {
  const same = give === get;
  const pair = rateOf(assetOf(give), assetOf(get), wobble);
  const terms: PriceTerms = {
    ...{ giveUnit: give, getUnit: get, giveDigits: digitsOf(give), getDigits: digitsOf(get), rate: pair, mid: pair },
    spread: [{ from: zero(give), percent: percent(same ? '0' : spread) }],
    minFee: zero(give),
    costs: [{ code: 'payin', percent: percent(costPercent), fixed: money(give, fixed) }],
    discounts: [],
    minMargin: { percent: percent('0'), min: zero(give), afterRewards: fraction(1n, 1n) },
  };
  const worth = rateOf(assetOf(get), currency, 1_000n);
  return {
    terms,
    worth,
    mid: rateOf(assetOf(give), currency, 1_000n),
    currency,
    digits: digitsOf(currency),
    isBorneByStore,
  };
}

const units = Object.keys(UNITS).filter((unit) => unit !== 'USD' && unit !== 'EUR' && unit !== 'RUB');
const drawn: fc.Arbitrary<Drawn> = fc.record({
  give: fc.constantFrom(...units),
  get: fc.constantFrom(...units),
  currency: fc.constantFrom(...Object.keys(USD)),
  spread: fc.constantFrom('0', '0.25', '1.5', '5'),
  costPercent: fc.constantFrom('0', '0.5', '2.9'),
  fixed: fc.bigInt(0n, 500n),
  wobble: fc.bigInt(900n, 1_100n),
  isBorneByStore: fc.boolean(),
});

test('one payment of the shown amount pays what is due, for every pair of currencies and either bearer of the costs', () => {
  fc.assert(
    fc.property(drawn, fc.bigInt(1n, 10n ** 7n), (one, steps) => {
      const price = priceOf(one);
      const due = steps * 10n ** BigInt(scaleOf(one.currency) - price.digits);
      const amount = amountFor(price, due);
      if (amount === undefined) return;
      const result = converted(price, amount);
      assert.ok(result && result.credit >= due, `${amount} ${one.give} bring ${result?.credit} of ${due} ${one.currency}`);
    }),
    { numRuns: 2_000 },
  );
});

test('no smaller amount in the pay precision would be enough', () => {
  fc.assert(
    fc.property(drawn, fc.bigInt(1n, 10n ** 6n), (one, steps) => {
      const price = priceOf(one);
      const due = steps * 10n ** BigInt(scaleOf(one.currency) - price.digits);
      const amount = amountFor(price, due);
      const step = 10n ** BigInt(scaleOf(one.give) - digitsOf(one.give));
      if (amount === undefined || amount === leastOf(price) || amount <= step) return;
      const less = converted(price, amount - step);
      // Rounding the settled amount up to its own digits may bring a little more than is due.
      const bare = one.isBorneByStore || digitsOf(one.get) >= scaleOf(one.get);
      if (bare) assert.ok((less?.credit ?? 0n) < due, `${amount - step} ${one.give} would bring ${less?.credit} of ${due}`);
    }),
    { numRuns: 2_000 },
  );
});

const PLAIN: Drawn = {
  ...{ give: 'BTC', get: 'USDT', currency: 'USD', spread: '2', costPercent: '0', fixed: 1_000n },
  ...{ wobble: 1_000n, isBorneByStore: false },
};

test('the buyer bears spread and costs, or the store does', () => {
  const btc = parse('BTC', '0.01').parts;
  const [buyer, store] = [converted(priceOf(PLAIN), btc), converted(priceOf({ ...PLAIN, isBorneByStore: true }), btc)];
  assert.equal(store?.credit, 93_000n, 'the store bears them: 930.00 USD at the middle rate');
  assert.equal(buyer?.credit, 91_047n, '0.01 less 0.0002 less 0.00001 at 93 000');
  assert.deepEqual(store?.got, buyer?.got, 'the store is settled the same');
  assert.equal(costOf(priceOf(PLAIN), btc), 1_953n, '0.00021 at 93 000, rounded up');
});

test('a payment that its costs eat brings nothing, and costs above a share of the sum due close a method', () => {
  const price = priceOf(PLAIN);
  assert.equal(converted(price, 1_000n), undefined);
  // Costs of 1 000 are worth 0.93 USD, a quarter of 3.72 USD. The payment itself is larger than the sum that it pays.
  for (const [due, isClosed] of [
    [371n, true],
    [372n, false],
  ] as const)
    assert.equal(costsExceed(price, amountFor(price, due) ?? 0n, due, 25), isClosed, `${due}`);
  const least = leastOf(price) ?? 0n;
  assert.ok(converted(price, least), 'the smallest payment brings something');
});

test('the rest of a payment bears no sum that is charged once per payment', () => {
  const rest = converted(withoutFixed(priceOf(PLAIN)), parse('BTC', '0.01').parts);
  assert.equal(rest?.credit, 91_140n, '0.01 less 0.0002 at 93 000');
});
