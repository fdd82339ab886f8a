// Google's keys: fetched as rarely as their answer allows, with a short time limit.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, beforeEach, mock, test } from 'node:test';
import { errors } from 'jose';
import { openGoogleKeys } from './google-keys.ts';
import { refused } from '../scenarios/world.testing.ts';

const jwkOf = (kid: string): object => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' }),
  ...{ kid, use: 'sig', alg: 'RS256' },
});
const FIRST = jwkOf('first');

let asked: number;
let answer: (response: ServerResponse) => void;
const saying =
  (keys: unknown) =>
  (response: ServerResponse): void =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }));

const provider = createServer((request, response) => {
  if (request.url === '/elsewhere') return saying([FIRST])(response);
  asked += 1;
  answer(response);
});
let url: string;
before(async () => {
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/certs`;
});
after(() => {
  provider.closeAllConnections();
  provider.close();
});

/** Returns a function that looks up a key, some seconds after the first look-up. */
function open() {
  const keyOf = openGoogleKeys(url, { timeoutMs: 1_500 });
  return async (kid: string, seconds = 0) => {
    mock.timers.setTime(seconds * 1_000);
    return keyOf({ alg: 'RS256', kid }, { payload: '', signature: '' });
  };
}

beforeEach(() => {
  mock.timers.enable({ apis: ['Date'] });
  asked = 0;
  answer = saying([FIRST]);
});
afterEach(() => mock.timers.reset());

test('caches an answer for ten minutes, and concurrent look-ups share one request', async () => {
  const keyOf = open();
  await Promise.all([keyOf('first'), keyOf('first'), keyOf('first')]);
  await keyOf('first', 599);
  assert.equal(asked, 1);
  answer = saying([jwkOf('next')]);
  await assert.rejects(keyOf('first', 600), errors.JWKSNoMatchingKey, 'what Google took back is not believed any more');
  await keyOf('next', 600);
  assert.equal(asked, 2);
});

test('finds a new key at once, and requests invented ids at most twice a minute', async () => {
  const keyOf = open();
  await keyOf('first');
  answer = saying([FIRST, jwkOf('next')]);
  await keyOf('next', 31);
  assert.equal(asked, 2);
  for (let at = 0; at < 20; at += 1) await assert.rejects(keyOf(`thought up ${at}`, 32), errors.JWKSNoMatchingKey);
  assert.equal(asked, 2);
  for (let at = 0; at < 20; at += 1) await assert.rejects(keyOf(`thought up ${at}`, 62), errors.JWKSNoMatchingKey);
  assert.equal(asked, 3);
  await keyOf('first', 62);
});

test('reports a silent address, an error, a redirect and any other answer as `google_unavailable`, and requests again next time', async () => {
  const redirect = (response: ServerResponse): void => void response.writeHead(302, { location: '/elsewhere' }).end();
  const wrong: Record<string, typeof answer> = {
    silent: () => undefined,
    error: (response) => void response.writeHead(500).end(),
    redirect,
    'no JSON': (response) => void response.end('<html>'),
    'JSON of another kind': (response) => void response.end('{"kid":1}'),
    'no keys': saying([]),
    'too long': (response) => void response.end(JSON.stringify({ keys: [FIRST], more: 'x'.repeat(100_000) })),
  };
  for (const [what, given] of Object.entries(wrong)) {
    const keyOf = open();
    answer = given;
    await assert.rejects(keyOf('first'), refused('google_unavailable'), what);
    answer = saying([FIRST]);
    await keyOf('first');
  }
});

test('ignores a key of another kind or for another use', async () => {
  for (const one of [
    { ...FIRST, kty: 'oct', k: 'secret' },
    { ...FIRST, use: 'enc' },
    { ...FIRST, alg: 'RS1' },
  ]) {
    answer = saying([one]);
    await assert.rejects(open()('first'), errors.JWKSNoMatchingKey);
  }
});
