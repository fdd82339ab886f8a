import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statusAt } from './ladder.ts';
import { ladder } from './loyalty-settings.ts';

test('a turnover stands on the last level that it reaches, and sees the next one', () => {
  const at = (usd: number) => {
    const { percent, next } = statusAt(BigInt(Math.round(usd * 100)), ladder());
    return [percent, next?.percent];
  };
  assert.deepEqual(at(0), [0, 5]);
  assert.deepEqual(at(499.99), [0, 5]);
  assert.deepEqual(at(500), [5, 10]);
  assert.deepEqual(at(5_000), [10, 15]);
  assert.deepEqual(at(99_999.99), [15, 20]);
  assert.deepEqual(at(1_000_000), [20, undefined]);
  assert.deepEqual(statusAt(1n, []), { cents: 1n, percent: 0 });
});
