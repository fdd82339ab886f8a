import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fraction, fraction, percent } from '@kurs/money';
import fc from 'fast-check';
import { type Edge, cyclesThatGain, retainedShare } from './direction.ts';
import { compareFractions } from './share.ts';

const ONE = fraction(1n, 1n);
const edge = (from: string, to: string, best: Fraction): Edge => ({ from, to, best });
const spread = (...percents: string[]) => ({ spread: percents.map((one, index) => ({ from: String(index), percent: one })) });

test('the desk keeps half of the smallest step, and never less than the minimum margin', () => {
  assert.deepEqual(retainedShare(spread('0.5'), '0.10'), percent('0.25'));
  assert.deepEqual(retainedShare(spread('1.5', '0.5', '1'), '0.10'), percent('0.25'));
  assert.deepEqual(retainedShare(spread('0.12'), '0.10'), percent('0.1'));
  assert.deepEqual(retainedShare(spread('0.05'), '0.10'), percent('0.05'), 'a step can’t keep more than it is');
});

test('a table loses along every cycle, or the cycle is named', () => {
  const stored = fraction(399n, 400n);
  assert.equal(cyclesThatGain([edge('BTC', 'USDT', stored), edge('USDT', 'BTC', stored)]), undefined);
  assert.equal(cyclesThatGain([]), undefined);
  assert.deepEqual(new Set(cyclesThatGain([edge('BTC', 'USDT', ONE), edge('USDT', 'BTC', ONE)])), new Set(['BTC', 'USDT']));
  assert.deepEqual(cyclesThatGain([edge('USDT', 'USDT', ONE)]), ['USDT', 'USDT'], 'one unit, two rails');
  const gain = fraction(101n, 100n);
  const long = [
    edge('A', 'B', stored),
    edge('B', 'C', stored),
    edge('C', 'D', gain),
    edge('D', 'A', stored),
    edge('A', 'C', stored),
  ];
  assert.deepEqual(new Set(cyclesThatGain(long)), new Set(['A', 'C', 'D']));
  assert.equal(cyclesThatGain(long.filter(({ from }) => from !== 'D')), undefined);
});

test('finds the same cycles as following every path', () => {
  const units = ['A', 'B', 'C', 'D'];
  const factor = fc.integer({ min: 90, max: 108 }).map((n) => fraction(BigInt(n), 100n));
  const edges = fc.array(fc.tuple(fc.constantFrom(...units), fc.constantFrom(...units), factor), { maxLength: 9 });
  const gains = (all: readonly Edge[]): boolean => {
    const follow = (start: string, at: string, product: Fraction, seen: readonly string[]): boolean =>
      all.some(({ from, to, best }) => {
        if (from !== at) return false;
        const next = fraction(product.numerator * best.numerator, product.denominator * best.denominator);
        if (to === start) return compareFractions(next, ONE) >= 0;
        return !seen.includes(to) && follow(start, to, next, [...seen, to]);
      });
    return units.some((unit) => follow(unit, unit, ONE, [unit]));
  };
  fc.assert(
    fc.property(edges, (drawn) => {
      const all = drawn.map(([from, to, best]) => edge(from, to, best));
      const cycle = cyclesThatGain(all);
      assert.equal(cycle !== undefined, gains(all));
      if (cycle) assert.equal(cycle[0], cycle.at(-1));
    }),
    { numRuns: 2_000 },
  );
});

test('checks a table of many directions quickly', () => {
  const units = Array.from({ length: 24 }, (_, at) => `U${at}`);
  const all = units.flatMap((from, at) =>
    units.flatMap((to, other) =>
      (at * 7 + other * 3) % 3 === 0 && at !== other
        ? [edge(from, to, fraction(999_999n - BigInt((at * 31 + other) % 997), 1_000_000n))]
        : [],
    ),
  );
  assert.ok(all.length >= 150, String(all.length));
  const begin = process.cpuUsage();
  assert.equal(cyclesThatGain(all), undefined);
  const { user } = process.cpuUsage(begin);
  assert.ok(user < 200_000, `${user} microseconds`);
});

test('a cycle that loses by a hair is not reported as a gain', () => {
  const hair = fraction(9_999_999n, 10_000_000n);
  const ring = Array.from({ length: 10 }, (_, at) => edge(`U${at}`, `U${(at + 1) % 10}`, at === 0 ? hair : ONE));
  assert.equal(cyclesThatGain(ring), undefined);
  assert.equal(cyclesThatGain(ring.map((one) => ({ ...one, best: ONE })))?.length, 11);
});
