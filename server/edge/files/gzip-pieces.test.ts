import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { gzipPieces } from './gzip-pieces.ts';

const words = (seed: number, count: number): Buffer =>
  Buffer.from(Array.from({ length: count }, (_, at) => `слово-${(at * seed) % 97} `).join(''));

test('pieces come out whole and in their order, however often they are packed', () => {
  const [short, shared] = [Buffer.from('<!doctype html>'), words(7, 4_000)];
  for (const seed of [1, 2, 3]) {
    const pieces = [short, shared, words(seed, 3_000), Buffer.alloc(0)];
    assert.deepEqual(gunzipSync(gzipPieces(pieces)), Buffer.concat(pieces));
  }
  assert.deepEqual(gunzipSync(gzipPieces([])), Buffer.alloc(0));
});

test('a piece that comes again is packed as well as can be', () => {
  const shared = words(31, 20_000);
  const [first, second, third] = [1, 2, 3].map(() => gzipPieces([shared]).length) as [number, number, number];
  assert.ok(second < first, `${second} of ${first} bytes`);
  assert.equal(third, second);
  assert.ok(second <= gzipSync(shared, { level: 9 }).length + 20);
});
