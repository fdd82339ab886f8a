// Step-ups of an account holder, and the list of sessions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base32nopad } from '@scure/base';
import { writeHolderMacs } from '../testing.ts';
import { advanceClock, wallClock } from '../../platform/index.ts';
import { testSealer } from '../../platform/testing.ts';
import { whoIs } from '../sign-in/sign-in.ts';
import { type StepUpFor, spendStep, stepUp } from './step-up.ts';
import { codeOfStep, stepAt } from './totp.ts';
import { authWorld, confirmingWith, contextOf, newestCode, refused, userWith } from '../scenarios/world.testing.ts';

const world = authWorld();
const signUp = async (email: string) => {
  await world.handlers.signUpGetOtp({ email, bot_token: 'sandbox' }, contextOf(world));
  const otp = await newestCode(world);
  const { access_token: token, user } = await world.handlers.signUpConfirm({ email, otp }, contextOf(world));
  return { token, id: user.id };
};
const mailed = async (token: string, about?: string): Promise<string> => {
  const purpose = 'money_out' as const;
  await world.handlers.userEmailGetOtp({ purpose, ...(about !== undefined && { about }) }, await userWith(world, token));
  return newestCode(world);
};
const confirm = async (
  token: string,
  given: { otp?: string; two_factor_code?: string },
  what: StepUpFor = { purpose: 'money_out' },
) => {
  const who = await confirmingWith(world, token);
  const steppedUp = await stepUp({ db: world.db, sealer: testSealer }, who, given, what);
  await world.db.tx((tx) => spendStep(tx, steppedUp));
};

test('without a second factor a mailed code confirms once, for its account, purpose and object', async () => {
  const ann = await signUp('ann@example.org');
  const bob = await signUp('bob@example.org');
  await assert.rejects(confirm(ann.token, {}), refused('code_required'));
  const otp = await mailed(ann.token, 'order-1');
  await assert.rejects(confirm(bob.token, { otp }, { purpose: 'money_out', about: 'order-1' }), refused('code_expired'));
  await assert.rejects(confirm(ann.token, { otp }), refused('code_expired'));
  await assert.rejects(confirm(ann.token, { otp }, { purpose: 'money_out', about: 'order-2' }), refused('code_expired'));
  const duplicates = await Promise.allSettled(
    [1, 2].map(() => confirm(ann.token, { otp }, { purpose: 'money_out', about: 'order-1' })),
  );
  assert.equal(duplicates.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('a code is valid only in the session that requested it', async () => {
  const ann = await signUp('ann@example.org');
  await advanceClock(world.db, 61_000);
  const elsewhere = await signUp('ann@example.org');
  assert.equal(elsewhere.id, ann.id);
  const otp = await mailed(ann.token, 'order-1');
  const what = { purpose: 'money_out', about: 'order-1' } as const;
  await assert.rejects(confirm(elsewhere.token, { otp }, what), refused('code_expired'));
  await confirm(ann.token, { otp }, what);
  await world.handlers.userEmailGetOtp({ purpose: 'verify_email' }, await userWith(world, ann.token));
  const verifying = await newestCode(world);
  const verify = async (token: string) => world.handlers.userEmailVerify({ otp: verifying }, await userWith(world, token));
  await assert.rejects(verify(elsewhere.token), refused('code_expired'));
  await verify(ann.token);
});

test('a code that signs in or verifies an address confirms no money, nor the other way round', async () => {
  const { token } = await signUp('ann@example.org');
  await world.handlers.userEmailGetOtp({ purpose: 'verify_email' }, await userWith(world, token));
  const verifying = await newestCode(world);
  await assert.rejects(confirm(token, { otp: verifying }), refused('code_expired'));
  const paying = await mailed(token);
  await world.db.run("delete from one_time_code where purpose = 'verify_email'");
  const verify = async (otp: string) => world.handlers.userEmailVerify({ otp }, await userWith(world, token));
  await assert.rejects(verify(paying), refused('code_expired'));
  // A row that is moved to another purpose by SQL isn't valid there either.
  await world.db.run("update one_time_code set purpose = 'verify_email'");
  await assert.rejects(verify(paying), refused('code_wrong'));
  await world.db.run('update account_holder set email_verified_at = null');
  await writeHolderMacs(world.db);
  await advanceClock(world.db, 61_000);
  await world.handlers.userEmailGetOtp({ purpose: 'verify_email' }, await userWith(world, token));
  assert.deepEqual(await verify(await newestCode(world)), { email_verified: 1 });
  assert.equal((await world.handlers.userInfo({}, await userWith(world, token))).email_verified, 1);
});

test('with a second factor its code confirms, and neither a mailed nor a recovery code does', async () => {
  const { token } = await signUp('ann@example.org');
  const otp = await mailed(token);
  const who = await confirmingWith(world, token);
  const before = await stepUp({ db: world.db, sealer: testSealer }, who, { otp }, { purpose: 'money_out' });
  const { secret: written } = await world.handlers.generate2fa({}, await userWith(world, token));
  const shows = (by: number) => codeOfStep(base32nopad.decode(written), stepAt(wallClock()) + by);
  const { recovery_codes: codes } = await world.handlers.enable2fa({ two_factor_code: shows(0) }, await userWith(world, token));
  await assert.rejects(confirm(token, { otp }), refused('two_factor_required'));
  await assert.rejects(
    world.db.tx((tx) => spendStep(tx, before)),
    refused('two_factor_required'),
  );
  await assert.rejects(confirm(token, { otp, two_factor_code: codes[0] as string }), refused('two_factor_wrong'));
  await confirm(token, { two_factor_code: shows(1) });
  await assert.rejects(confirm(token, { two_factor_code: shows(1) }), refused('two_factor_wrong'));
});

test('a holder lists and ends only their own sessions', async () => {
  const here = await signUp('ann@example.org');
  await advanceClock(world.db, 61_000);
  const there = await signUp('ann@example.org');
  const bob = await signUp('bob@example.org');
  const list = async (token: string) => world.handlers.userSessions({}, await userWith(world, token));
  const listed = await list(here.token);
  assert.deepEqual(listed.map(({ current }) => current).sort(), [false, true]);
  assert.ok(listed.every(({ device, ip }) => device === 'Some browser' && ip === '203.0.113.7'));
  assert.doesNotMatch(JSON.stringify(listed), /kurs_s_/);

  const [bobs] = await list(bob.token);
  const end = async (id: string) => world.handlers.userSessionsEnd({ id }, await userWith(world, here.token));
  await assert.rejects(end(bobs?.id as string), refused('not_found'));
  assert.ok(await whoIs(world.db, bob.token));
  await end(listed.find(({ current }) => !current)?.id as string);
  assert.equal(await whoIs(world.db, there.token), undefined);

  await advanceClock(world.db, 61_000);
  const again = await signUp('ann@example.org');
  await world.handlers.userSessionsEndOthers({}, await userWith(world, again.token));
  assert.equal(await whoIs(world.db, here.token), undefined);
  assert.ok(await whoIs(world.db, again.token));
  assert.ok(await whoIs(world.db, bob.token));
  await advanceClock(world.db, 31 * 86_400_000);
  const later = await signUp('ann@example.org');
  assert.equal((await list(later.token)).length, 1, 'what is over by its age is not shown');
});
