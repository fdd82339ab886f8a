import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { openRobotCheck } from './index.ts';

/** Serves a robot check as a browser and the product call it. */
async function serve() {
  let now = Date.parse('2026-11-23T12:00:00Z');
  const check = openRobotCheck('turnstile', { now: () => now });
  const app = Fastify();
  await app.register(async (scope) => check.mount(scope), { prefix: '/sandbox/turnstile' });
  const at = (where: string) => ({ base: `http://127.0.0.1:1/${where}`, pages: `http://desk/${where}` });
  const environment = check.environment(at('sandbox/turnstile'));
  const post = async (path: string, form: Record<string, string>) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams(form).toString();
    return (await app.inject({ method: 'POST', url: `/sandbox/turnstile/${path}`, headers, body })).json<
      Record<string, unknown>
    >();
  };
  const token = async () =>
    (await post('token', { sitekey: environment['KURS_BOT_SITE_KEY'] ?? '', host: 'desk' }))['token'] as string;
  const verify = (response: string, secret = environment['KURS_BOT_SECRET'] ?? '') => post('siteverify', { secret, response });
  return { app, environment, post, token, verify, wait: (ms: number) => (now += ms) };
}

test('a token is valid once, for the page that it was made on, and for five minutes', async () => {
  const { token, verify, wait } = await serve();
  const one = await token();
  const { success, hostname } = await verify(one);
  assert.deepEqual({ success, hostname }, { success: true, hostname: 'desk' });
  assert.deepEqual(await verify(one), { success: false, 'error-codes': ['timeout-or-duplicate'] });
  const late = await token();
  wait(300_001);
  assert.deepEqual((await verify(late))['error-codes'], ['timeout-or-duplicate']);
});

test('errors are reported by their codes', async () => {
  const { token, verify, post } = await serve();
  assert.deepEqual((await verify('thought-up'))['error-codes'], ['invalid-input-response']);
  assert.deepEqual((await verify(await token(), 'another'))['error-codes'], ['invalid-input-secret']);
  assert.deepEqual((await post('siteverify', {}))['error-codes'], ['missing-input-secret']);
  assert.ok((await post('token', { sitekey: 'another' }))['error']);
});

test('its script is served, and the product’s configuration has all addresses', async () => {
  const { app, environment } = await serve();
  assert.match((await app.inject('/sandbox/turnstile/api.js')).body, /window\.turnstile/);
  assert.equal(environment['KURS_BOT_SCRIPT'], 'http://desk/sandbox/turnstile/api.js');
  assert.equal(environment['KURS_BOT_VERIFY'], 'http://127.0.0.1:1/sandbox/turnstile/siteverify');
});
