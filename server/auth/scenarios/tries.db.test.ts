// Mailed codes: each counts for its requester until it is used rightly, and is valid for one action only, in every call that
// takes it.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { base32nopad } from '@scure/base';
import { queuedLetters } from '../../deliveries/testing.ts';
import { writeHolderMacs } from '../testing.ts';
import { type Context, advanceClock, wallClock } from '../../platform/index.ts';
import { makeCode } from '../factors/codes.ts';
import { hashPassword } from '../factors/password.ts';
import { stepUpCode } from '../factors/step-up.ts';
import { codeOfStep, stepAt } from '../factors/totp.ts';
import { authWorld, confirmingWith, contextOf, counting, googleShows, newestCode, refused, userWith } from './world.testing.ts';

const [ANN, NEW] = ['ann@example.org', 'ann@new.example.org'];
const GOOD = 'correct horse battery';

const world = authWorld();

/** Returns a person who signed in a while ago, and a context with that session and with real limits. */
async function signedIn(email = ANN) {
  await world.handlers.signUpGetOtp({ email, bot_token: 'sandbox' }, contextOf(world));
  const otp = await newestCode(world);
  const { access_token: token, user } = await world.handlers.signUpConfirm({ email, otp }, contextOf(world));
  await advanceClock(world.db, 660_000);
  const { secret } = await world.handlers.generate2fa({}, await userWith(world, token));
  const shows = (): string => codeOfStep(base32nopad.decode(secret), stepAt(wallClock()));
  const who = await confirmingWith(world, token);
  return { ...who, id: user.id, shows, as: (more: Partial<Context> = {}) => userWith(world, token, more) };
}
type Ann = Awaited<ReturnType<typeof signedIn>>;

/** Every call of a signed-in person that takes a mailed code, with the code's purpose. */
const ACTIONS: Record<string, { purpose: string; about?: string; act(ann: Ann, otp: string, as: Context): Promise<unknown> }> = {
  userEmailVerify: { purpose: 'verify_email', act: (_ann, otp, as) => world.handlers.userEmailVerify({ otp }, as) },
  emailChange: {
    purpose: 'change_email',
    about: createHash('sha256').update(NEW).digest('hex').slice(0, 32),
    async act({ id, sessionId }, otp, as) {
      await world.db.run(`delete from one_time_code where purpose = 'new_email'`);
      const new_otp = await world.db.tx((tx) => makeCode(tx, { purpose: 'new_email', subject: `${id} ${sessionId} ${NEW}` }));
      return world.handlers.emailChange({ email: NEW, new_otp, otp }, as);
    },
  },
  userClose: { purpose: 'close_account', act: (_ann, otp, as) => world.handlers.userClose({ otp }, as) },
  enable2fa: {
    purpose: 'guard_account',
    about: 'two_factor',
    act: ({ shows }, otp, as) => world.handlers.enable2fa({ two_factor_code: shows(), otp }, as),
  },
  changePassword: {
    purpose: 'guard_account',
    about: 'password',
    act: (_ann, otp, as) => world.handlers.changePassword({ password: GOOD, otp }, as),
  },
};

for (const [name, { purpose, about, act }] of Object.entries(ACTIONS)) {
  test(`${name} takes no code that was mailed for anything else`, async () => {
    const ann = await signedIn();
    for (const other of ['verify_email', 'money_out', 'close_account', 'guard_account', 'change_email'] as const)
      for (const thing of [about, undefined, 'two_factor', 'password', 'else']) {
        if (other === purpose && (thing === about || other === 'verify_email')) continue;
        await world.db.run('delete from one_time_code');
        const code =
          other === 'verify_email'
            ? ({ purpose: other, subject: `${ann.id} ${ann.sessionId}` } as const)
            : stepUpCode(ann, { purpose: other, about: thing });
        const otp = await world.db.tx((tx) => makeCode(tx, code));
        await assert.rejects(act(ann, otp, await ann.as()), refused('code_expired'), `${other} ${thing}`);
      }
    await world.db.run('delete from one_time_code');
    const own =
      purpose === 'verify_email'
        ? { purpose, subject: `${ann.id} ${ann.sessionId}` }
        : stepUpCode(ann, { purpose: purpose as never, about });
    const otp = await world.db.tx((tx) => makeCode(tx, own as Parameters<typeof makeCode>[1]));
    await act(ann, otp, await ann.as());
  });
}

test('a session gets at most five unused codes an hour, for all purposes; another session has its own limit', async () => {
  const [ann, elsewhere] = [await signedIn(), await signedIn()];
  const asking = async (who: Ann, about: string) =>
    world.handlers.userEmailGetOtp({ purpose: 'money_out', about }, await who.as(counting()));
  for (let at = 0; at < 5; at += 1) await asking(ann, `sum ${at}`);
  await assert.rejects(asking(ann, 'another'), refused('rate_limited'));
  await asking(elsewhere, 'another');
  await advanceClock(world.db, 3_601_000);
  await asking(ann, 'another');
});

test('concurrent requests get no more codes', async () => {
  const ann = await signedIn();
  const as = await ann.as();
  const asks = Array.from({ length: 20 }, (_, at) =>
    world.handlers.userEmailGetOtp({ purpose: 'money_out', about: `sum ${at}` }, as),
  );
  const mailed = (await Promise.allSettled(asks)).filter(({ status }) => status === 'fulfilled');
  assert.equal(mailed.length, 5);
});

test('a used code no longer counts', async () => {
  const ann = await signedIn();
  for (let at = 0; at < 12; at += 1) {
    await world.handlers.userEmailGetOtp({ purpose: 'verify_email' }, await ann.as());
    await world.handlers.userEmailVerify({ otp: await newestCode(world) }, await ann.as());
  }
});

test('sessions that only a password began share one limit, apart from the holder’s own', async () => {
  const ann = await signedIn();
  await world.db.run('update account_holder set password_hash = $1', [await hashPassword(GOOD)]);
  await writeHolderMacs(world.db);
  const byPassword = async () => (await world.handlers.login({ email: ANN, password: GOOD }, contextOf(world))).access_token;
  const asking = async (token: string, about: string) =>
    world.handlers.userEmailGetOtp({ purpose: 'money_out', about }, await userWith(world, token));
  for (let at = 0; at < 5; at += 1) await asking(await byPassword(), `sum ${at}`);
  await assert.rejects(
    byPassword().then((token) => asking(token, 'another')),
    refused('rate_limited'),
  );
  await world.handlers.userEmailGetOtp({ purpose: 'money_out', about: 'hers' }, await ann.as());
});

test('codes for Google sign-ins count per Google account, not per address', async () => {
  await signedIn();
  const [stranger, ann] = [{ sub: 'a stranger’s', hd: undefined }, { hd: undefined }];
  const shown = await googleShows(world, ANN, stranger);
  for (let at = 0; at < 5; at += 1) {
    await world.handlers.googleGetOtp(shown, contextOf(world, counting()));
    await advanceClock(world.db, 61_000);
  }
  await assert.rejects(world.handlers.googleGetOtp(shown, contextOf(world)), refused('rate_limited'));
  await world.handlers.googleGetOtp(await googleShows(world, ANN, ann), contextOf(world));
});

test('robots are mailed no code', async () => {
  for (const call of [world.handlers.signUpGetOtp, world.handlers.forgotPasswordGetOtp]) {
    await assert.rejects(call({ email: NEW, bot_token: 'none' }, contextOf(world)), refused('bot_check_failed'));
    await assert.rejects(call({ email: NEW } as never, contextOf(world)), refused('bot_check_required'));
  }
});

test('a code to the new mailbox is valid only for the account that requested it', async () => {
  const [ann, bob] = [await signedIn(), await signedIn('bob@example.org')];
  await world.handlers.emailChangeGetOtp({ email: NEW }, await ann.as());
  const letters = await queuedLetters(world.db, { to: NEW });
  const new_otp = /^\d{6}$/m.exec(letters.at(-1)?.text ?? '')?.[0] as string;
  const about = createHash('sha256').update(NEW).digest('hex').slice(0, 32);
  const confirmed = stepUpCode(bob, { purpose: 'change_email', about });
  const otp = await world.db.tx((tx) => makeCode(tx, confirmed));
  const taking = world.handlers.emailChange({ email: NEW, new_otp, otp }, await bob.as());
  await assert.rejects(taking, refused('code_expired'));
});
