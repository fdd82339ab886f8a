// Signing up and in by a mailed code: lifetime and limits of codes, and of sessions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Context, advanceClock } from '../../platform/index.ts';
import { makeCode, spendCode, tryCode } from '../factors/codes.ts';
import { whoIs } from '../sign-in/sign-in.ts';
import {
  authWorld,
  contextOf,
  lettersOf,
  newestCode as newestOf,
  readAll,
  refused,
  userWith as userOf,
} from './world.testing.ts';

const world = authWorld();
const context = (): Context => contextOf(world);
const ask = (email: string, more: { handle?: string } = {}) =>
  world.handlers.signUpGetOtp({ email, bot_token: 'sandbox', ...more }, context());
const confirm = (email: string, otp: string) => world.handlers.signUpConfirm({ email, otp }, context());
const mails = () => lettersOf(world);
const newestCode = () => newestOf(world);
const other = (code: string): string => ((Number(code) + 1) % 1_000_000).toString().padStart(6, '0');
const signUp = async (email: string) => {
  await ask(email);
  return confirm(email, await newestCode());
};
const userWith = (token: string) => userOf(world, token);

test('a mailed code creates an account whose address is verified, and signs in to it later', async () => {
  const first = await signUp('Ann@Example.org');
  assert.match(first.access_token, /^kurs_s_[\w-]{43}$/);
  assert.equal(first.user.email, 'Ann@Example.org');
  assert.equal(first.user.email_verified, 1);
  await advanceClock(world.db, 61_000);
  const second = await signUp('ann@example.org');
  assert.equal(second.user.id, first.user.id);
  assert.notEqual(second.access_token, first.access_token);
  assert.deepEqual(await world.handlers.userInfo({}, await userWith(first.access_token)), first.user);
});

test('notifies rooms above of each session of an account with a verified mailbox', async () => {
  await signUp('ann@example.org');
  await advanceClock(world.db, 61_000);
  await signUp('ann@example.org');
  assert.deepEqual(world.requested.signedIn, ['ann@example.org', 'ann@example.org']);
});

test('an address with an account and one without get the same answer and the same letter', async () => {
  await signUp('ann@example.org');
  await advanceClock(world.db, 61_000);
  await world.db.run('delete from mail');
  const reported = ({ handle, ...rest }: Awaited<ReturnType<typeof ask>>) => [handle.length, rest];
  assert.deepEqual(reported(await ask('ann@example.org')), reported(await ask('bob@example.org')));
  const [known, unknown] = (await mails()).map(({ subject, text }) => ({ subject, text: text.replace(/\d{6}/, '') }));
  assert.deepEqual(known, unknown);
});

test('a bot is mailed nothing', async () => {
  await assert.rejects(
    async () => world.handlers.signUpGetOtp({ email: 'a@example.org', bot_token: 'none' }, context()),
    refused('bot_check_failed'),
  );
  assert.deepEqual(await mails(), []);
});

test('a code has five tries, ten minutes, one use, and belongs to its address and purpose', async () => {
  await ask('ann@example.org');
  const code = await newestCode();
  await assert.rejects(confirm('bob@example.org', code), refused('code_expired'));
  await world.db.run("update one_time_code set purpose = 'order'");
  await assert.rejects(confirm('ann@example.org', code), refused('code_expired'));
  await world.db.run("update one_time_code set purpose = 'sign_up'");
  for (let tries = 0; tries < 5; tries += 1) await assert.rejects(confirm('ann@example.org', other(code)), refused('code_wrong'));
  await assert.rejects(confirm('ann@example.org', code), refused('code_expired'));

  await advanceClock(world.db, 61_000);
  await ask('ann@example.org');
  const next = await newestCode();
  await confirm('ann@example.org', next);
  await assert.rejects(confirm('ann@example.org', next), refused('code_expired'));

  await advanceClock(world.db, 61_000);
  await ask('ann@example.org');
  const late = await newestCode();
  await advanceClock(world.db, 601_000);
  await assert.rejects(confirm('ann@example.org', late), refused('code_expired'));
});

test('a code moved to another purpose or address by SQL is refused there', async () => {
  const { handle } = await ask('ann@example.org');
  const code = await newestCode();
  await world.db.run("update one_time_code set subject = 'bob@example.org'");
  const moved = { email: 'bob@example.org', otp: code, handle };
  await assert.rejects(world.handlers.signUpConfirm(moved, context()), refused('code_wrong'));
});

test('another code is mailed to the same browser after a minute, in place of its last', async () => {
  const first = await ask('Ann+kurs@Example.org');
  const again = () => ask('ann+kurs@example.org', { handle: first.handle });
  await assert.rejects(again(), refused('rate_limited'));
  assert.equal((await mails()).length, 1);
  const old = await newestCode();
  await advanceClock(world.db, 61_000);
  assert.equal((await again()).handle, first.handle);
  const code = await newestCode();
  if (old !== code) await assert.rejects(confirm('ann+kurs@example.org', old), refused('code_wrong'));
  await confirm('ann+kurs@example.org', code);
});

test('an unknown handle, or one for another address, is replaced', async () => {
  const { handle } = await ask('ann@example.org');
  for (const other of ['made up', handle]) assert.notEqual((await ask('bob@example.org', { handle: other })).handle, other);
});

test('concurrent duplicates with one code make one account and one session', async () => {
  await ask('ann@example.org');
  const code = await newestCode();
  const duplicates = await Promise.allSettled([confirm('ann@example.org', code), confirm('ann@example.org', code)]);
  assert.deepEqual(duplicates.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  assert.equal((await world.db.rows('select 1 from session')).length, 1);
});

test('a code that two have tried is spent by one of them', async () => {
  const what = { purpose: 'sign_up', subject: 'ann@example.org' } as const;
  const code = await world.db.tx((tx) => makeCode(tx, what));
  for (const _ of ['one', 'other']) await tryCode(world.db, what, code);
  const spend = () => world.db.tx((tx) => spendCode(tx, what));
  await spend();
  await assert.rejects(spend(), refused('code_expired'));
});

test('a session ends by signing out, after 30 days unused, and after 90 days', async () => {
  const { access_token: token } = await signUp('ann@example.org');
  const { access_token: elsewhere } = (await advanceClock(world.db, 61_000), await signUp('ann@example.org'));
  await world.handlers.logout({}, await userWith(token));
  assert.equal(await whoIs(world.db, token), undefined);
  assert.ok(await whoIs(world.db, elsewhere));

  const day = 86_400_000;
  for (let days = 0; days < 87; days += 29) {
    assert.ok(await whoIs(world.db, elsewhere), `stands on day ${days}`);
    await advanceClock(world.db, 29 * day);
  }
  assert.ok(await whoIs(world.db, elsewhere));
  await advanceClock(world.db, 3 * day);
  assert.equal(await whoIs(world.db, elsewhere), undefined, 'is over after 90 days, however much it is used');

  const { access_token: unused } = await signUp('ann@example.org');
  await advanceClock(world.db, 30 * day);
  assert.equal(await whoIs(world.db, unused), undefined);
});

test('neither a code nor a token can be read from the database', async () => {
  await ask('ann@example.org');
  const code = await newestCode();
  assert.equal((await readAll(world, 'one_time_code')).includes(code), false);
  const { access_token: token } = await confirm('ann@example.org', code);
  assert.equal((await readAll(world, 'session')).includes(token.slice(7)), false);
  assert.equal(await whoIs(world.db, token.slice(0, -1)), undefined);
});
