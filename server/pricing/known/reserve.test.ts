import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { reserveFrom } from './reserve.ts';

const amount = fc.bigInt({ min: 0n, max: 10n ** 20n });

test('the reserve is the smaller of free money less 5 % and what the rail can pay', () => {
  assert.equal(reserveFrom({ free: 1_000n, spent: 0n }, 2_000n, 5), 950n);
  assert.equal(reserveFrom({ free: 1_000n, spent: 999n }, 2_000n, 5), 950n);
  assert.equal(reserveFrom({ free: 1_000n, spent: 0n }, 300n, 5), 300n);
});

test('nothing is promised in a unit whose free money does not cover its expenses', () => {
  assert.equal(reserveFrom({ free: 1_000n, spent: 1_000n }, 2_000n, 5), 0n);
  assert.equal(reserveFrom({ free: 0n, spent: 0n }, 2_000n, 0), 0n);
});

test('a reserve is never below zero, above free money or above what is payable', () => {
  fc.assert(
    fc.property(amount, amount, amount, fc.integer({ min: 0, max: 100 }), (free, spent, payable, margin) => {
      const reserve = reserveFrom({ free, spent }, payable, margin);
      assert.ok(reserve >= 0n && reserve <= payable && reserve * 100n <= free * BigInt(100 - margin));
    }),
  );
});
