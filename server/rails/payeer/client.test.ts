import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorsOf } from './client.ts';

test('errors are read in every form that Payeer writes them in', () => {
  for (const none of [undefined, null, false, 0, '', '0', [], {}]) assert.deepEqual(errorsOf(none), [], JSON.stringify(none));
  assert.deepEqual(errorsOf(['balanceError']), ['balanceError']);
  assert.deepEqual(errorsOf({ 0: 'toError' }), ['toError']);
  assert.deepEqual(errorsOf({ toError: 'no such account' }), ['toError', 'no such account']);
  assert.deepEqual(errorsOf({ toError: true }), ['toError', 'unnamed']);
  assert.deepEqual(errorsOf('transferError'), ['transferError']);
  assert.deepEqual(errorsOf(true), ['unnamed']);
});
