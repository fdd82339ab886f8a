import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { findNumber, solutionToken } from './solve.ts';

const challengeOf = (number: number, maxnumber: number) => ({
  algorithm: 'SHA-256',
  challenge: createHash('sha256').update(`salt?expires=1&${number}`).digest('hex'),
  maxnumber,
  salt: 'salt?expires=1&',
  signature: 'signed',
});

test('finds the number anywhere in the range, including its ends', async () => {
  for (const number of [0, 1, 255, 256, 257, 1000]) assert.equal(await findNumber(challengeOf(number, 1000)), number);
});

test('a challenge without a solution returns undefined', async () => {
  assert.equal(await findNumber(challengeOf(1001, 1000)), undefined);
});

test('the token is the base64 JSON that ALTCHA checks', () => {
  const token = JSON.parse(Buffer.from(solutionToken(challengeOf(5, 10), 5), 'base64').toString('utf8')) as object;
  const { maxnumber: _, ...rest } = challengeOf(5, 10);
  assert.deepEqual(token, { ...rest, number: 5 });
});
