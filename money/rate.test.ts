import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  convert,
  cutRate,
  decimal,
  formatRate,
  fraction,
  giveFor,
  invert,
  money,
  multiply,
  parseRate,
  percent,
  priceOf,
  rate,
} from './index.ts';

const positive = fc.bigInt({ min: 1n, max: 10n ** 20n });
const value = fc.tuple(positive, positive).map(([numerator, denominator]) => fraction(numerator, denominator));
const parts = fc.bigInt({ min: 0n, max: 10n ** 20n });

test('writing a parsed rate returns the same text', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.stringMatching(/^[0-9]{0,12}$/), (whole, behind) => {
      const text = behind === '' ? `${whole}` : `${whole}.${behind}`;
      fc.pre(/[1-9]/.test(text));
      const trimmed = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
      assert.equal(formatRate(parseRate('BTC', 'USDT', text)), trimmed);
      assert.equal(formatRate(parseRate('BTC', 'USDT', text), behind.length), text);
    }),
  );
  assert.throws(() => parseRate('BTC', 'USDT', '0'), RangeError);
  assert.throws(() => decimal('1e5'), RangeError);
  assert.throws(() => formatRate(rate('A', 'B', fraction(1n, 3n))), RangeError);
  assert.deepEqual(percent('1.5'), { numerator: 3n, denominator: 200n });
});

test('a rounded rate has at most 8 significant digits and differs by less than one of them, in the given direction', () => {
  fc.assert(
    fc.property(value, (given) => {
      const one = rate('A', 'B', given);
      for (const rounding of ['down', 'up'] as const) {
        const cut = cutRate(one, rounding);
        const digits = formatRate(cut).replace('.', '').replace(/^0+/, '').replace(/0+$/, '');
        assert.ok(digits.length >= 1 && digits.length <= 8, formatRate(cut));
        const [was, is] = [given.numerator * cut.value.denominator, cut.value.numerator * given.denominator];
        assert.ok(rounding === 'down' ? is <= was : is >= was);
        const off = is > was ? is - was : was - is;
        assert.ok(off * 10n ** 7n < was, 'moved by a whole digit');
        assert.deepEqual(cutRate(cut, rounding), cut, 'cut twice is cut once');
      }
    }),
    { numRuns: 500 },
  );
  assert.equal(formatRate(cutRate(parseRate('BTC', 'USDT', '93196.6449'), 'down')), '93196.644');
  assert.equal(formatRate(cutRate(parseRate('BTC', 'USDT', '99999.9999'), 'up')), '100000');
  assert.equal(formatRate(cutRate(parseRate('DOGE', 'BTC', '0.00000123456789'), 'down')), '0.0000012345678');
});

test('the inverse of a rate converts back, and rates multiply along a chain', () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      const [first, second] = [rate('A', 'B', a), rate('B', 'C', b)];
      assert.deepEqual(invert(invert(first)), first);
      assert.deepEqual(multiply(first, invert(first)).value, fraction(1n, 1n));
      assert.deepEqual(multiply(first, second).value, fraction(a.numerator * b.numerator, a.denominator * b.denominator));
      assert.throws(() => multiply(second, first), RangeError);
    }),
  );
});

test('giveFor returns the smallest amount whose conversion brings the requested one, from either side of a rate', () => {
  fc.assert(
    fc.property(value, parts, fc.boolean(), (given, request, fromBase) => {
      const one = rate('BTC', 'USDT', given);
      const [from, to] = fromBase ? (['BTC', 'USDT'] as const) : (['USDT', 'BTC'] as const);
      const got = money(to, request);
      // Amounts beyond 38 digits belong to another test.
      fc.pre(given.numerator / given.denominator < 10n ** 9n && given.denominator / given.numerator < 10n ** 9n);
      const give = giveFor(got, from, one, from);
      assert.ok(convert(give, from, one, to, 'down').parts >= request);
      if (give.parts > 0n) assert.ok(convert(money(from, give.parts - 1n), from, one, to, 'down').parts < request);
    }),
  );
});

test('a conversion there and back never gains', () => {
  fc.assert(
    fc.property(value, fc.bigInt({ min: 0n, max: 10n ** 12n }), (given, amount) => {
      fc.pre(given.numerator / given.denominator < 10n ** 9n && given.denominator / given.numerator < 10n ** 9n);
      const one = rate('BTC', 'USDT', given);
      const there = convert(money('BTC', amount), 'BTC', one, 'USDT', 'down');
      assert.ok(convert(there, 'USDT', one, 'BTC', 'down').parts <= amount);
      assert.ok(convert(money('BTC', amount), 'BTC', one, 'USDT', 'up').parts - there.parts <= 1n);
    }),
  );
  assert.throws(() => convert(money('ETH', 1n), 'ETH', parseRate('BTC', 'USDT', '1'), 'BTC', 'down'), RangeError);
});

test('a rate is above zero, and has exactly two assets', () => {
  const one = parseRate('BTC', 'USDT', '4');
  assert.throws(() => rate('A', 'B', fraction(0n, 1n)), RangeError);
  assert.deepEqual([priceOf('BTC', one), priceOf('USDT', one)], [fraction(4n, 1n), fraction(1n, 4n)]);
  assert.throws(() => priceOf('ETH', one), RangeError);
  assert.deepEqual(multiply(one, rate('USDT', 'EUR', fraction(1n, 2n))), rate('BTC', 'EUR', fraction(2n, 1n)));
});

test('a rate is rounded to eight digits wherever its decimal point is', () => {
  const table: [text: string, down: string, up: string][] = [
    ['1', '1', '1'],
    ['123456789', '123456780', '123456790'],
    ['12345678.9', '12345678', '12345679'],
    ['0.123456789', '0.12345678', '0.12345679'],
    ['9.99999999', '9.9999999', '10'],
    ['0.0000000000000000000123456789', '0.000000000000000000012345678', '0.000000000000000000012345679'],
  ];
  for (const [text, down, up] of table) {
    const one = parseRate('BTC', 'USDT', text);
    assert.deepEqual([formatRate(cutRate(one, 'down')), formatRate(cutRate(one, 'up'))], [down, up]);
  }
  assert.equal(formatRate(parseRate('BTC', 'USDT', `0.${'0'.repeat(29)}1`)), `0.${'0'.repeat(29)}1`);
  const [min, beyond] = [60, 61].map((digits) => rate('A', 'B', fraction(1n, 10n ** BigInt(digits))));
  assert.equal(formatRate(min!).length, 62);
  assert.throws(() => formatRate(beyond!), RangeError);
});
