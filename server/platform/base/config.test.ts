import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, describeConfig, loadConfig, VARIABLES } from './config.ts';

test('an empty environment is a complete sandbox on this machine', () => {
  const config = loadConfig({});
  assert.equal(config.KURS_MODE, 'sandbox');
  assert.equal(config.HOST, '127.0.0.1');
  assert.equal(config.BASE_URL, 'http://127.0.0.1:3000');
  assert.equal(config.KURS_BITCOIN_NETWORK, 'regtest');
  assert.ok(config.KURS_DATA.startsWith('/'));
  assert.equal(loadConfig({ PORT: '', HOST: '  ' }).PORT, 3000);
});

test('every variable has words, and a default that its own schema takes', () => {
  for (const { name, words, initial } of describeConfig()) {
    assert.ok(words.length > 5, name);
    assert.ok(VARIABLES[name as keyof typeof VARIABLES].schema.safeParse(initial).success, `${name}=${initial}`);
  }
});

test('mistakes are named all at once', () => {
  const load = () => loadConfig({ PORT: '99999', KURS_MODE: 'test', SMTP_URL: 'not an address' });
  assert.throws(
    load,
    (error) =>
      error instanceof ConfigError &&
      /PORT/.test(error.message) &&
      /KURS_MODE/.test(error.message) &&
      /SMTP_URL/.test(error.message),
  );
});

test('live mode asks for an https address and takes no sandbox', () => {
  assert.throws(() => loadConfig({ KURS_MODE: 'live' }), /BASE_URL/);
  const live = { KURS_MODE: 'live', BASE_URL: 'https://desk.example.org/' };
  assert.equal(loadConfig(live).BASE_URL, 'https://desk.example.org');
  assert.equal(loadConfig(live).KURS_BITCOIN_NETWORK, 'mainnet');
  assert.equal(loadConfig(live).KURS_GOOGLE_CLIENT_ID, '', 'nobody signs in with Google before it is set up');
  for (const name of ['KURS_GOOGLE_KEYS', 'KURS_GOOGLE_SCRIPT'])
    assert.throws(() => loadConfig({ ...live, [name]: 'http://accounts.google.com/x' }), new RegExp(`${name} must be an https`));
  assert.throws(() => loadConfig({ ...live, KURS_GOOGLE_ISSUERS: ',' }), /KURS_GOOGLE_ISSUERS/);
  assert.throws(() => loadConfig({ ...live, KURS_SANDBOX_URL: 'http://127.0.0.1:1' }), /KURS_SANDBOX_URL/);
  assert.throws(() => loadConfig({ ...live, KURS_PRIVATE_WEBHOOKS: 'http://127.0.0.1:1' }), /KURS_PRIVATE_WEBHOOKS has no place/);
  assert.equal(loadConfig({ KURS_PRIVATE_WEBHOOKS: 'http://127.0.0.1:1/path' }).KURS_PRIVATE_WEBHOOKS, 'http://127.0.0.1:1');
});

test('a robot check by somebody else needs its keys in live mode, and is asked over https', () => {
  const live = { KURS_MODE: 'live', BASE_URL: 'https://desk.example.org/', KURS_BOT_CHECK: 'turnstile' };
  assert.throws(() => loadConfig(live), /KURS_BOT_SITE_KEY is needed[^]*KURS_BOT_SECRET is needed/);
  const keys = { KURS_BOT_SITE_KEY: 'public', KURS_BOT_SECRET: 'secret' };
  assert.equal(loadConfig({ ...live, ...keys }).KURS_BOT_CHECK, 'turnstile');
  for (const name of ['KURS_BOT_VERIFY', 'KURS_BOT_SCRIPT'])
    assert.throws(() => loadConfig({ ...live, ...keys, [name]: 'http://x.example' }), new RegExp(`${name} must be an https`));
  assert.throws(() => loadConfig({ KURS_BOT_CHECK: 'another' }), /KURS_BOT_CHECK/);
});

test('lists and flags are read', () => {
  const config = loadConfig({ TRUST_PROXY: '10.0.0.1, 10.1.0.0/16', KURS_STRICT_LIMITS: '1' });
  assert.deepEqual(config.TRUST_PROXY, ['10.0.0.1', '10.1.0.0/16']);
  assert.equal(config.KURS_STRICT_LIMITS, true);
});
