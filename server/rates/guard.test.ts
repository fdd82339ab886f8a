import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fraction, decimal, fraction, percent } from '@kurs/money';
import fc from 'fast-check';
import { compareFractions } from './compare.ts';
import { deviation, percentOfMillionths, rootUp } from './deviation.ts';
import { areApart, closedBy, combine, hasMoved } from './guard.ts';
import type { Minute } from './store.ts';

const prices = (...texts: string[]): Fraction[] => texts.map(decimal);
const priceList = fc.array(
  fc.bigInt({ min: 1n, max: 10n ** 12n }).map((n) => fraction(n, 100n)),
  { minLength: 2, maxLength: 7 },
);

test('three sources make the median, two the worse per side, one nothing', () => {
  assert.deepEqual(combine(prices('90000', '90010', '90300')), { bid: decimal('90010'), ask: decimal('90010'), live: 3 });
  assert.deepEqual(combine(prices('90010', '90000')), { bid: decimal('90000'), ask: decimal('90010'), live: 2 });
  assert.deepEqual(combine(prices('4', '1', '3', '2')), { bid: decimal('2'), ask: decimal('3'), live: 4 });
  assert.equal(combine(prices('90000')), undefined);
  assert.equal(combine([]), undefined);
});

test('one source can’t move the price of three beyond the other two', () => {
  fc.assert(
    fc.property(priceList, fc.bigInt({ min: 1n, max: 10n ** 12n }), (pair, wild) => {
      const [a, b] = [pair[0] as Fraction, pair[1] as Fraction];
      const combined = combine([a, b, fraction(wild, 1n)]);
      assert.ok(combined);
      const [low, high] = compareFractions(a, b) <= 0 ? [a, b] : [b, a];
      for (const side of [combined.bid, combined.ask])
        assert.ok(compareFractions(side, low) >= 0 && compareFractions(side, high) <= 0);
    }),
  );
});

test('the bid is never above the ask, and the order of sources doesn’t matter', () => {
  fc.assert(
    fc.property(priceList, (all) => {
      const combined = combine(all);
      assert.ok(combined && compareFractions(combined.bid, combined.ask) <= 0);
      assert.deepEqual(combine(all.toReversed()), combined);
    }),
  );
});

test('apart and moved are told at the very share', () => {
  assert.equal(areApart(prices('1000', '1003', '1001'), percent('0.3')), false);
  assert.equal(areApart(prices('1000', '1003.01', '1001'), percent('0.3')), true);
  assert.equal(hasMoved(decimal('103'), prices('100', '101'), percent('3')), false);
  assert.equal(hasMoved(decimal('103.01'), prices('101', '100'), percent('3')), true);
  assert.equal(hasMoved(decimal('97'), prices('100'), percent('3')), true, 'a fall counts against where it ends');
  assert.equal(hasMoved(decimal('97'), [], percent('3')), false);
});

test('a closed asset opens again after the calm time, not before', () => {
  const last = { reason: 'rates_apart' as const, troubledAt: new Date(0) };
  assert.equal(closedBy(undefined, undefined, new Date(0), 180_000), undefined);
  assert.equal(closedBy('rates_moving', last, new Date(179_999), 180_000), 'rates_moving');
  assert.equal(closedBy(undefined, last, new Date(179_999), 180_000), 'rates_apart');
  assert.equal(closedBy(undefined, last, new Date(180_000), 180_000), undefined);
});

test('the root is the smallest whole number whose square is enough', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), (value) => {
      const root = rootUp(value);
      assert.ok(root * root >= value && (root === 0n || (root - 1n) * (root - 1n) < value));
    }),
    { numRuns: 1_000 },
  );
});

const NOW = new Date(Date.UTC(2026, 0, 2));
const minuteNow = NOW.getTime() / 60_000;
const series = (length: number, price: (minute: number) => bigint): Minute[] =>
  Array.from({ length }, (_, index) => ({ minute: minuteNow - length + 1 + index, mid: fraction(price(index), 100n) }));

test('the deviation is the root mean square of 15-minute moves', () => {
  assert.equal(deviation([], NOW), 0n);
  assert.equal(
    deviation(
      series(1_500, () => 9_000_000n),
      NOW,
    ),
    0n,
  );
  // Up 1 % and down again each 15 minutes: every move is +1 % or −0.990099 %.
  const jumping = series(1_500, (minute) => (Math.floor(minute / 15) % 2 === 0 ? 1_000_000n : 1_010_000n));
  assert.ok(deviation(jumping, NOW) >= 9_950n && deviation(jumping, NOW) <= 9_952n, String(deviation(jumping, NOW)));
  assert.equal(percentOfMillionths(9_951n), '0.9951');
  assert.equal(percentOfMillionths(0n), '0.0000');
  assert.equal(percentOfMillionths(1_234_567n), '123.4567');
});

test('the larger of the last hour’s and the last day’s deviation counts', () => {
  const calmDayWildHour = series(1_500, (minute) => (minute < 1_440 || minute % 2 === 0 ? 1_000_000n : 1_020_000n));
  const wildDayCalmHour = series(1_500, (minute) => (minute >= 1_400 || minute % 2 === 0 ? 1_000_000n : 1_020_000n));
  assert.ok(deviation(calmDayWildHour, NOW) > 13_000n, 'hour');
  assert.ok(deviation(wildDayCalmHour, NOW) > 13_000n, 'day');
});

test('a move counts only where both of its ends are known', () => {
  const gap = series(40, (minute) => (minute < 20 ? 1_000_000n : 2_000_000n)).filter(({ minute }) => minute > minuteNow - 14);
  assert.equal(deviation(gap, NOW), 0n);
});
