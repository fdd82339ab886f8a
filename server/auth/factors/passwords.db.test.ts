// Passwords: signing in, the sessions that a change ends, the freeze after a reset, and that nobody is locked out or reveals an
// account.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeHolderMacs } from '../testing.ts';
import { type Context, advanceClock } from '../../platform/index.ts';
import { freezeOf } from '../accounts/freeze.ts';
import { securityNotices } from '../accounts/notices.ts';
import { hashPassword } from './password.ts';
import { whoIs } from '../sign-in/sign-in.ts';
import { authWorld, contextOf, counting, lettersOf, newestCode, refused, userWith, wrongAt } from '../scenarios/world.testing.ts';

const ANN = 'ann@example.org';
const GOOD = 'correct horse battery';
const NEXT = 'staple of another kind';

const world = authWorld();
const signUp = async (email = ANN, password?: string) => {
  await world.handlers.signUpGetOtp({ email, bot_token: 'sandbox' }, contextOf(world));
  const otp = await newestCode(world);
  return world.handlers.signUpConfirm({ email, otp, ...(password !== undefined && { password }) }, contextOf(world));
};
const logIn = (email: string, password: string, more: Partial<Context> = {}, bot_token?: string) =>
  world.handlers.login({ email, password, ...(bot_token !== undefined && { bot_token }) }, contextOf(world, more));
const reset = async (email: string, password: string) => {
  await world.handlers.forgotPasswordGetOtp({ email, bot_token: 'sandbox' }, contextOf(world));
  const otp = await newestCode(world);
  return world.handlers.forgotPasswordConfirm({ email, otp, password }, contextOf(world));
};

test('an account that is made with a password is opened by it, and each time by a new token', async () => {
  const { access_token: first, user } = await signUp(ANN, GOOD);
  assert.equal(user.password_set, true);
  const { access_token: second } = await logIn('ANN@example.org', GOOD);
  assert.notEqual(second, first);
  assert.equal((await whoIs(world.db, second))?.holder.id, user.id);
});

test('notifies rooms above of a session that begins with a password', async () => {
  await signUp(ANN, GOOD);
  await logIn(ANN, GOOD);
  assert.deepEqual(world.requested.signedIn, [ANN, ANN]);
});

test('an unknown address, a wrong password and an account without one are answered the same', async () => {
  await signUp(ANN, GOOD);
  await signUp('bob@example.org');
  const answers = await Promise.all(
    [
      ['nobody@example.org', GOOD],
      [ANN, NEXT],
      ['bob@example.org', GOOD],
    ].map(([email, password]) => logIn(email as string, password as string).catch((error: unknown) => error)),
  );
  for (const answer of answers) assert.ok(refused('login_wrong')(answer));
  const [one, ...others] = answers.map((answer) => JSON.stringify({ ...(answer as object) }));
  for (const other of others) assert.equal(other, one);
});

test('the time doesn’t tell them apart either: the same work is done for each', async () => {
  await signUp(ANN, GOOD);
  await signUp('bob@example.org');
  const fastest: Record<string, number> = { [ANN]: Infinity, 'nobody@example.org': Infinity, 'bob@example.org': Infinity };
  // Alternately, so that other load on the machine slows all of them.
  for (let run = 0; run < 6; run += 1)
    for (const email of Object.keys(fastest)) {
      const begin = performance.now();
      await assert.rejects(logIn(email, NEXT), refused('login_wrong'));
      fastest[email] = Math.min(fastest[email] as number, performance.now() - begin);
    }
  // Without the hashing an answer would take a tenth of that.
  for (const [email, took] of Object.entries(fastest))
    assert.ok(took > (fastest[ANN] as number) / 4, `${email}: ${took} ms against ${fastest[ANN]} ms`);
});

test('a code signs in to an account that is there, and never changes its password', async () => {
  await signUp(ANN, GOOD);
  await advanceClock(world.db, 61_000);
  await assert.rejects(signUp(ANN, NEXT), wrongAt('password', 'password_account_exists'));
  await assert.rejects(logIn(ANN, NEXT), refused('login_wrong'));
  await logIn(ANN, GOOD);
});

test('a common password and the address itself are refused on every way in', async () => {
  await world.handlers.signUpGetOtp({ email: ANN, bot_token: 'sandbox' }, contextOf(world));
  const otp = await newestCode(world);
  const confirm = (password: string) => world.handlers.signUpConfirm({ email: ANN, otp, password }, contextOf(world));
  await assert.rejects(confirm('password123'), wrongAt('password', 'password_common'));
  await assert.rejects(confirm(ANN), wrongAt('password', 'password_is_address'));
  const { access_token: token } = await confirm(GOOD);
  const change = async (password: string) =>
    world.handlers.changePassword({ current_password: GOOD, password }, await userWith(world, token));
  await assert.rejects(change('password123'), wrongAt('password', 'password_common'));
  await assert.rejects(reset(ANN, 'password123'), wrongAt('password', 'password_common'));
});

test('a password reset ends every session, freezes withdrawals for three days and is notified by letter', async () => {
  const { access_token: before, user } = await signUp(ANN, GOOD);
  const { access_token: elsewhere } = await logIn(ANN, GOOD);
  const { access_token: after, user: shown } = await reset(ANN, NEXT);
  for (const token of [before, elsewhere]) assert.equal(await whoIs(world.db, token), undefined);
  assert.equal((await whoIs(world.db, after))?.holder.id, user.id);
  await assert.rejects(logIn(ANN, GOOD), refused('login_wrong'));
  await logIn(ANN, NEXT);

  const now = await world.db.now();
  const held = await freezeOf(world.db, user.id, now);
  assert.equal(held?.reason, 'password_reset');
  const hours = ((held?.until.getTime() ?? 0) - now.getTime()) / 3_600_000;
  assert.ok(hours > 71.9 && hours <= 72, `${hours} h`);
  assert.equal(shown.frozen_until, held?.until.toISOString());
  assert.equal(shown.frozen_because, 'password_reset');
  const letter = (await lettersOf(world)).at(-1);
  assert.match(letter?.text ?? '', /no money can be withdrawn until \w+/);
  assert.match(letter?.text ?? '', /203\.0\.113\.7/);

  await advanceClock(world.db, 3 * 86_400_000 + 1_000);
  assert.equal(await freezeOf(world.db, user.id, await world.db.now()), undefined);
  assert.equal((await world.handlers.userInfo({}, await userWith(world, after))).frozen_until, null);
});

test('an address without an account is answered and mailed the same; its code makes an account that is not frozen', async () => {
  await signUp(ANN, GOOD);
  await world.db.run('delete from mail');
  const ask = (email: string) => world.handlers.forgotPasswordGetOtp({ email, bot_token: 'sandbox' }, contextOf(world));
  const reported = ({ handle, ...rest }: Awaited<ReturnType<typeof ask>>) => [handle.length, rest];
  assert.deepEqual(reported(await ask(ANN)), reported(await ask('new@example.org')));
  const [known, unknown] = (await lettersOf(world)).map(({ subject, text }) => [subject, text.replace(/\d{6}/, '')]);
  assert.deepEqual(known, unknown);
  const otp = await newestCode(world);
  const { user } = await world.handlers.forgotPasswordConfirm(
    { email: 'new@example.org', otp, password: NEXT },
    contextOf(world),
  );
  assert.equal(user.frozen_until, null);
  await logIn('new@example.org', NEXT);
});

test('a code to sign in by sets no password, and one for a password signs nobody in', async () => {
  await signUp(ANN, GOOD);
  await advanceClock(world.db, 61_000);
  await world.handlers.signUpGetOtp({ email: ANN, bot_token: 'sandbox' }, contextOf(world));
  const signInCode = await newestCode(world);
  await assert.rejects(
    world.handlers.forgotPasswordConfirm({ email: ANN, otp: signInCode, password: NEXT }, contextOf(world)),
    refused('code_expired'),
  );
  await world.handlers.forgotPasswordGetOtp({ email: ANN, bot_token: 'sandbox' }, contextOf(world));
  const resetCode = await newestCode(world);
  await world.db.run("delete from one_time_code where purpose = 'sign_up'");
  await assert.rejects(world.handlers.signUpConfirm({ email: ANN, otp: resetCode }, contextOf(world)), refused('code_expired'));
});

test('a password is set without one and changed with the current one; other devices are signed out and a letter tells of it', async () => {
  const { access_token: here } = await signUp();
  await advanceClock(world.db, 61_000);
  const { access_token: elsewhere } = await signUp();
  const change = async (input: { current_password?: string; password: string }, token = here) =>
    world.handlers.changePassword(input, await userWith(world, token));
  await change({ password: GOOD });
  assert.ok(await whoIs(world.db, here));
  assert.equal(await whoIs(world.db, elsewhere), undefined);
  assert.match((await lettersOf(world)).at(-1)?.subject ?? '', /now has a password/);

  await assert.rejects(change({ password: NEXT }), wrongAt('current_password', 'password_needed'));
  await assert.rejects(change({ current_password: NEXT, password: NEXT }), wrongAt('current_password', 'password_wrong'));
  await change({ current_password: GOOD, password: NEXT });
  assert.match((await lettersOf(world)).at(-1)?.subject ?? '', /was changed/);
  const { user } = await userWith(world, here);
  const reported = await securityNotices(world.db, user?.id ?? '', 9);
  assert.deepEqual(reported.map(({ kind, ip }) => [kind, ip]).toSorted(), [
    ['password_changed', '203.0.113.7'],
    ['password_set', '203.0.113.7'],
  ]);
  await assert.rejects(logIn(ANN, GOOD), refused('login_wrong'));
  await logIn(ANN, NEXT);
});

test('a current password is not guessed by somebody who found a session open', async () => {
  const { access_token: token } = await signUp(ANN, GOOD);
  const as = await userWith(world, token, counting());
  const change = (current_password: string) => world.handlers.changePassword({ current_password, password: NEXT }, as);
  for (let tries = 0; tries < 10; tries += 1)
    await assert.rejects(change(`wrong ${tries}`), wrongAt('current_password', 'password_wrong'));
  await assert.rejects(change(GOOD), refused('rate_limited'));
});

test('after ten tries for an address each costs a bot check, and with one the owner still gets in', async () => {
  await signUp(ANN, GOOD);
  const limits = counting();
  for (let tries = 0; tries < 10; tries += 1) await assert.rejects(logIn(ANN, NEXT, limits), refused('login_wrong'));
  assert.deepEqual(world.requested.bot, ['sandbox'], 'only the code was asked for one');
  await assert.rejects(logIn(ANN, GOOD, limits), refused('bot_check_required'));
  // Other spellings of a mailbox share its counter.
  await assert.rejects(logIn('Ann+1@example.org', GOOD, limits), refused('bot_check_required'));
  await assert.rejects(logIn(ANN, GOOD, limits, 'none'), refused('bot_check_failed'));
  await assert.rejects(logIn(ANN, NEXT, limits, 'solved'), refused('login_wrong'));
  await logIn(ANN, GOOD, limits, 'solved');
});

test('a network that tries many addresses pays for each', async () => {
  const limits = counting();
  const tries = Array.from({ length: 30 }, (_, at) => logIn(`nobody${at}@example.org`, GOOD, limits));
  for (const tried of await Promise.allSettled(tries)) assert.ok(refused('login_wrong')((tried as PromiseRejectedResult).reason));
  await assert.rejects(logIn('another@example.org', GOOD, limits), refused('bot_check_required'));
});

test('a password that was hashed with less work is hashed anew as its owner signs in', async () => {
  const { user } = await signUp(ANN, GOOD);
  const stored = async (): Promise<string> =>
    (await world.db.row<{ stored: string }>('select password_hash as stored from account_holder where id = $1', [user.id]))
      ?.stored ?? '';
  const old = await hashPassword(GOOD, { memory: 64, passes: 1, lanes: 1 });
  await world.db.run('update account_holder set password_hash = $2 where id = $1', [user.id, old]);
  await writeHolderMacs(world.db);
  await assert.rejects(logIn(ANN, NEXT), refused('login_wrong'));
  assert.equal(await stored(), old);
  await logIn(ANN, GOOD);
  assert.match(await stored(), /m=19456,t=2,p=1/);
  await logIn(ANN, GOOD);
});

test('a sign-in on a new device is notified once', async () => {
  await signUp(ANN, GOOD);
  const notices = async (): Promise<number> =>
    (await lettersOf(world)).filter(({ subject }) => subject.startsWith('Sign-in from a new device')).length;
  await logIn(ANN, GOOD);
  assert.equal(await notices(), 0, 'neither the first device nor the same again');
  await logIn(ANN, GOOD, { userAgent: 'Another browser', ip: '198.51.100.9' });
  assert.equal(await notices(), 1);
  assert.match((await lettersOf(world)).at(-1)?.text ?? '', /198\.51\.100\.9/);
  await logIn(ANN, GOOD, { userAgent: 'Another browser' });
  assert.equal(await notices(), 1);
});

test('a password can not be read from the database or a letter', async () => {
  await signUp(ANN, GOOD);
  const rows = [await world.db.rows('select * from account_holder'), await world.db.rows('select * from mail')];
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(GOOD));
});
