import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paidShare } from './paid-share.ts';

test('the bar of an invoice is full only if the whole amount is there, and shows the smallest part', () => {
  assert.deepEqual(paidShare('84.50', '0', '0'), { credited: 0n, pending: 0n });
  assert.deepEqual(paidShare('84.50', '0.01', '0.01'), { credited: 2n, pending: 2n });
  assert.deepEqual(paidShare('84.50', '84.49', '0'), { credited: 99n, pending: 0n });
  assert.deepEqual(paidShare('84.50', '42.25', '60'), { credited: 50n, pending: 50n });
  assert.deepEqual(paidShare('84.50', '84.50', '5'), { credited: 100n, pending: 0n });
  assert.deepEqual(paidShare('0.00000001', '0.00000002', '0'), { credited: 100n, pending: 0n });
});
