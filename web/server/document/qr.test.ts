import assert from 'node:assert/strict';
import { test } from 'node:test';
import { qrOf } from './qr.ts';

test('a code belongs to its text, also once many others were made', () => {
  const first = qrOf('bitcoin:rb1q?amount=1');
  assert.equal(qrOf('bitcoin:rb1q?amount=1'), first);
  for (let n = 0; n < 300; n += 1) assert.notEqual(qrOf(`text ${n}`).path, first.path);
  assert.deepEqual(qrOf('bitcoin:rb1q?amount=1'), first);
  assert.notEqual(qrOf('bitcoin:rb1q?amount=1'), first, 'made again');
});
