// Neither a password nor an authenticator can be set up by an intruder in an open session without a proof that only the holder
// has.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base32nopad } from '@scure/base';
import { advanceClock, wallClock } from '../../platform/index.ts';
import { codeOfStep, stepAt } from './totp.ts';
import { authWorld, contextOf, counting, newestCode, refused, userWith, wrongAt } from '../scenarios/world.testing.ts';

const ANN = 'ann@example.org';
const GOOD = 'correct horse battery';
const MINUTE = 60_000;

const world = authWorld();

/** Returns the context of a session that began by a mailed code some minutes ago. */
async function signedIn(minutesAgo: number, password?: string) {
  await world.handlers.signUpGetOtp({ email: ANN, bot_token: 'sandbox' }, contextOf(world));
  const otp = await newestCode(world);
  const { access_token: token } = await world.handlers.signUpConfirm(
    { email: ANN, otp, ...(password && { password }) },
    contextOf(world),
  );
  await advanceClock(world.db, minutesAgo * MINUTE);
  const as = await userWith(world, token, counting());
  const { secret } = await world.handlers.generate2fa({}, as);
  const shows = (): string => codeOfStep(base32nopad.decode(secret), stepAt(wallClock()));
  const enable = (more: { password?: string; otp?: string } = {}) =>
    world.handlers.enable2fa({ two_factor_code: shows(), ...more }, as);
  const setPassword = (more: { otp?: string } = {}) => world.handlers.changePassword({ password: GOOD, ...more }, as);
  const mailed = async (purpose: 'guard_account' | 'money_out', about?: string): Promise<string> => {
    await world.handlers.userEmailGetOtp({ purpose, ...(about && { about }) }, as);
    return newestCode(world);
  };
  const isOn = async (): Promise<boolean> => (await world.handlers.userInfo({}, as)).two_factor_enabled;
  return { as, enable, setPassword, mailed, isOn };
}

test('a holder who has just signed in is asked for nothing more', async () => {
  const { enable, setPassword, isOn } = await signedIn(9);
  await setPassword();
  assert.equal((await enable()).recovery_codes.length, 10);
  assert.equal(await isOn(), true);
});

test('later the authenticator takes the password where one is set, and no mailed code in its place', async () => {
  const { enable, mailed, isOn } = await signedIn(11, GOOD);
  await assert.rejects(enable(), wrongAt('password', 'password_needed'));
  await assert.rejects(enable({ password: 'another one of mine' }), wrongAt('password', 'password_wrong'));
  await assert.rejects(enable({ otp: await mailed('guard_account', 'two_factor') }), wrongAt('password', 'password_needed'));
  assert.equal(await isOn(), false);
  assert.equal((await enable({ password: GOOD })).recovery_codes.length, 10);
});

test('a sign-in elsewhere doesn’t make an older session recent', async () => {
  const { enable } = await signedIn(11, GOOD);
  await world.handlers.login({ email: ANN, password: GOOD }, contextOf(world));
  await assert.rejects(enable(), wrongAt('password', 'password_needed'));
});

test('passwords are not tried one after the other by it', async () => {
  const { enable } = await signedIn(11, GOOD);
  for (let tries = 0; tries < 10; tries += 1)
    await assert.rejects(enable({ password: `wrong ${tries}` }), wrongAt('password', 'password_wrong'));
  await assert.rejects(enable({ password: GOOD }), refused('rate_limited'));
});

test('without a password it takes a code mailed for this change, valid once', async () => {
  const { enable, setPassword, mailed, isOn } = await signedIn(11);
  await assert.rejects(enable(), refused('code_required'));
  await assert.rejects(enable({ otp: await mailed('money_out') }), refused('code_expired'));
  await assert.rejects(enable({ otp: await mailed('guard_account', 'password') }), refused('code_expired'));
  await advanceClock(world.db, MINUTE);
  const otp = await mailed('guard_account', 'two_factor');
  await assert.rejects(setPassword({ otp }), refused('code_wrong'));
  await assert.rejects(enable({ otp: otp === '000000' ? '000001' : '000000' }), refused('code_wrong'));
  assert.equal(await isOn(), false);
  await enable({ otp });
  assert.equal(await isOn(), true);
  const stored = await world.db.rows(
    `select 1 from one_time_code where purpose = 'guard_account' and subject like '%two_factor'`,
  );
  assert.deepEqual(stored, [], 'the code is spent');
});

test('the first password takes a mailed code, too, so that it can’t be used as a way around', async () => {
  const { setPassword, mailed } = await signedIn(11);
  await assert.rejects(setPassword(), refused('code_required'));
  await assert.rejects(world.handlers.login({ email: ANN, password: GOOD }, contextOf(world)), refused('login_wrong'));
  await setPassword({ otp: await mailed('guard_account', 'password') });
  assert.deepEqual(await world.db.rows(`select 1 from one_time_code where purpose = 'guard_account'`), [], 'the code is spent');
  await world.handlers.login({ email: ANN, password: GOOD }, contextOf(world));
});
