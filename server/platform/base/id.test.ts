import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from './id.ts';

test('ids are uuid v7, rise strictly and hold their time', () => {
  const ids = Array.from({ length: 20_000 }, newId);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.deepEqual(ids, [...ids].sort());
  assert.equal(new Set(ids).size, ids.length);
  const ms = Number.parseInt(newId().replace('-', '').slice(0, 12), 16);
  assert.ok(Math.abs(ms - Date.now()) < 1_000);
});
