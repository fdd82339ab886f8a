// API keys: created with a proof, shown once, valid from their networks until they expire or are revoked.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACCOUNT_SCOPES } from '@kurs/contract';
import { advanceClock } from '../platform/index.ts';
import { keysOf, keysOn, makeApiKey, whoseKey } from './api-keys.ts';
import { authWorld, contextOf, lettersOf, newestCode, readAll, refused, userWith, wrongAt } from './scenarios/world.testing.ts';

const world = authWorld();
const DAY_MS = 86_400_000;

/** Returns the context of a person who has just signed in. */
async function signedIn(email = 'ann@example.org') {
  const request = { email, bot_token: 'x' };
  await world.handlers.signUpGetOtp(request, contextOf(world));
  const { access_token } = await world.handlers.signUpConfirm({ email, otp: await newestCode(world) }, contextOf(world));
  return userWith(world, access_token);
}
const request = (more: object = {}) => ({
  name: 'my books',
  scopes: ['orders.read' as const],
  networks: [] as string[],
  days: 30,
  ...more,
});
const shows = (key: string, ip = '198.51.100.4', mode: 'sandbox' | 'live' = 'sandbox') => whoseKey(world.db, key, { mode, ip });

test('a key is shown once, stored as an HMAC, valid for its holder and scopes, and notified by letter', async () => {
  const ann = await signedIn();
  const made = await world.handlers.apiKeyMake(request(), ann);
  assert.match(made.key, /^kurs_test_[\w-]{43}$/);
  assert.equal(made.hint, made.key.slice(0, 14));
  const found = await shows(made.key);
  assert.deepEqual(found, {
    id: made.id,
    permissions: ['orders.read'],
    holder: { id: ann.user?.id, email: 'ann@example.org', isEmailVerified: true },
  });
  const [stored] = await world.handlers.apiKeys({}, ann);
  assert.ok(stored && !('key' in stored));
  assert.equal(stored.used_from, '198.51.100.4');
  assert.ok(!(await readAll(world, 'api_key', 'mail', 'account_notice')).includes(made.key));
  const letter = (await lettersOf(world)).at(-1);
  assert.match(letter?.text ?? '', /my books/);
  assert.equal(letter?.recipient, 'ann@example.org');
});

test('a key is refused from outside its networks, in another mode, when revoked or expired, and after its account is closed', async () => {
  const ann = await signedIn();
  const networks = ['203.0.113.0/24', '2001:db8::/32', '192.0.2.7'];
  const { key, id } = await world.handlers.apiKeyMake(request({ networks, scopes: [...ACCOUNT_SCOPES] }), ann);
  for (const ip of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::1', '192.0.2.7']) assert.ok(await shows(key, ip), ip);
  for (const ip of ['203.0.114.9', '::1', '2001:db9::1', '192.0.2.8', '', 'x']) assert.equal(await shows(key, ip), undefined, ip);
  assert.equal(await shows(key, '192.0.2.7', 'live'), undefined);
  assert.equal(await shows(key.replace('kurs_test_', 'kurs_live_'), '192.0.2.7', 'live'), undefined);
  assert.deepEqual(
    (await keysOf(world.db, ann.user?.id ?? '')).map((one) => one.networks),
    [networks],
  );
  await world.handlers.apiKeyRevoke({ id }, ann);
  assert.equal(await shows(key, '192.0.2.7'), undefined);
  await assert.rejects(world.handlers.apiKeyRevoke({ id }, ann), refused('not_found'));

  const short = await world.handlers.apiKeyMake(request({ days: 1 }), ann);
  assert.ok(await shows(short.key));
  await advanceClock(world.db, DAY_MS);
  assert.equal(await shows(short.key), undefined);
  assert.deepEqual(await world.handlers.apiKeys({}, ann), []);
});

test('nobody sees or revokes a key of another', async () => {
  const ann = await signedIn();
  const bob = await signedIn('bob@example.org');
  const { id, key } = await world.handlers.apiKeyMake(request(), ann);
  assert.deepEqual(await world.handlers.apiKeys({}, bob), []);
  await assert.rejects(world.handlers.apiKeyRevoke({ id }, bob), refused('not_found'));
  assert.ok(await shows(key));
});

test('an older session needs another proof to make a key', async () => {
  const ann = await signedIn();
  await advanceClock(world.db, 600_000);
  await assert.rejects(world.handlers.apiKeyMake(request(), ann), refused('code_required'));
  await world.handlers.userEmailGetOtp({ purpose: 'guard_account', about: 'two_factor' }, ann);
  await assert.rejects(world.handlers.apiKeyMake({ ...request(), otp: await newestCode(world) }, ann), refused('code_expired'));
  await world.handlers.userEmailGetOtp({ purpose: 'guard_account', about: 'api_key' }, ann);
  assert.ok((await world.handlers.apiKeyMake({ ...request(), otp: await newestCode(world) }, ann)).key);
});

test('an account has at most twenty keys, also after concurrent requests', async () => {
  const ann = await signedIn();
  const tries = await Promise.allSettled(Array.from({ length: 23 }, () => world.handlers.apiKeyMake(request(), ann)));
  assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 20);
  await assert.rejects(world.handlers.apiKeyMake(request(), ann), wrongAt('name', 'keys_too_many'));
});

test('a new password by mail leaves no key of an intruder', async () => {
  const { key } = await world.handlers.apiKeyMake(request(), await signedIn());
  await world.handlers.forgotPasswordGetOtp({ email: 'ann@example.org', bot_token: 'x' }, contextOf(world));
  const reset = { email: 'ann@example.org', otp: await newestCode(world), password: 'a long enough secret 9' };
  await world.handlers.forgotPasswordConfirm(reset, contextOf(world));
  assert.equal(await shows(key), undefined);
});

test('a letter of a changed password, address or second factor lists the keys that still work; all are revoked at once', async () => {
  const ann = await signedIn();
  const [first, second] = [
    await world.handlers.apiKeyMake(request(), ann),
    await world.handlers.apiKeyMake(request({ name: 'my shop' }), ann),
  ];
  const newest = async (): Promise<string> => (await lettersOf(world)).at(-1)?.text ?? '';
  const listsBoth = async (what: string): Promise<void> => {
    const text = await newest();
    for (const { name, hint } of [first, second]) assert.ok(text.includes(`${name} (${hint}…)`), `${what}: ${text}`);
    assert.ok(!text.includes(first.key) && !text.includes(second.key));
  };
  await world.handlers.changePassword({ password: 'a long new password' }, ann);
  await listsBoth('a first password');
  await world.handlers.changePassword({ current_password: 'a long new password', password: 'another long password' }, ann);
  await listsBoth('a changed password');
  await world.handlers.apiKeyRevokeAll({}, ann);
  assert.deepEqual(await world.handlers.apiKeys({}, ann), []);
  for (const { key } of [first, second]) assert.equal(await shows(key), undefined);
  await world.handlers.changePassword({ current_password: 'another long password', password: 'a third long password' }, ann);
  assert.doesNotMatch(await newest(), /API key/);
});

test('a key of a resource is in no list of its owner; a new password by mail leaves it, and the letter names it to its maker', async () => {
  const ann = await signedIn();
  const on = { kind: 'store', id: 's1' };
  const { id: holderId = '' } = ann.user ?? {};
  const bound = { on, madeBy: holderId, isTest: false };
  const made = await world.db.tx((tx) =>
    makeApiKey(tx, { holderId, mode: 'sandbox', bound }, { ...request(), scopes: ['invoices.read'] }),
  );
  assert.deepEqual(
    (await keysOn(world.db, on)).map(({ id, madeBy, scopes }) => [id, madeBy, scopes]),
    [[made.id, holderId, ['invoices.read']]],
  );
  assert.deepEqual(await world.handlers.apiKeys({}, ann), []);
  await assert.rejects(world.handlers.apiKeyRevoke({ id: made.id }, ann), refused('not_found'));
  await world.handlers.apiKeyRevokeAll({}, ann);
  await world.handlers.forgotPasswordGetOtp({ email: 'ann@example.org', bot_token: 'x' }, contextOf(world));
  const reset = { email: 'ann@example.org', otp: await newestCode(world), password: 'a long enough secret 9' };
  await world.handlers.forgotPasswordConfirm(reset, contextOf(world));
  assert.deepEqual((await shows(made.key))?.on, on);
  const letter = (await lettersOf(world)).find(({ text }) => text.includes(`my books (${made.hint}…)`));
  assert.match(letter?.text ?? '', /API keys of stores[^]*not yours, revoke it/);
});
