import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentIn } from './store-times.ts';

test('a time in a list is that of the store’s clocks, and has its year if it is another one there', () => {
  const now = '2026-11-20T14:05:12Z';
  assert.equal(momentIn('UTC', now, now, 'en'), 'Nov\u00a020, 14:05');
  assert.equal(momentIn('Europe/Belgrade', '2026-07-31T22:30:00Z', now, 'en'), 'Aug\u00a01, 00:30');
  assert.equal(momentIn('Asia/Kolkata', '2025-12-31T18:30:00Z', now, 'ru'), '1\u00a0янв., 00:00');
  assert.equal(momentIn('America/New_York', '2026-01-01T04:59:59Z', now, 'en'), 'Dec\u00a031, 2025, 23:59');
});
