import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unreachable } from './http.ts';
import { insist } from './insist.ts';

/** Returns a function that fails `times` times and then returns the number of tries. */
function failing(times: number, error: Error): () => Promise<number> {
  let tries = 0;
  return async () => {
    tries += 1;
    if (tries <= times) throw error;
    return tries;
  };
}

test('a read without an answer is tried three times, and no more', async () => {
  assert.equal(await insist(failing(0, new Unreachable('no answer'))), 1);
  assert.equal(await insist(failing(2, new Unreachable('no answer'))), 3);
  await assert.rejects(insist(failing(3, new Unreachable('no answer'))), Unreachable);
});

test('a refusal is an answer and is not tried again', async () => {
  const no = failing(1, new Error('no'));
  await assert.rejects(insist(no), /no/);
  assert.equal(await no(), 2);
});
