import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLooser } from './loosening.ts';

test('compares figures as numbers, not by the length of their text; no limit is the largest', () => {
  assert.equal(isLooser('up', '999', '1000'), true);
  assert.equal(isLooser('up', '1000', '999.99'), false);
  assert.equal(isLooser('up', '500', '500.00'), false);
  assert.equal(isLooser('up', '0.2', '0.19999'), false);
  assert.equal(isLooser('up', '5', null), true);
  assert.equal(isLooser('up', null, '5'), false);
  assert.equal(isLooser('down', 24, 23), true);
  assert.equal(isLooser('up', ['1'], ['1', '1']), true);
  assert.equal(isLooser('up', { a: 1 }, { b: 1 }), true);
});
