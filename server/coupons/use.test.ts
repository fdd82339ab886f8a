// Uses of a coupon in any order: its budget and held amount equal the sums of its uses, and nothing goes back twice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Coupon } from './coupon.ts';
import { type Use, type UseState, mayMove, moveUse } from './use.ts';

const MAX = 1_000_000n;
const HELD = 100_000n;
const coupon: Coupon = {
  ...{ id: 'c', code: 'SPRING', kind: 'fixed', state: 'live', percent: undefined, value: HELD, uses: 10, perCustomer: 1 },
  ...{ startsAt: undefined, endsAt: undefined, directions: undefined, min: 0n, isFirstOnly: false, emailKey: undefined },
  ...{
    holderId: undefined,
    isOff: false,
    taken: 0,
    budget: MAX,
    held: 0n,
    fromPot: MAX,
    max: MAX,
    madeBy: ['ann'],
    madeAt: new Date(0),
    action: undefined,
    earnedBy: undefined,
    earnedKeys: undefined,
    givenAt: undefined,
  },
};
const sum = (parts: readonly bigint[]): bigint => parts.reduce((all, one) => all + one, 0n);

test('a coupon’s sums are those of its uses, whatever became of them', () => {
  let freed = 0;
  const step = fc.record({
    at: fc.nat(4),
    to: fc.constantFrom<UseState>('spent', 'free'),
    spent: fc.bigInt(0n, HELD),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const uses: Use[] = Array.from({ length: 5 }, (_, n) => ({
        ...{ id: `${n}`, couponId: 'c', state: 'held', held: HELD, spent: 0n, rest: 0n, restOf: undefined },
      }));
      let now: Coupon = { ...coupon, taken: uses.length, held: HELD * 5n };
      for (const { at, to, spent } of steps) {
        const use = uses[at] ?? assert.fail();
        if (!mayMove(use.state, to)) {
          assert.throws(() => moveUse(now, use, to, spent));
          continue;
        }
        const moved = moveUse(now, use, to, spent);
        if (use.state === 'spent') freed += 1;
        [now, uses[at]] = [moved.coupon, moved.use];
      }
      const of = (state: UseState): Use[] => uses.filter((one) => one.state === state);
      assert.equal(now.held, sum(of('held').map(({ held }) => held)));
      assert.equal(now.budget, MAX - sum(of('spent').map(({ spent }) => spent)));
      assert.equal(now.taken, uses.length - of('free').length);
      assert.ok(sum(of('spent').map(({ rest }) => rest)) <= now.budget - now.held, 'rests are there');
    }),
    { numRuns: 500 },
  );
  assert.ok(freed > 50, String(freed));
});

test('a use takes no more than is held, and one that is free is nobody’s', () => {
  const use: Use = { id: 'u', couponId: 'c', state: 'held', held: HELD, spent: 0n, rest: 0n, restOf: undefined };
  assert.throws(() => moveUse({ ...coupon, held: HELD, taken: 1 }, use, 'spent', HELD + 1n));
  assert.throws(() => moveUse(coupon, { ...use, state: 'free' }, 'free', 0n));
});
