// The second factor: required on every way in, each code valid once, protected against guessing, switched off by its owner only.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { base32nopad } from '@scure/base';
import { writeHolderMacs } from '../testing.ts';
import { advanceClock, wallClock } from '../../platform/index.ts';
import { freezeOf } from '../accounts/freeze.ts';
import { authorise, signIn, whoIs } from '../sign-in/sign-in.ts';
import { holderById, storedHash } from '../accounts/store.ts';
import { dropSecondFactor, enableSecondFactor, isSecondFactorOn, spendFactor, tryFactor } from './second-factor.ts';
import { codeOfStep, stepAt } from './totp.ts';
import {
  authWorld,
  contextOf,
  counting,
  googleShows,
  lettersOf,
  linkedBy,
  newestCode,
  readAll,
  refused,
  userWith,
  wrongAt,
} from '../scenarios/world.testing.ts';
import { testSealer } from '../../platform/testing.ts';

const ANN = 'ann@example.org';
const GOOD = 'correct horse battery';
const NEXT = 'staple of another kind';

const world = authWorld();
const sessions = async (): Promise<number> => (await world.db.rows('select 1 from session where ended_at is null')).length;

/** An account with a password and an authenticator; each code it shows is of a step of its own. */
async function guarded(email = ANN) {
  await world.handlers.signUpGetOtp({ email, bot_token: 'sandbox' }, contextOf(world));
  const otp = await newestCode(world);
  const { access_token: token, user } = await world.handlers.signUpConfirm({ email, otp, password: GOOD }, contextOf(world));
  const { secret: written } = await world.handlers.generate2fa({}, await userWith(world, token));
  const secret = base32nopad.decode(written);
  const shows = (by = 0): string => codeOfStep(secret, stepAt(wallClock()) + by);
  const { recovery_codes: codes } = await world.handlers.enable2fa({ two_factor_code: shows() }, await userWith(world, token));
  // Makes the next code acceptable, as if time had passed.
  const forget = async () => {
    await world.db.run('update second_factor set last_step = 0 where holder_id = $1', [user.id]);
    await writeHolderMacs(world.db);
    await world.db.run('delete from factor_tries where holder_id = $1', [user.id]);
  };
  await forget();
  await advanceClock(world.db, 61_000);
  return { token, user, secret, shows, codes, forget };
}

type Way = (two_factor_code?: string) => Promise<{ access_token: string }>;

/** Every call that returns a token, after its first factor was proved. */
const WAYS: Record<string, (email: string) => Promise<Way>> = {
  login: async (email) => (code) =>
    world.handlers.login({ email, password: GOOD, ...(code && { two_factor_code: code }) }, contextOf(world)),
  signUpConfirm: async (email) => {
    await world.handlers.signUpGetOtp({ email, bot_token: 'sandbox' }, contextOf(world));
    const otp = await newestCode(world);
    return (code) => world.handlers.signUpConfirm({ email, otp, ...(code && { two_factor_code: code }) }, contextOf(world));
  },
  googleLogin: async (email) => {
    const shown = await googleShows(world, email);
    await linkedBy(world, email, shown);
    return (code) => world.handlers.googleLogin({ ...shown, two_factor_code: code ?? '' }, contextOf(world));
  },
  forgotPasswordConfirm: async (email) => {
    await world.handlers.forgotPasswordGetOtp({ email, bot_token: 'sandbox' }, contextOf(world));
    const otp = await newestCode(world);
    return (code) =>
      world.handlers.forgotPasswordConfirm(
        { email, otp, password: NEXT, ...(code && { two_factor_code: code }) },
        contextOf(world),
      );
  },
};

for (const [name, open] of Object.entries(WAYS)) {
  test(`${name} lets nobody in without the second factor, and with it does`, async () => {
    const { shows, forget } = await guarded();
    const way = await open(ANN);
    const before = await sessions();
    await assert.rejects(way(), refused('two_factor_required'));
    await assert.rejects(way('000000' === shows() ? '000001' : '000000'), refused('two_factor_wrong'));
    assert.equal(await sessions(), before, 'no session began, none ended');
    await assert.rejects(world.handlers.login({ email: ANN, password: NEXT }, contextOf(world)), refused('login_wrong'));
    await forget();
    const { access_token: token } = await way(shows());
    assert.ok(await whoIs(world.db, token));
  });
}

test('every call that gives a token is one of the ways above, and sessions are written in one file', async () => {
  const { routes } = await import('@kurs/contract');
  const giving = Object.entries(routes).flatMap(([name, { output }]) =>
    'shape' in output && 'access_token' in (output.shape as object) ? [name] : [],
  );
  assert.deepEqual(giving.sort(), Object.keys(WAYS).sort());
  const writing = globSync('server/**/*.ts', { cwd: new URL('../../..', import.meta.url) }).filter(
    (file) =>
      !file.includes('test') &&
      readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8').includes('insert into session'),
  );
  assert.deepEqual(writing, ['server/auth/sign-in/sign-in.ts']);
});

test('linking Google takes the account’s second factor, too', async () => {
  const { user, shows, forget } = await guarded();
  const shown = await googleShows(world, ANN);
  await world.handlers.googleGetOtp(shown, contextOf(world));
  const otp = await newestCode(world);
  const login = (more: object) => world.handlers.googleLogin({ ...shown, ...more }, contextOf(world));
  for (const proof of [{ otp }, { password: GOOD }]) {
    await assert.rejects(login(proof), refused('two_factor_required'));
    await assert.rejects(
      login({ ...proof, two_factor_code: shows() === '000000' ? '000001' : '000000' }),
      refused('two_factor_wrong'),
    );
    await assert.rejects(login({}), refused('google_proof_required'), 'nothing was linked');
  }
  await forget();
  assert.equal((await login({ otp, two_factor_code: shows() })).user.id, user.id);
});

test('a password reset keeps the second factor on', async () => {
  const { user, shows, forget } = await guarded();
  await (
    await WAYS['forgotPasswordConfirm']?.(ANN)
  )?.(shows());
  await forget();
  await assert.rejects(world.handlers.login({ email: ANN, password: NEXT }, contextOf(world)), refused('two_factor_required'));
  assert.equal((await holderById(world.db, user.id))?.hasSecondFactor, true);
});

test('a code that two people use lets one of them in', async () => {
  const { user, shows, codes } = await guarded();
  const holder = await holderById(world.db, user.id);
  assert.ok(holder);
  const device = { holder, device: 'd', ip: '203.0.113.7', name: 'Kurs' };
  for (const code of [shows(), codes[0]]) {
    const show = () => authorise({ db: world.db, sealer: testSealer }, { by: 'mailbox', holder }, code);
    const [one, other] = [await show(), await show()];
    await world.db.tx((tx) => signIn(tx, one, device));
    await assert.rejects(
      world.db.tx((tx) => signIn(tx, other, device)),
      refused('two_factor_wrong'),
    );
  }
});

test('a code is accepted once: not twice, not by concurrent duplicates, and none older than the last', async () => {
  const { shows, secret } = await guarded();
  const login = (two_factor_code: string) =>
    world.handlers.login({ email: ANN, password: GOOD, two_factor_code }, contextOf(world));
  const step = stepAt(wallClock());
  const code = shows(1);
  const duplicates = await Promise.allSettled([login(code), login(code), login(code)]);
  assert.equal(duplicates.filter(({ status }) => status === 'fulfilled').length, 1);
  await assert.rejects(login(code), refused('two_factor_wrong'));
  await assert.rejects(login(codeOfStep(secret, step)), refused('two_factor_wrong'));
});

test('after five wrong codes the next waits a quarter of an hour, a right one too', async () => {
  const { shows, codes } = await guarded();
  const login = (two_factor_code: string) =>
    world.handlers.login({ email: ANN, password: GOOD, two_factor_code }, contextOf(world));
  const wrong = codes[0]?.replace(/^./, (first) => (first === '7' ? '8' : '7')) as string;
  for (let tries = 0; tries < 5; tries += 1) await assert.rejects(login(wrong), refused('two_factor_wrong'));
  await assert.rejects(login(shows()), refused('rate_limited'));
  await assert.rejects(login(codes[0] as string), refused('rate_limited'));
  await advanceClock(world.db, 800_000);
  await assert.rejects(login(shows()), refused('rate_limited'));
  await advanceClock(world.db, 101_000);
  await login(shows());
});

test('a recovery code works once, freezes withdrawals for five days, and is notified by letter', async () => {
  const { user, codes } = await guarded();
  const login = (two_factor_code: string) =>
    world.handlers.login({ email: ANN, password: GOOD, two_factor_code }, contextOf(world));
  const code = codes[3] as string;
  const [let_in, again] = await Promise.allSettled([login(code.toLowerCase()), login(code)]);
  assert.deepEqual([let_in.status, again.status].sort(), ['fulfilled', 'rejected']);
  await assert.rejects(login(code), refused('two_factor_wrong'));
  const now = await world.db.now();
  const held = await freezeOf(world.db, user.id, now);
  assert.equal(held?.reason, 'recovery_code');
  const days = ((held?.until.getTime() ?? 0) - now.getTime()) / 86_400_000;
  assert.ok(days > 4.99 && days <= 5, `${days} days`);
  const letters = (await lettersOf(world)).filter(({ subject }) => subject.startsWith('A recovery code was used'));
  assert.equal(letters.length, 1);
  assert.match(letters[0]?.text ?? '', /no money can be withdrawn until/);
  await login(codes[4] as string);
  const { access_token: token } = await login(codes[5] as string);
  const shown = await world.handlers.userInfo({}, await userWith(world, token));
  assert.equal(shown.two_factor_enabled, true);
  assert.equal(shown.recovery_codes_left, 7);
});

test('a shorter freeze doesn’t shorten a longer one', async () => {
  const { user, codes, shows, forget } = await guarded();
  await world.handlers.login({ email: ANN, password: GOOD, two_factor_code: codes[0] as string }, contextOf(world));
  const before = await freezeOf(world.db, user.id, await world.db.now());
  await forget();
  await (
    await WAYS['forgotPasswordConfirm']?.(ANN)
  )?.(shows());
  assert.deepEqual(await freezeOf(world.db, user.id, await world.db.now()), before);
});

test('switching it off takes a code and the password; a stolen session is not enough; withdrawals wait and a letter tells', async () => {
  const { token, user, shows, codes, forget } = await guarded();
  const disable = async (input: { two_factor_code: string; password?: string }) =>
    world.handlers.disable2fa(input, await userWith(world, token));
  await assert.rejects(disable({ two_factor_code: shows() }), wrongAt('password', 'password_needed'));
  await assert.rejects(disable({ two_factor_code: shows(), password: NEXT }), wrongAt('password', 'password_wrong'));
  await assert.rejects(
    disable({ two_factor_code: codes[0]?.replace(/^./, '-') as string, password: GOOD }),
    refused('two_factor_wrong'),
  );
  const begin = async () => world.handlers.generate2fa({}, await userWith(world, token));
  await assert.rejects(begin(), refused('two_factor_on'), 'no other authenticator takes its place');
  assert.equal((await holderById(world.db, user.id))?.hasSecondFactor, true);
  await forget();
  await disable({ two_factor_code: shows(), password: GOOD });
  await world.handlers.login({ email: ANN, password: GOOD }, contextOf(world));
  const [now, held] = [await world.db.now(), await freezeOf(world.db, user.id, await world.db.now())];
  assert.equal(held?.reason, 'two_factor_off');
  assert.ok(Math.abs((held?.until.getTime() ?? 0) - now.getTime() - 5 * 86_400_000) < 60_000, 'five days');
  assert.match((await lettersOf(world)).at(-1)?.subject ?? '', /is off/);
  await assert.rejects(disable({ two_factor_code: codes[1] as string, password: GOOD }), refused('two_factor_off'));
  assert.match((await begin()).qr, /^<svg [^>]+>.*<\/svg>$/);
});

test('the code that switches it on signs nobody in, and passwords are not tried one after the other to switch it off', async () => {
  const { token, shows, forget } = await guarded();
  await world.handlers.disable2fa({ two_factor_code: shows(), password: GOOD }, await userWith(world, token));
  const { secret: written } = await world.handlers.generate2fa({}, await userWith(world, token));
  const code = codeOfStep(base32nopad.decode(written), stepAt(wallClock()));
  await world.handlers.enable2fa({ two_factor_code: code, password: GOOD }, await userWith(world, token));
  const login = { email: ANN, password: GOOD, two_factor_code: code };
  await assert.rejects(world.handlers.login(login, contextOf(world)), refused('two_factor_wrong'));
  await forget();
  const as = await userWith(world, token, counting());
  const disable = (password: string) => world.handlers.disable2fa({ two_factor_code: '000000', password }, as);
  for (let tries = 0; tries < 10; tries += 1) await assert.rejects(disable(NEXT), wrongAt('password', 'password_wrong'));
  await assert.rejects(disable(GOOD), refused('rate_limited'));
});

test('an unconfirmed secret is never required, and is confirmed by its own code only', async () => {
  await world.handlers.signUpGetOtp({ email: ANN, bot_token: 'sandbox' }, contextOf(world));
  const otp = await newestCode(world);
  const { access_token: token } = await world.handlers.signUpConfirm({ email: ANN, otp, password: GOOD }, contextOf(world));
  const user = () => userWith(world, token);
  const enable = async (two_factor_code: string) => world.handlers.enable2fa({ two_factor_code }, await user());
  await assert.rejects(enable('123456'), refused('two_factor_off'));
  const { secret: first } = await world.handlers.generate2fa({}, await user());
  const { secret: second } = await world.handlers.generate2fa({}, await user());
  assert.notEqual(first, second);
  await world.handlers.login({ email: ANN, password: GOOD }, contextOf(world));
  const shows = (secret: string) => codeOfStep(base32nopad.decode(secret), stepAt(wallClock()));
  await assert.rejects(enable(shows(first)), refused('two_factor_wrong'));
  const duplicates = await Promise.allSettled([enable(shows(second)), enable(shows(second))]);
  assert.equal(duplicates.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.equal((await world.db.rows('select 1 from recovery_code')).length, 10);
  assert.match((await lettersOf(world)).at(-1)?.subject ?? '', /is on/);
});

test('a factor checked before a change is refused after it', async () => {
  const { user, token, shows } = await guarded();
  const holder = await holderById(world.db, user.id);
  assert.ok(holder);
  const deps = { db: world.db, sealer: testSealer };
  const begin = (leave: Awaited<ReturnType<typeof authorise>>) =>
    world.db.tx((tx) => signIn(tx, leave, { holder, device: 'd', ip: '203.0.113.7', name: 'Kurs' }));
  const stored = (await storedHash(world.db, user.id)) as string;
  const byOldPassword = await authorise(deps, { by: 'password', holder, stored }, shows());
  await world.handlers.changePassword({ current_password: GOOD, password: NEXT }, await userWith(world, token));
  await assert.rejects(begin(byOldPassword), refused('login_wrong'));

  const account = { issuer: 'https://accounts.google.com', subject: `sub of ${ANN}` };
  await linkedBy(world, ANN, await googleShows(world, ANN));
  await world.db.run('update second_factor set enabled_at = null');
  await writeHolderMacs(world.db);
  const byGoogle = await authorise(deps, { by: 'google', holder, account }, undefined);
  await world.db.run('delete from google_account');
  await assert.rejects(begin(byGoogle), refused('google_wrong'));

  const withoutSecond = await authorise(deps, { by: 'mailbox', holder }, undefined);
  await world.db.run('update second_factor set enabled_at = made_at');
  await writeHolderMacs(world.db);
  await assert.rejects(begin(withoutSecond), refused('two_factor_required'));
});

test('a code is valid only for the secret that it was checked against, even if another session makes a new one', async () => {
  const email = 'eve@example.org';
  await world.handlers.signUpGetOtp({ email, bot_token: 'sandbox' }, contextOf(world));
  const otp = await newestCode(world);
  const { access_token: token, user } = await world.handlers.signUpConfirm({ email, otp, password: GOOD }, contextOf(world));
  const make = async () => base32nopad.decode((await world.handlers.generate2fa({}, await userWith(world, token))).secret);
  const shows = (secret: Uint8Array, by = 0): string => codeOfStep(secret, stepAt(wallClock()) + by);
  const show = (secret: Uint8Array) =>
    enableSecondFactor(world.db, testSealer, user.id, { code: shows(secret), whose: 'session one' });

  const { enable } = await show(await make());
  const others = await make();
  await assert.rejects(world.db.tx(enable), refused('two_factor_wrong'));
  assert.equal(await isSecondFactorOn(world.db, user.id), false, 'a secret that only another session has seen');

  const trying = await show(others);
  await world.db.tx(trying.enable);
  const code = { code: shows(others, 1), whose: 'session one' };
  const factor = await tryFactor(world.db, testSealer, user.id, code);
  await world.db.tx((tx) => dropSecondFactor(tx, user.id));
  await world.db.tx((await show(await make())).enable);
  await assert.rejects(
    world.db.tx((tx) => spendFactor(tx, user.id, factor)),
    refused('two_factor_wrong'),
  );
});

test('switching it on or off ends every other session, and the letter says so', async () => {
  await world.handlers.signUpGetOtp({ email: ANN, bot_token: 'sandbox' }, contextOf(world));
  const otp = await newestCode(world);
  const { access_token: token } = await world.handlers.signUpConfirm({ email: ANN, otp, password: GOOD }, contextOf(world));
  const { secret } = await world.handlers.generate2fa({}, await userWith(world, token));
  const shows = (by: number) => codeOfStep(base32nopad.decode(secret), stepAt(wallClock()) + by);
  const others = async () => {
    const { access_token: other } = await world.handlers.login(
      { email: ANN, password: GOOD, two_factor_code: shows(0) },
      contextOf(world),
    );
    await world.db.run('update second_factor set last_step = 0');
    await writeHolderMacs(world.db);
    return other;
  };
  const before = await others();
  await world.handlers.enable2fa({ two_factor_code: shows(0) }, await userWith(world, token));
  assert.deepEqual([await whoIs(world.db, before), (await whoIs(world.db, token))?.holder.email], [undefined, ANN]);
  await world.db.run('update second_factor set last_step = 0');
  await writeHolderMacs(world.db);
  const meanwhile = await others();
  await world.handlers.disable2fa({ two_factor_code: shows(1), password: GOOD }, await userWith(world, token));
  assert.deepEqual([await whoIs(world.db, meanwhile), (await whoIs(world.db, token))?.holder.email], [undefined, ANN]);
  const letters = (await lettersOf(world)).filter(({ subject }) => /Two-factor/.test(subject)).map(({ text }) => text);
  assert.equal(letters.length, 2);
  for (const text of letters) assert.match(text, /other devices are signed out/);
});

test('concurrent duplicates of a right code are no wrong tries, nor is a code that was just used', async () => {
  const { shows } = await guarded();
  const login = (two_factor_code: string) =>
    world.handlers.login({ email: ANN, password: GOOD, two_factor_code }, contextOf(world));
  const [code, next] = [shows(), shows(1)];
  const duplicates = await Promise.allSettled(Array.from({ length: 8 }, () => login(code)));
  assert.equal(duplicates.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const duplicate of duplicates)
    if (duplicate.status === 'rejected') assert.ok(refused('two_factor_wrong')(duplicate.reason), String(duplicate.reason));
  for (let again = 0; again < 6; again += 1) await assert.rejects(login(code), refused('two_factor_wrong'));
  await login(next);
});

test('wrong codes of others lock neither a browser that the holder has used nor their session', async () => {
  const { shows, token } = await guarded();
  const login = (two_factor_code: string, browser?: string) =>
    world.handlers.login(
      { email: ANN, password: GOOD, two_factor_code },
      contextOf(world, { browser, introduceBrowser: () => browser }),
    );
  const [code, next] = [shows(), shows(1)];
  await login(code, 'hers');
  for (let tries = 0; tries < 5; tries += 1) await assert.rejects(login('000000'), refused('two_factor_wrong'));
  for (const browser of [undefined, 'another', 'a third'])
    await assert.rejects(login('000000', browser), refused('rate_limited'));
  const as = await userWith(world, token);
  await assert.rejects(world.handlers.recoveryCodes({ two_factor_code: '000000' }, as), refused('two_factor_wrong'));
  await login(next, 'hers');
  for (let tries = 0; tries < 4; tries += 1)
    await assert.rejects(world.handlers.recoveryCodes({ two_factor_code: '000000' }, as), refused('two_factor_wrong'));
  await assert.rejects(world.handlers.recoveryCodes({ two_factor_code: '000000' }, as), refused('rate_limited'));
  await assert.rejects(login('000000', 'hers'), refused('two_factor_wrong'), 'her browser is no affair of the session');
});

test('neither the secret nor a recovery code can be read from the database, and a secret opens in its own row only', async () => {
  const ann = await guarded();
  const bob = await guarded('bob@example.org');
  const text = await readAll(world, 'second_factor', 'recovery_code');
  assert.equal(text.includes(Buffer.from(ann.secret).toString('latin1')), false);
  for (const code of ann.codes) assert.equal(text.includes(code), false);
  await world.db.run(
    `update second_factor a set secret = b.secret from second_factor b where a.holder_id = $1 and b.holder_id = $2`,
    [ann.user.id, bob.user.id],
  );
  await writeHolderMacs(world.db);
  await assert.rejects(
    world.handlers.login({ email: ANN, password: GOOD, two_factor_code: bob.shows(1) }, contextOf(world)),
    /another/,
  );
});

test('letters of a second factor list the keys that still work', async () => {
  const { token, shows } = await guarded();
  const user = await userWith(world, token);
  const request = { name: 'my books', scopes: ['orders.read' as const], networks: [], days: 30 };
  const { hint } = await world.handlers.apiKeyMake(request, user);
  const isListed = async (): Promise<boolean> => ((await lettersOf(world)).at(-1)?.text ?? '').includes(`my books (${hint}…)`);
  await world.handlers.disable2fa({ two_factor_code: shows(), password: GOOD }, user);
  assert.ok(await isListed(), 'switched off');
  const { secret } = await world.handlers.generate2fa({}, user);
  const code = codeOfStep(base32nopad.decode(secret), stepAt(wallClock()));
  await world.handlers.enable2fa({ two_factor_code: code, password: GOOD }, user);
  assert.ok(await isListed(), 'switched on');
});
