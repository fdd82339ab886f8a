import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barHeights } from './bar-heights.ts';
import { daysOf, monthBeside, writeMonth } from './month.ts';

test('months follow each other across years, within those of the store', () => {
  const bounds = { since: '2025-11', now: '2026-02' };
  assert.equal(monthBeside('2026-01', -1, bounds), '2025-12');
  assert.equal(monthBeside('2025-12', 1, bounds), '2026-01');
  assert.equal(monthBeside('2025-11', -1, bounds), undefined);
  assert.equal(monthBeside('2026-02', 1, bounds), undefined);
});

test('a month is written with its name, and has its days', () => {
  assert.equal(writeMonth('2026-11', 'en'), 'November\u00a02026');
  assert.equal(writeMonth('2026-05', 'ru'), 'Май\u00a02026');
  assert.equal(daysOf('2028-02').length, 29);
  assert.deepEqual([daysOf('2026-11')[0], daysOf('2026-11').at(-1)], ['2026-11-01', '2026-11-30']);
});

test('the highest bar is full, a small sum is visible, and a loss has no bar', () => {
  assert.deepEqual(barHeights(['0.00000001', '0.00500000', '0', '-1', '0.0025']), [2, 100, 0, 0, 50]);
  assert.deepEqual(barHeights(['0', '0']), [0, 0]);
});
