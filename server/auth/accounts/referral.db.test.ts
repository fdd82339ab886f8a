// An account's referrer is stored when it is opened, and never changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountRecord } from './account-record.ts';
import { advanceClock } from '../../platform/index.ts';
import { testDb } from '../../platform/testing.ts';
import { closeHolder, holderById } from './store.ts';
import { authWorld, contextOf, googleShows, newestCode, userWith } from '../scenarios/world.testing.ts';

const ANN = 'ann@example.org';
const BOB = 'bob@example.org';
const world = authWorld();

/** Requests a code with an optional `referral_code`, and signs up with it. */
async function comeIn(email: string, referral_code?: string) {
  await world.handlers.signUpGetOtp({ email, bot_token: 'sandbox', referral_code }, contextOf(world));
  const { user } = await world.handlers.signUpConfirm({ email, otp: await newestCode(world) }, contextOf(world));
  await advanceClock(world.db, 61_000);
  return user;
}
const referrerOf = async (id: string) => (await accountRecord(world.db, id)).sign_in['referred_by'];

test('each account has a code of its own that stays, of signs that nobody takes for one another', async () => {
  const users = [await comeIn(ANN), await comeIn(BOB), await comeIn(ANN)];
  const codes = users.map(({ referral_code }) => referral_code);
  for (const code of codes) assert.match(code, /^[0-9A-HJKMNP-TV-Z]{8}$/);
  assert.equal(new Set(codes).size, 2);
  assert.equal(codes[0], codes[2]);
});

test('accounts that were there before get one, each another', async () => {
  const { owner: db, drop } = await testDb();
  try {
    await db.run('alter table account_holder drop column referral_code');
    await db.run(`insert into account_holder (id, email, email_key, locale, created_at)
      select gen_random_uuid(), 'ann' || n, 'ann' || n, 'en', clock_now() from generate_series(1, 200) n`);
    await db.run('alter table account_holder add column referral_code text not null unique default new_referral_code()');
    const rows = await db.rows<{ code: string }>('select referral_code as code from account_holder');
    const signs = new Set(rows.flatMap(({ code }) => [...code]));
    assert.ok(rows.every(({ code }) => code.length === 8));
    assert.equal(signs.size, 32, 'every sign is used');
  } finally {
    await drop();
  }
});

test('a new account with a known code stores its owner as the referrer, in any spelling of the code', async () => {
  const ann = await comeIn(ANN);
  const bob = await comeIn(BOB, ann.referral_code.toLowerCase());
  assert.equal(await referrerOf(bob.id), ann.referral_code);
  assert.equal(await referrerOf(ann.id), null);
  for (const [at, shared] of [
    `${ann.referral_code})`,
    `_${ann.referral_code}_`,
    `${ann.referral_code}~1~${'x'.repeat(256)}`,
  ].entries())
    assert.equal(await referrerOf((await comeIn(`shared${at}@example.org`, shared)).id), ann.referral_code, shared);
});

test('an unknown code is ignored, and so is any code at a later sign-in', async () => {
  const ann = await comeIn(ANN);
  for (const [email, code] of [
    ['cat@example.org', 'monitor'],
    ['dan@example.org', "' or 1=1 --"],
    ['eve@example.org', ''],
  ] as const)
    assert.equal(await referrerOf((await comeIn(email, code)).id), null, code);
  const bob = await comeIn(BOB);
  await comeIn(BOB, ann.referral_code);
  assert.equal(await referrerOf(bob.id), null);
  const cat = await comeIn('fay@example.org', ann.referral_code);
  await comeIn('fay@example.org', bob.referral_code);
  assert.equal(await referrerOf(cat.id), ann.referral_code);
});

test('nobody refers themselves, and the request whose code is entered decides', async () => {
  const ann = await comeIn(ANN);
  assert.equal(await referrerOf((await comeIn('ann+second@example.org', ann.referral_code)).id), null);
  // Another person requests a code with their own reference; the newcomer requests one without.
  await world.handlers.signUpGetOtp({ email: BOB, bot_token: 'sandbox', referral_code: ann.referral_code }, contextOf(world));
  await advanceClock(world.db, 61_000);
  assert.equal(await referrerOf((await comeIn(BOB)).id), null);
});

test('stores the referrer of an account that is opened with a password', async () => {
  const ann = await comeIn(ANN);
  const comeByReset = async (email: string) => {
    const request = { email, bot_token: 'sandbox', referral_code: ann.referral_code };
    await world.handlers.forgotPasswordGetOtp(request, contextOf(world));
    const { user } = await world.handlers.forgotPasswordConfirm(
      { email, otp: await newestCode(world), password: 'a stone under the old bridge' },
      contextOf(world),
    );
    await advanceClock(world.db, 61_000);
    return user;
  };
  assert.equal(await referrerOf((await comeByReset(BOB)).id), ann.referral_code);
  const dan = await comeIn('dan@example.org');
  await comeByReset('dan@example.org');
  assert.equal(await referrerOf(dan.id), null, 'an account that is there is nobody’s by that');
});

test('a closed account’s code refers nobody, and a closed account loses its referrer', async () => {
  const ann = await comeIn(ANN);
  const bob = await comeIn(BOB, ann.referral_code);
  const close = async (id: string) => {
    const holder = await holderById(world.db, id);
    assert.ok(holder);
    await world.db.tx((tx) => closeHolder(tx, holder));
  };
  await close(bob.id);
  assert.equal(await referrerOf(bob.id), null);
  await close(ann.id);
  assert.equal(await referrerOf((await comeIn('cat@example.org', ann.referral_code)).id), null);
});

test('stores the referrer of an account that is opened with Google, with and without a mailed code', async () => {
  const ann = await comeIn(ANN);
  const { user } = await world.handlers.googleLogin(
    { ...(await googleShows(world, BOB)), referral_code: ann.referral_code },
    contextOf(world),
  );
  assert.equal(await referrerOf(user.id), ann.referral_code);
  const shown = await googleShows(world, 'cat@elsewhere.example', { hd: undefined });
  await world.handlers.googleGetOtp(shown, contextOf(world));
  const otp = await newestCode(world);
  const cat = await world.handlers.googleLogin({ ...shown, otp, referral_code: ann.referral_code }, contextOf(world));
  assert.equal(await referrerOf(cat.user.id), ann.referral_code);
  const shownUser = await world.handlers.userInfo({}, await userWith(world, cat.access_token));
  assert.match(shownUser.referral_code, /^[0-9A-Z]{8}$/);
});
