import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BUCKETS, reached } from './time-buckets.ts';

const endOf = (minutes: number): number => BUCKETS.find((end) => minutes <= end) ?? (BUCKETS.at(-1) as number);

test('the reported bucket is the first that the share of orders reaches', () => {
  const times = fc.array(fc.integer({ min: 1, max: 43_200 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(times, fc.constantFrom(0.5, 0.9, 0.95), (minutes, share) => {
      const end = reached(
        minutes.map((each) => ({ minutes: endOf(each), orders: 1 })),
        share,
      ) as number;
      const before = BUCKETS[BUCKETS.indexOf(end) - 1] ?? 0;
      assert.ok(minutes.filter((each) => each <= end).length >= minutes.length * share);
      assert.ok(minutes.filter((each) => each <= before).length < minutes.length * share);
    }),
  );
});

test('buckets grow, days add up, and no orders give no figure', () => {
  assert.deepEqual(
    BUCKETS,
    [...new Set(BUCKETS)].toSorted((one, other) => one - other),
  );
  const days = [
    { minutes: 5, orders: 3 },
    { minutes: 1, orders: 4 },
    { minutes: 5, orders: 2 },
    { minutes: 60, orders: 1 },
  ];
  assert.deepEqual([reached(days, 0.4), reached(days, 0.5), reached(days, 0.9), reached(days, 0.95)], [1, 5, 5, 60]);
  assert.equal(reached([], 0.5), undefined);
});
