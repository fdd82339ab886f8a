// Google's keys: asked for as seldom as their answer allows, and never waited for long.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { openGoogleKeys } from './google-keys.ts';
import { refused } from '../scenarios/world.testing.ts';

const jwkOf = (kid: string, bits = 2048, more = {}): object => ({
  ...generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' }),
  ...{ kid, use: 'sig', alg: 'RS256', ...more },
});
const FIRST = jwkOf('first');

let asked: number;
let answer: (response: ServerResponse) => void;
const saying =
  (keys: unknown, headers: Record<string, string> = { 'cache-control': 'public, max-age=600' }) =>
  (response: ServerResponse): void =>
    void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ keys }));

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

/** Seconds since a test began. */
let seconds: number;
const open = () => openGoogleKeys(url, { now: () => seconds * 1_000, timeoutMs: 300 });
beforeEach(() => {
  asked = 0;
  seconds = 0;
  answer = saying([FIRST]);
});

test('an answer is kept as long as it says, and all who wait share one question', async () => {
  const keyOf = open();
  const found = await Promise.all([keyOf('first'), keyOf('first'), keyOf('first')]);
  assert.ok(found.every((key) => key?.asymmetricKeyType === 'rsa'));
  seconds = 599;
  assert.ok(await keyOf('first'));
  assert.equal(asked, 1);
  answer = saying([jwkOf('next')]);
  seconds = 600;
  assert.equal(await keyOf('first'), undefined, 'what Google took back is not believed any more');
  assert.ok(await keyOf('next'));
  assert.equal(asked, 2);
});

test('an answer that wants no keeping is kept for a minute, one that says nothing for five, none for longer than a day', async () => {
  for (const [header, kept] of [
    [{ 'cache-control': 'no-cache, max-age=0' }, 60],
    [{}, 300],
    [{ 'cache-control': 'max-age=999999999' }, 86_400],
  ] as const) {
    asked = 0;
    seconds = 0;
    answer = saying([FIRST], header as Record<string, string>);
    const keyOf = open();
    await keyOf('first');
    seconds = kept - 1;
    await keyOf('first');
    assert.equal(asked, 1, JSON.stringify(header));
    seconds = kept;
    await keyOf('first');
    assert.equal(asked, 2, JSON.stringify(header));
  }
});

test('a key that is new is found at once, and ids that somebody thinks up are asked for twice a minute at most', async () => {
  const keyOf = open();
  await keyOf('first');
  answer = saying([FIRST, jwkOf('next')]);
  seconds = 31;
  assert.ok(await keyOf('next'));
  assert.equal(asked, 2);
  for (let at = 0; at < 20; at += 1) assert.equal(await keyOf(`thought up ${at}`), undefined);
  assert.equal(asked, 2);
  seconds = 62;
  for (let at = 0; at < 20; at += 1) assert.equal(await keyOf(`thought up ${at}`), undefined);
  assert.equal(asked, 3);
  assert.ok(await keyOf('first'));
});

test('a silent address, an error, a redirect and any other answer are told as Google’s, and the next question is asked anew', async () => {
  const redirect = (response: ServerResponse): void => void response.writeHead(302, { location: '/elsewhere' }).end();
  const wrong: Record<string, typeof answer> = {
    silent: () => undefined,
    error: (response) => void response.writeHead(500).end(),
    redirect,
    'no JSON': (response) => void response.end('<html>'),
    'no keys': saying([]),
    'too short': saying([jwkOf('first', 1024)]),
    'another kind': saying([{ ...FIRST, kty: 'oct', k: 'secret' }]),
    'for something else': saying([
      { ...FIRST, use: 'enc' },
      { ...FIRST, alg: 'RS1' },
      { ...FIRST, n: '' },
    ]),
  };
  for (const [what, given] of Object.entries(wrong)) {
    const keyOf = open();
    answer = given;
    await assert.rejects(keyOf('first'), refused('google_unavailable'), what);
    answer = saying([FIRST]);
    assert.ok(await keyOf('first'), what);
  }
});
