import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  MoneyError,
  allocate,
  add,
  assetOf,
  compare,
  decimal,
  format,
  fraction,
  isUnit,
  isZero,
  larger,
  money,
  parse,
  percent,
  rescale,
  roundTo,
  scaleBy,
  scaleOf,
  smaller,
  subtract,
  tickerOf,
  UNITS,
  type Unit,
  zero,
} from './index.ts';

const unit = fc.constantFrom(...(Object.keys(UNITS) as Unit[]));
const parts = fc.bigInt({ min: 0n, max: 10n ** 30n });
const code = (run: () => unknown): string | undefined => {
  try {
    run();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof MoneyError, String(error));
    return error.code;
  }
};

test('parsing a formatted amount returns the same amount', () => {
  fc.assert(
    fc.property(unit, parts, fc.integer({ min: 0, max: 18 }), (name, amount, digits) => {
      const given = money(name, amount);
      assert.deepEqual(parse(name, format(given)), given);
      assert.deepEqual(parse(name, format(given, digits)), given, 'cutting zeros loses nothing');
    }),
  );
});

test('format writes the shortest text with the given digits', () => {
  assert.equal(format(money('USDT', 979_430_000n), 2), '979.43');
  assert.equal(format(money('USDT', 979_430_000n)), '979.430000');
  assert.equal(format(money('USDT', 979_435_100n), 2), '979.4351', 'nothing is rounded');
  assert.equal(format(money('USDT', 1_000_000n), 0), '1');
  assert.equal(format(money('BTC', 1n), 2), '0.00000001');
  assert.equal(format(money('USD', 5n)), '0.05');
});

test('parses only the canonical text of an amount', () => {
  for (const text of [
    '',
    ' ',
    '-1',
    '+1',
    '1e-7',
    'NaN',
    'Infinity',
    '1,5',
    ' 5',
    '5 ',
    '.5',
    '5.',
    '01',
    '0x10',
    '１',
    '1_000',
    '1\n',
    '--',
  ]) {
    assert.equal(
      code(() => parse('BTC', text)),
      'not_a_decimal',
      JSON.stringify(text),
    );
  }
  assert.equal(
    code(() => parse('BTC', '1'.repeat(400))),
    'not_a_decimal',
  );
  assert.equal(
    code(() => parse('BTC', '0.123456789')),
    'too_many_decimals',
  );
  assert.equal(
    code(() => parse('BTC', '0.100000000')),
    'too_many_decimals',
    'even when they are zeros',
  );
  assert.equal(
    code(() => parse('ETH', '9'.repeat(38))),
    'too_large',
  );
  assert.equal(
    code(() => money('BTC', -1n)),
    'negative',
  );
  assert.throws(() => parse('NONE', '1'), /No unit is called NONE/);
});

test('sums and differences are exact and stay within a unit', () => {
  fc.assert(
    fc.property(unit, parts, parts, (name, a, b) => {
      const sum = add(money(name, a), money(name, b));
      assert.equal(sum.parts, a + b);
      assert.deepEqual(subtract(sum, money(name, b)), money(name, a));
      assert.equal(compare(money(name, a), money(name, b)), a < b ? -1 : a > b ? 1 : 0);
    }),
  );
  assert.equal(
    code(() => add(money('BTC', 1n), money('USDT', 1n))),
    'unit_mismatch',
  );
  assert.equal(
    code(() => compare(money('BTC', 1n), money('USDT', 1n))),
    'unit_mismatch',
  );
  assert.equal(
    code(() => subtract(money('BTC', 1n), money('BTC', 2n))),
    'negative',
  );
});

test('rounding changes an amount by less than one step, in the given direction', () => {
  fc.assert(
    fc.property(unit, parts, fc.integer({ min: 0, max: 20 }), (name, amount, digits) => {
      const step = 10n ** BigInt(Math.max(0, scaleOf(name) - digits));
      const [down, up] = [roundTo(money(name, amount), digits, 'down').parts, roundTo(money(name, amount), digits, 'up').parts];
      assert.ok(down % step === 0n && up % step === 0n);
      assert.ok(down <= amount && amount - down < step);
      assert.ok(up >= amount && up - amount < step);
    }),
  );
});

test('a share of an amount is exact to less than one part', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 28n }),
      fc.bigInt({ min: 0n, max: 10n ** 9n }),
      fc.bigInt({ min: 1n, max: 10n ** 9n }),
      (amount, numerator, denominator) => {
        const factor = fraction(numerator, denominator);
        const [down, up] = [
          scaleBy(money('ETH', amount), factor, 'down').parts,
          scaleBy(money('ETH', amount), factor, 'up').parts,
        ];
        assert.ok(down * denominator <= amount * numerator && (down + 1n) * denominator > amount * numerator);
        assert.ok(up * denominator >= amount * numerator && (up === 0n || (up - 1n) * denominator < amount * numerator));
      },
    ),
  );
  assert.equal(scaleBy(money('USD', 1_000n), percent('1.5'), 'down').parts, 15n);
});

test('allocate loses nothing and is fair to less than one part', () => {
  const weights = fc
    .array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 12 })
    .filter((all) => all.some((one) => one > 0n));
  fc.assert(
    fc.property(parts, weights, (amount, shares) => {
      const total = shares.reduce((sum, one) => sum + one, 0n);
      const split = allocate(money('USDT', amount), shares);
      assert.equal(
        split.reduce((sum, one) => sum + one.parts, 0n),
        amount,
      );
      split.forEach((one, index) => {
        const exact = amount * (shares[index] as bigint);
        assert.ok(one.parts * total > exact - total && one.parts * total < exact + total, 'off by a part or more');
        if (shares[index] === 0n) assert.equal(one.parts, 0n);
      });
    }),
  );
  assert.throws(() => allocate(money('USD', 1n), [0n, 0n]), RangeError);
});

test('converting to a larger scale and back returns the same amount; to a smaller one loses less than one part', () => {
  fc.assert(
    fc.property(parts, fc.integer({ min: 0, max: 18 }), fc.integer({ min: 0, max: 18 }), (amount, from, to) => {
      const there = rescale(amount, from, to, 'down');
      if (to >= from) assert.equal(rescale(there, to, from, 'down'), amount);
      else assert.ok(there * 10n ** BigInt(from - to) <= amount && (there + 1n) * 10n ** BigInt(from - to) > amount);
    }),
  );
});

test('an amount has at most 38 digits, and zero is the smallest', () => {
  const largest = 10n ** 38n - 1n;
  assert.equal(money('BTC', largest).parts, largest);
  assert.equal(
    code(() => money('BTC', largest + 1n)),
    'too_large',
  );
  assert.deepEqual([zero('BTC'), isZero(zero('BTC')), isZero(money('BTC', 1n))], [money('BTC', 0n), true, false]);
  assert.equal(parse('BTC', `${'9'.repeat(30)}.${'9'.repeat(8)}`).parts, largest);
});

test('returns the smaller and the larger of two amounts', () => {
  const [one, two] = [money('BTC', 1n), money('BTC', 2n)];
  assert.deepEqual([smaller(one, two), smaller(two, one), larger(one, two), larger(two, one)], [one, one, two, two]);
  assert.deepEqual([smaller(one, one), larger(two, two)], [one, two]);
});

test('allocate gives the remainder to the first shares with a weight', () => {
  const split = (whole: bigint, ...weights: bigint[]): bigint[] =>
    allocate(money('USD', whole), weights).map(({ parts: each }) => each);
  assert.deepEqual(split(10n, 1n, 1n, 1n), [4n, 3n, 3n]);
  assert.deepEqual(split(11n, 1n, 1n, 1n), [4n, 4n, 3n]);
  assert.deepEqual(split(2n, 0n, 1n, 1n, 1n), [0n, 1n, 1n, 0n]);
  assert.deepEqual(split(12n, 1n, 2n, 3n), [2n, 4n, 6n]);
  assert.throws(() => allocate(money('USD', 1n), []), RangeError);
});

test('shows the ticker that people use for a unit or currency, never an internal code', () => {
  for (const code of [...Object.keys(UNITS), 'USDT_ERC20', 'USDT_TRC20', 'USDT_BEP20'])
    assert.match(tickerOf(code), /^[A-Z]{3,4}$/);
  assert.deepEqual(['BTC', 'WMZ', 'PAYPAL_EUR', 'PMV_USD', 'USDT_TRC20'].map(tickerOf), ['BTC', 'WMZ', 'EUR', 'USD', 'USDT']);
});

test('units are known by their codes, and priced by their asset', () => {
  assert.deepEqual(['BTC', 'WMZ', 'toString', 'btc', ''].map(isUnit), [true, true, false, false, false]);
  const assets = ['BTC', 'USD', 'WMZ', 'WME', 'PAYPAL_EUR', 'PMV_USD', 'VOLET_RUB', 'A_B_USD'].map(assetOf);
  assert.deepEqual(assets, ['BTC', 'USD', 'USD', 'EUR', 'EUR', 'USD', 'RUB', 'USD']);
});

test('a fraction is in lowest terms, not negative, with a positive denominator', () => {
  assert.deepEqual(fraction(6n, 4n), { numerator: 3n, denominator: 2n });
  assert.deepEqual(fraction(0n, 7n), { numerator: 0n, denominator: 1n });
  assert.deepEqual(fraction(3n, 2n), { numerator: 3n, denominator: 2n });
  for (const [n, d] of [
    [-1n, 1n],
    [1n, 0n],
    [1n, -1n],
  ] as const)
    assert.throws(() => fraction(n, d), RangeError);
  for (const text of ['', '1.', '.1', '01', ' 1', '1 ', '-1', '1e5', '1'.repeat(31), `1.${'1'.repeat(31)}`])
    assert.throws(() => decimal(text), RangeError, text);
  assert.deepEqual(decimal('93196.64'), { numerator: 2_329_916n, denominator: 25n });
});
