import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import Fastify from 'fastify';
import { openGoogle } from './index.ts';

const DAY_MS = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), 'kurs-google-'));
after(() => rmSync(folder, { recursive: true }));

let now = Date.parse('2026-11-22T12:00:00Z');
/** Serves the provider as a browser and the product call it. */
async function serve() {
  const google = openGoogle({ folder, now: () => now });
  const app = Fastify();
  await app.register(async (scope) => google.mount(scope), { prefix: '/sandbox/google' });
  const environment = google.environment({ base: 'http://127.0.0.1:1/sandbox/google', pages: 'http://desk/sandbox/google' });
  const begin = { client_id: environment['KURS_GOOGLE_CLIENT_ID'] as string, origin: 'http://desk', nonce: 'n' };
  const select = async (form: Record<string, string>) => {
    const { body, statusCode } = await app.inject({
      method: 'POST',
      url: '/sandbox/google/select',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...begin, ...form }).toString(),
    });
    return { statusCode, token: /"credential":"([^"]+)"/.exec(body)?.[1] ?? '' };
  };
  const keys = async () => (await app.inject('/sandbox/google/certs')).json<{ keys: { kid: string; kty: string }[] }>().keys;
  return { google, app, environment, begin, select, keys };
}

const readPart = (token: string, at: number) =>
  JSON.parse(Buffer.from(token.split('.')[at] ?? '', 'base64url').toString()) as Record<string, unknown>;

test('a person gets a token that the published key verifies, and has the same subject after a restart', async () => {
  const { select, keys, environment } = await serve();
  const { token } = await select({ email: 'ann@example.org' });
  const [head, body, signature] = token.split('.') as [string, string, string];
  const { kid, alg } = readPart(token, 0);
  const key = (await keys()).find((one) => one.kid === kid);
  assert.ok(key && alg === 'RS256');
  assert.ok(
    verify(
      'RSA-SHA256',
      Buffer.from(`${head}.${body}`),
      createPublicKey({ key: { ...key }, format: 'jwk' }),
      Buffer.from(signature, 'base64url'),
    ),
  );
  const { iss, aud, sub, nonce, email_verified, hd, exp } = readPart(token, 1);
  assert.deepEqual(
    { iss, aud, nonce, email_verified, hd, exp },
    {
      iss: environment['KURS_GOOGLE_ISSUERS'],
      aud: environment['KURS_GOOGLE_CLIENT_ID'],
      ...{ nonce: 'n', email_verified: true, hd: 'example.org', exp: now / 1_000 + 3_600 },
    },
  );
  const again = await serve();
  assert.equal(readPart((await again.select({ email: 'ANN@example.org' })).token, 1)['sub'], sub);
  assert.deepEqual(await again.keys(), await keys());
});

test('keys change each day and on request; the previous one is still published', async () => {
  const { select, keys, google } = await serve();
  const kidNow = async (): Promise<unknown> => readPart((await select({ email: 'ann@example.org' })).token, 0)['kid'];
  const first = await kidNow();
  now += DAY_MS;
  const second = await kidNow();
  assert.notEqual(second, first);
  assert.deepEqual(
    (await keys()).map(({ kid }) => kid),
    [first, second],
  );
  const { kid } = (await (google.tricks['rotate'] as () => Promise<unknown>)()) as { kid: string };
  assert.equal(await kidNow(), kid);
  assert.deepEqual(
    (await keys()).map((one) => one.kid),
    [second, kid],
  );
});

test('a token says if an address is unverified or not hosted by Google', async () => {
  const { select } = await serve();
  assert.equal(readPart((await select({ email: 'a@example.org', verified: 'no' })).token, 1)['email_verified'], false);
  for (const form of [{ email: 'a@example.org', hosted: 'no' }, { email: 'a@gmail.com' }])
    assert.equal('hd' in readPart((await select(form)).token, 1), false);
});

test('an unknown client, a page without an origin and no address are refused', async () => {
  const { app, begin, select } = await serve();
  for (const wrong of [{ client_id: 'other' }, { origin: '' }, { origin: '"),alert(1)//' }]) {
    const query = new URLSearchParams({ ...begin, ...wrong });
    assert.equal((await app.inject(`/sandbox/google/select?${query}`)).statusCode, 400);
    assert.equal((await select({ email: 'a@example.org', ...wrong })).statusCode, 400);
  }
  assert.equal((await select({ email: 'nobody' })).statusCode, 400);
  assert.equal((await app.inject('/sandbox/google/client')).headers['content-type'], 'text/javascript; charset=utf-8');
});
