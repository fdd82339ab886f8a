// Closing an account: it can be cancelled for two weeks, no money is lost by it, and no personal data remains.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advanceClock } from '../../platform/index.ts';
import { closeDue } from './closing.ts';
import type { Obstacle } from '../accounts/leaving.ts';
import { securityNotices } from '../accounts/notices.ts';
import { storeAvatar } from '../accounts/profile.ts';
import { whoIs } from '../sign-in/sign-in.ts';
import { authWorld, contextOf, lettersOf, newestCode, refused, userWith } from '../scenarios/world.testing.ts';

const ANN = 'ann@example.org';
const GOOD = 'correct horse battery';
const DAY = 86_400_000;
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const world = authWorld();
const signUp = async (email = ANN, password?: string) => {
  await world.handlers.signUpGetOtp({ email, bot_token: 'sandbox' }, contextOf(world));
  const otp = await newestCode(world);
  const given = { email, otp, ...(password !== undefined && { password }) };
  const { access_token: token, user } = await world.handlers.signUpConfirm(given, contextOf(world));
  await advanceClock(world.db, 61_000);
  return { token, id: user.id };
};
const codeFor = async (token: string): Promise<string> => {
  await world.handlers.userEmailGetOtp({ purpose: 'close_account' }, await userWith(world, token));
  return newestCode(world);
};
const close = async (token: string, otp?: string) =>
  world.handlers.userClose({ ...(otp !== undefined && { otp }) }, await userWith(world, token));
const requested = async (password?: string) => {
  const elsewhere = await signUp(ANN, password);
  const here = await signUp();
  await close(here.token, await codeFor(here.token));
  return { ...here, elsewhere };
};
const forgotten: string[] = [];
const turn = () =>
  closeDue(world.db, {
    name: 'Kurs',
    whatIsLeft: async () => world.left,
    forget: async (_tx, { mailbox }) => void forgotten.push(mailbox ?? ''),
  });

test('closing takes a step-up and ends other sessions, and a holder who signs in can cancel it', async () => {
  const { token: before } = await signUp();
  await assert.rejects(close(before), refused('code_required'));
  await world.handlers.userEmailGetOtp({ purpose: 'money_out' }, await userWith(world, before));
  await assert.rejects(close(before, await newestCode(world)), refused('code_expired'));
  await advanceClock(world.db, 61_000);

  const { token, elsewhere } = await requested();
  assert.equal(await whoIs(world.db, elsewhere.token), undefined);
  const { closing_at } = await world.handlers.userInfo({}, await userWith(world, token));
  assert.ok(Math.abs(Date.parse(closing_at ?? '') - (await world.db.now()).getTime() - 14 * DAY) < 120_000);
  assert.match((await lettersOf(world)).at(-1)?.text ?? '', /It will be closed on .*20\d\d/);

  await advanceClock(world.db, 13 * DAY);
  assert.equal(await turn(), 0);
  const { token: again } = await signUp();
  assert.equal((await world.handlers.userCloseCancel({}, await userWith(world, again))).closing_at, null);
  assert.match((await lettersOf(world)).at(-1)?.text ?? '', /was cancelled/);
  await advanceClock(world.db, 2 * DAY);
  assert.equal(await turn(), 0);
  assert.ok(await whoIs(world.db, again));
});

for (const obstacle of [
  'account_has_money',
  'account_has_orders',
  'account_has_withdrawals',
  'account_has_business',
  'account_has_stores',
] satisfies Obstacle[]) {
  test(`it is refused while ${obstacle}, and stays open where that came meanwhile`, async () => {
    const { token } = await signUp();
    const otp = await codeFor(token);
    world.left = obstacle;
    await assert.rejects(close(token, otp), refused(obstacle));
    world.left = undefined;
    await close(token, otp);
    await assert.rejects(close(token, otp), refused('code_expired'), 'a code is good once');
    await advanceClock(world.db, 15 * DAY);
    world.left = obstacle;
    assert.equal(await turn(), 0);
    assert.match((await lettersOf(world)).at(-1)?.text ?? '', /so it stays open/);
    assert.equal((await world.handlers.userInfo({}, await userWith(world, token))).closing_at, null);
  });
}

test('a closed account contains no personal data and no way in, and its address can sign up again', async () => {
  const { token, id } = await requested(GOOD);
  await storeAvatar(world.db, id, PIXEL);
  await world.handlers.profileUpdate({ name: 'Ann Smith', timezone: 'Europe/Belgrade' }, await userWith(world, token));
  await world.handlers.generate2fa({}, await userWith(world, token));
  await world.db.run('update delivery set due_at = null, taken_at = clock_now()');
  await advanceClock(world.db, 15 * DAY);
  assert.equal((await securityNotices(world.db, id, 9)).length, 1);
  assert.equal(await turn(), 1);
  assert.equal(await turn(), 0);
  assert.deepEqual(forgotten, [ANN]);
  assert.equal(await whoIs(world.db, token), undefined);
  for (const table of ['account_holder', 'session', 'second_factor', 'avatar', 'one_time_code'])
    assert.doesNotMatch(JSON.stringify(await world.db.rows(`select * from ${table}`)), /ann|smith|belgrade|argon2/i, table);
  assert.deepEqual(await securityNotices(world.db, id, 9), []);
  // The last letter reports the closing; earlier ones are deleted.
  const letters = await lettersOf(world);
  assert.deepEqual(
    letters.map(({ recipient, subject }) => [recipient, subject]),
    [[ANN, 'Your account at Kurs is closed']],
  );
  await assert.rejects(world.handlers.login({ email: ANN, password: GOOD }, contextOf(world)), refused('login_wrong'));
  assert.notEqual((await signUp()).id, id);
});
