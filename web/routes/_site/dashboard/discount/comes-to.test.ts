import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comesTo } from './comes-to.ts';

test('a coupon takes at most half of the fee', () => {
  for (const [percent, max] of [
    ['0.01', '0.01'],
    ['40', '40'],
    ['50', '50'],
    ['50.00', '50.00'],
    ['50.01', '50'],
    ['80', '50'],
    ['100', '50'],
  ] as const)
    assert.equal(comesTo(percent), max, percent);
});
