import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareOf } from './share.ts';

test('a bar shows what is used: nothing for nothing, at least something for something, never more than all', () => {
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
