import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Component,
  type Money,
  type PriceTerms,
  PriceError,
  assetOf,
  compare,
  convert,
  cutRate,
  format,
  formatRate,
  fraction,
  money,
  parse,
  parseRate,
  percent,
  roundTo,
  scaleOf,
  breakdownForGet,
  breakdownForGive,
  rewardRate,
  totalOf,
  zero,
} from './index.ts';

const PAIRS = [
  { giveUnit: 'BTC', getUnit: 'USDT', giveDigits: 8, getDigits: 2, base: 'BTC', quote: 'USDT', value: '93196.64' },
  { giveUnit: 'USDT', getUnit: 'BTC', giveDigits: 2, getDigits: 8, base: 'BTC', quote: 'USDT', value: '93196.64' },
  { giveUnit: 'ETH', getUnit: 'USDT', giveDigits: 6, getDigits: 2, base: 'ETH', quote: 'USDT', value: '3001.7' },
  { giveUnit: 'WMZ', getUnit: 'PAYPAL_USD', giveDigits: 2, getDigits: 2, base: 'USD', quote: 'USD', value: '1' },
  { giveUnit: 'DOGE', getUnit: 'BTC', giveDigits: 2, getDigits: 8, base: 'BTC', quote: 'DOGE', value: '812345.67' },
] as const;

const stepOf = (unit: string, digits: number): bigint => 10n ** BigInt(scaleOf(unit) - Math.min(digits, scaleOf(unit)));
const hundredths = (max: number) => fc.integer({ min: 0, max }).map((n) => fraction(BigInt(n), 10_000n));

/** Generates terms of any pair: up to three steps, costs with every kind of bound, discounts of both kinds. */
const terms: fc.Arbitrary<PriceTerms> = fc
  .constantFrom(...PAIRS)
  .chain(({ giveUnit, getUnit, giveDigits, getDigits, base, quote, value }) => {
    const sum = (steps: number): fc.Arbitrary<Money> =>
      fc.integer({ min: 0, max: steps }).map((n) => money(giveUnit, BigInt(n) * stepOf(giveUnit, giveDigits)));
    const optional = (steps: number) => fc.option(sum(steps), { nil: undefined });
    const cost = fc
      .record({
        of: fc.constantFrom('got' as const, undefined),
        percent: fc.option(hundredths(300), { nil: undefined }),
        fixed: optional(900),
        min: optional(500),
        cap: optional(4_000),
      })
      .map(given);
    const cut = fc.oneof(
      hundredths(5_000).map((share) => ({ code: 'percent', percent: share })),
      sum(3_000).map((fixed) => ({ code: 'fixed', fixed })),
      fc.record({ code: fc.constant('capped'), percent: hundredths(5_000), cap: sum(3_000) }),
      hundredths(2_500).map((share) => ({ code: 'rest', of: 'rest' as const, percent: share })),
    );
    return fc.record({
      giveUnit: fc.constant(giveUnit),
      getUnit: fc.constant(getUnit),
      giveDigits: fc.constant(giveDigits),
      getDigits: fc.constant(getDigits),
      rate: fc.constant(parseRate(base, quote, value)),
      spread: fc
        .array(fc.tuple(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 1, max: 600 })), { maxLength: 2 })
        .chain((later) =>
          fc.integer({ min: 1, max: 600 }).map((first) =>
            [[0, first] as const, ...later.sort(([a], [b]) => a - b)].map(([from, share]) => ({
              from: money(giveUnit, BigInt(from) * stepOf(giveUnit, giveDigits)),
              percent: fraction(BigInt(share), 10_000n),
            })),
          ),
        ),
      minFee: sum(2_000),
      costs: fc.array(cost, { maxLength: 3 }),
      discounts: fc.array(cut, { maxLength: 3 }),
      minMargin: fc.record({
        percent: fc.constant(percent('0.1')),
        min: sum(1_000),
        afterRewards: fc.constantFrom(fraction(1n, 1n), fraction(1n, 2n)),
      }),
    });
  });

/** Drops undefined fields and ensures that min is below cap. */
function given(line: {
  of?: 'got' | undefined;
  percent?: ReturnType<typeof percent> | undefined;
  fixed?: Money | undefined;
  min?: Money | undefined;
  cap?: Money | undefined;
}) {
  const { of, percent: share, fixed, min, cap } = line;
  return {
    code: 'cost',
    ...(of && { of }),
    ...(share && { percent: share }),
    ...(fixed && { fixed }),
    ...(min && cap && compare(min, cap) <= 0 && { min }),
    ...(cap && { cap }),
  };
}

const amountOf = (one: PriceTerms, steps: number): Money =>
  money(one.giveUnit, BigInt(steps) * stepOf(one.giveUnit, one.giveDigits));

function breakdownOrNothing(give: Money, one: PriceTerms) {
  try {
    return breakdownForGive(give, one);
  } catch (error) {
    assert.ok(error instanceof PriceError);
    return undefined;
  }
}

test('a price adds up: give − fee − costs + discounts = exchanged, exchanged × rate rounded down = get', () => {
  fc.assert(
    fc.property(terms, fc.integer({ min: 1, max: 2_000_000 }), (one, steps) => {
      const breakdown = breakdownOrNothing(amountOf(one, steps), one);
      if (!breakdown) return;
      const { give, components, exchanged, get } = breakdown;
      assert.equal(give.parts - totalOf(components, 'fee', 'cost') + totalOf(components, 'discount'), exchanged.parts);
      assert.deepEqual(
        roundTo(convert(exchanged, assetOf(one.giveUnit), one.rate, one.getUnit, 'down'), one.getDigits, 'down'),
        get,
      );
      for (const amount of [exchanged.parts, ...components.map((line) => line.amount)]) {
        assert.equal(amount % stepOf(one.giveUnit, one.giveDigits), 0n, 'every line is in the pay precision');
      }
      assert.ok(totalOf(components, 'fee') >= one.minFee.parts);
    }),
    { numRuns: 1_000 },
  );
});

test('discounts take at most half of the fee and leave the minimum margin, trimmed in their order', () => {
  fc.assert(
    fc.property(terms, fc.integer({ min: 1, max: 2_000_000 }), (one, steps) => {
      const breakdown = breakdownOrNothing(amountOf(one, steps), one);
      if (!breakdown) return;
      const [fee, discounts] = [totalOf(breakdown.components, 'fee'), totalOf(breakdown.components, 'discount')];
      if (discounts === 0n) return;
      const retained = fee - discounts;
      assert.ok(discounts * 2n <= fee, 'more than half');
      const { numerator, denominator } = one.minMargin.percent;
      const { numerator: n, denominator: d } = one.minMargin.afterRewards;
      assert.ok(
        retained * n >= one.minMargin.min.parts * d && retained * n * denominator >= breakdown.give.parts * numerator * d,
        'under the floor',
      );
    }),
    { numRuns: 1_000 },
  );
});

test('the first discounts are trimmed first', () => {
  const one: PriceTerms = {
    ...example(),
    discounts: [
      { code: 'credit', fixed: parse('USDT', '0.20') },
      { code: 'loyalty', percent: percent('40') },
    ],
  };
  // A fee of 0.50 allows discounts of 0.25. Loyalty takes 0.20, so credit is trimmed to 0.05.
  const { components } = breakdownForGive(parse('USDT', '100'), one);
  assert.deepEqual(sumsOf(components), [
    ['fee', 500_000n],
    ['credit', 50_000n],
    ['loyalty', 200_000n],
  ]);
});

const sumsOf = (components: readonly Component[]) => components.map(({ code, amount }) => [code, amount]);

function example(): PriceTerms {
  return {
    giveUnit: 'USDT',
    getUnit: 'BTC',
    giveDigits: 2,
    getDigits: 8,
    rate: parseRate('BTC', 'USDT', '90000'),
    spread: [{ from: zero('USDT'), percent: percent('0.5') }],
    minFee: parse('USDT', '0.20'),
    costs: [],
    discounts: [],
    minMargin: { percent: percent('0.1'), min: parse('USDT', '0.10'), afterRewards: fraction(1n, 1n) },
  };
}

test('a price breakdown agrees with a calculation by hand', () => {
  const costs = [{ code: 'network', fixed: parse('USDT', '1.20') }];
  const breakdown = breakdownForGive(parse('USDT', '1000'), { ...example(), costs });
  assert.deepEqual(sumsOf(breakdown.components), [
    ['fee', 5_000_000n],
    ['network', 1_200_000n],
  ]);
  assert.deepEqual(breakdown.exchanged, parse('USDT', '993.80'));
  assert.deepEqual(breakdown.get, parse('BTC', '0.01104222'));
  assert.throws(() => breakdownForGive(parse('USDT', '1.40'), { ...example(), costs }), PriceError);
  assert.equal(breakdownForGive(parse('USDT', '1.41'), { ...example(), costs }).exchanged.parts, 10_000n);
});

test('breakdownForGet finds the smallest amount that brings the requested one', () => {
  fc.assert(
    fc.property(terms, fc.integer({ min: 1, max: 1_500 }), fc.integer({ min: -3, max: 3 }), (one, steps, nudge) => {
      const near = breakdownOrNothing(amountOf(one, steps), one);
      if (!near) return;
      const parts = near.get.parts + BigInt(nudge) * stepOf(one.getUnit, one.getDigits);
      if (parts <= 0n) return;
      const request = money(one.getUnit, parts);
      const found = breakdownForGet(request, one);
      assert.ok(compare(found.get, request) >= 0, 'brings less than asked');
      assert.deepEqual(found, breakdownForGive(found.give, one), 'is no breakdown of its own amount');
      const step = stepOf(one.giveUnit, one.giveDigits);
      for (let give = step; give < found.give.parts; give += step) {
        const smaller = breakdownOrNothing(money(one.giveUnit, give), one);
        assert.ok(!smaller || compare(smaller.get, request) < 0, `${give} would do, ${found.give.parts} was found`);
      }
    }),
    { numRuns: 600 },
  );
});

test('breakdownForGet of the amount received never requires more than was given', () => {
  fc.assert(
    fc.property(terms, fc.integer({ min: 1, max: 2_000_000_000 }), (one, steps) => {
      const breakdown = breakdownOrNothing(amountOf(one, steps), one);
      if (!breakdown || breakdown.get.parts === 0n) return;
      assert.ok(compare(breakdownForGet(breakdown.get, one).give, breakdown.give) <= 0);
    }),
    { numRuns: 1_000 },
  );
});

test('breakdownForGet finds the lower of two amounts if a higher step costs more', () => {
  const one: PriceTerms = {
    ...example(),
    spread: [
      { from: zero('USDT'), percent: percent('0.5') },
      { from: parse('USDT', '1000'), percent: percent('1') },
    ],
  };
  const breakdown = breakdownForGet(breakdownForGive(parse('USDT', '998'), one).get, one);
  assert.equal(breakdown.give.parts, 998_000_000n);
});

test('breakdownForGet stops at a step that costs less', () => {
  const one: PriceTerms = {
    ...example(),
    spread: [
      { from: zero('USDT'), percent: percent('1') },
      { from: parse('USDT', '1000'), percent: percent('0.5') },
    ],
  };
  const breakdown = breakdownForGet(breakdownForGive(parse('USDT', '1000'), one).get, one);
  assert.equal(breakdown.give.parts, 1_000_000_000n);
});

test('fees and costs are rounded up, discounts down', () => {
  const one: PriceTerms = {
    ...example(),
    costs: [{ code: 'rail', percent: percent('0.333') }],
    discounts: [{ code: 'loyalty', percent: percent('9.99') }],
  };
  const { components } = breakdownForGive(parse('USDT', '100.01'), one);
  // Unrounded: 0.50005, 0.0509 and 0.3330333.
  assert.deepEqual(
    components.map(({ amount }) => amount),
    [510_000n, 50_000n, 340_000n],
  );
});

test('a line on the amount paid out is its percentage of that amount, and at most a pay unit more', () => {
  fc.assert(
    fc.property(terms, fc.integer({ min: 1, max: 2_000_000 }), (one, steps) => {
      const got = {
        code: 'payout',
        of: 'got' as const,
        percent: percent('2'),
        fixed: amountOf(one, 3),
        cap: amountOf(one, 4_000),
      };
      const breakdown = breakdownOrNothing(amountOf(one, steps), { ...one, costs: [...one.costs.filter(({ of }) => !of), got] });
      if (!breakdown) return;
      const { exchanged } = breakdown;
      const taken = breakdown.components.at(-1)?.amount as bigint;
      const owed = { parts: exchanged.parts * 2n + got.fixed.parts * 100n };
      const min = owed.parts < got.cap.parts * 100n ? owed.parts : got.cap.parts * 100n;
      assert.ok(taken * 100n >= min, 'covers what the provider will charge');
      // It exceeds the exact charge by less than a pay unit, plus what rounding up this line adds.
      assert.ok(taken * 100n < min + 103n * stepOf(one.giveUnit, one.giveDigits), 'and hardly more');
    }),
    { numRuns: 1_000 },
  );
});

test('PayPal by hand: 5 % list, 3.49 % + 0.49 to receive, 2 % of what is paid out up to a cap', () => {
  const dollars = (text: string): Money => parse('PAYEER_USD', text);
  const one: PriceTerms = {
    giveUnit: 'PAYEER_USD',
    getUnit: 'PAYPAL_USD',
    giveDigits: 2,
    getDigits: 2,
    rate: parseRate('USD', 'USD', '1'),
    spread: [{ from: zero('PAYEER_USD'), percent: percent('5') }],
    minFee: zero('PAYEER_USD'),
    costs: [
      { code: 'payout', of: 'got', percent: percent('2'), cap: dollars('20') },
      { code: 'payin', percent: percent('3.49'), fixed: dollars('0.49') },
    ],
    discounts: [],
    minMargin: { percent: percent('0.1'), min: zero('PAYEER_USD'), afterRewards: fraction(1n, 1n) },
  };
  // 1000 − 50 − 35.39 = 914.61; ÷ 1.02 = 896.676…: 17.94 to PayPal, 896.67 to the customer (2 % of it: 17.9334).
  const breakdown = breakdownForGive(dollars('1000'), one);
  assert.deepEqual(sumsOf(breakdown.components), [
    ['fee', 5_000n],
    ['payin', 3_539n],
    ['payout', 1_794n],
  ]);
  assert.deepEqual(breakdown.get, parse('PAYPAL_USD', '896.67'));
  assert.equal(breakdownForGet(breakdown.get, one).give.parts, 100_000n);
  assert.equal(breakdownForGive(dollars('2000'), one).components[2]?.amount, 2_000n, 'the cap');
});

test('the shown rate reproduces the amounts, whichever side was requested', () => {
  const exact = parseRate('BTC', 'USDT', '93196.644951237');
  for (const [asset, rounding] of [
    ['BTC', 'down'],
    ['USDT', 'up'],
  ] as const) {
    const cut = cutRate(exact, rounding);
    const again = parseRate('BTC', 'USDT', formatRate(cut));
    assert.deepEqual(again, cut);
    const from = money(asset, 123_456_789n);
    const to = asset === 'BTC' ? 'USDT' : 'BTC';
    assert.ok(
      compare(convert(from, asset, cut, to, 'down'), convert(from, asset, exact, to, 'down')) <= 0,
      'cut towards the desk',
    );
  }
});

test('the amount given is converted to the unit of rewards at the middle rate; USDT is worth itself', () => {
  const terms = (giveUnit: string, getUnit: string, mids: Pick<PriceTerms, 'mid' | 'rewardMid'>) =>
    ({ giveUnit, getUnit, ...mids }) as PriceTerms;
  const worth = (of: PriceTerms, amount: string): string | undefined => {
    const known = rewardRate(of);
    return known && format(convert(parse(of.giveUnit, amount), assetOf(of.giveUnit), known, 'USDT', 'up'));
  };
  const btc = parseRate('BTC', 'USDT', '90000');
  assert.equal(worth(terms('BTC', 'USDT', { mid: btc }), '0.001'), '90.000000');
  assert.equal(worth(terms('BTC', 'USDT', { mid: parseRate('USDT', 'BTC', '0.00001') }), '0.001'), '100.000000', 'either way');
  assert.equal(worth(terms('USDT', 'BTC', { mid: btc }), '100'), '100.000000', 'whatever it buys');
  assert.equal(
    worth(terms('BTC', 'PAYPAL_USD', { mid: parseRate('BTC', 'USD', '90000'), rewardMid: btc }), '0.001'),
    '90.000000',
  );
  assert.equal(worth(terms('BTC', 'PAYPAL_USD', { mid: parseRate('BTC', 'USD', '90000') }), '0.001'), undefined);
});
