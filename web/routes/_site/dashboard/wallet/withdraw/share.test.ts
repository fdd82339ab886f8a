import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareOf } from './share.ts';

test('a bar is empty without any use, visible with the slightest, and never more than full', () => {
  const shares = [
    ['0.00', '5000.00'],
    ['0.01', '5000.00'],
    ['2500.00', '5000.00'],
    ['6000.00', '5000.00'],
    ['0.00', '0.00'],
  ];
  assert.deepEqual(
    shares.map(([used = '', limit = '']) => shareOf(used, limit)),
    [0, 1, 50, 100, 100],
  );
});
