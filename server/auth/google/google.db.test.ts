// Signing in with Google: valid tokens, the account that a token opens, and the proof for linking one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { base32nopad } from '@scure/base';
import { writeHolderMacs } from '../testing.ts';
import { advanceClock, wallClock } from '../../platform/index.ts';
import { claimsOf, testGoogle, tokenByMac, tokenOf, tokenUnsigned } from './google.testing.ts';
import { holderByGoogle, linkGoogle } from './google-store.ts';
import { authRoutes } from '../routes.ts';
import { whoIs } from '../sign-in/sign-in.ts';
import { codeOfStep, stepAt } from '../factors/totp.ts';
import {
  authWorld,
  contextOf,
  counting,
  googleShows,
  lettersOf,
  linkedBy,
  newestCode,
  refused,
  userWith,
} from '../scenarios/world.testing.ts';

const ANN = 'ann@example.org';
const GOOD = 'correct horse battery';
const NEXT = 'staple of another kind';
/** Google has verified the address only once. */
const FOREIGN = { hd: undefined };

const world = authWorld();
const login = (input: Parameters<typeof world.handlers.googleLogin>[0], more = {}) =>
  world.handlers.googleLogin(input, contextOf(world, more));
const begin = () => world.handlers.googleNonce({}, contextOf(world));
const holders = async (): Promise<number> => (await world.db.rows('select 1 from account_holder')).length;
const sessions = async (): Promise<number> => (await world.db.rows('select 1 from session where ended_at is null')).length;

/** Opens an account by a mailed code and sets a password. */
async function signUp(email = ANN) {
  await world.handlers.signUpGetOtp({ email, bot_token: 'sandbox' }, contextOf(world));
  const otp = await newestCode(world);
  const entry = await world.handlers.signUpConfirm({ email, otp, password: GOOD }, contextOf(world));
  await advanceClock(world.db, 61_000);
  return entry;
}

/** Returns the code that is mailed for a token. */
async function mailedFor(shown: { token_id: string; nonce_key: string }): Promise<string> {
  await world.handlers.googleGetOtp(shown, contextOf(world));
  return newestCode(world);
}

test('the first sign-in makes an account whose address is verified, the next finds it by its subject, whatever the address', async () => {
  const first = await login(await googleShows(world, ANN));
  assert.equal(first.user.email_verified, 1);
  assert.equal(first.user.google_linked, true);
  assert.equal(first.user.password_set, false);
  assert.ok(await whoIs(world.db, first.access_token));
  const again = await login(await googleShows(world, 'new-name@example.org', { sub: `sub of ${ANN}` }));
  assert.equal(again.user.id, first.user.id);
  assert.equal(again.user.email, ANN, 'the account keeps its address');
  assert.deepEqual(world.requested.signedIn, [ANN, ANN]);
  assert.equal(await holders(), 1);
});

test('Google’s name is written in either way, and its own mailboxes need no organisation', async () => {
  await login(await googleShows(world, 'ann@gmail.com', { iss: 'accounts.google.com', ...FOREIGN }));
  const { user } = await login(await googleShows(world, 'ann@gmail.com', FOREIGN));
  assert.equal(user.google_linked, true);
  assert.equal(await holders(), 1);
});

test('two first sign-ins at once make one account, and both are in', async () => {
  const [one, other] = [await googleShows(world, ANN), await googleShows(world, ANN)];
  const [first, second] = await Promise.all([login(one), login(other)]);
  assert.equal(first.user.id, second.user.id);
  assert.deepEqual([await holders(), await sessions()], [1, 2]);
});

test('Google’s clock and ours may differ by a minute', async () => {
  const now = Math.floor(Date.now() / 1_000);
  await login(await googleShows(world, ANN, { iat: now + 50, nbf: now + 50, exp: now + 3_650 }));
  await login(await googleShows(world, ANN, { iat: now - 3_650, exp: now - 50 }));
});

/** Tokens with one fault each, and the reason that the log shows. */
const WRONG: Record<string, [reason: string, (nonce: string) => string | Promise<string>]> = {
  'no token': ['ERR_JWS_INVALID', () => 'hello'],
  'nobody’s signature, and no algorithm': ['ERR_JOSE_ALG_NOT_ALLOWED', (nonce) => tokenUnsigned(claimsOf(ANN, nonce))],
  'a signature that was cut off': [
    'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    (nonce) => tokenOf(claimsOf(ANN, nonce)).replace(/[^.]+$/, 'AAAA'),
  ],
  'the public key taken for a secret': [
    'ERR_JOSE_ALG_NOT_ALLOWED',
    (nonce) => tokenByMac(claimsOf(ANN, nonce), testGoogle.own.publicKey.export({ type: 'spki', format: 'pem' })),
  ],
  'a secret’s code under the right algorithm’s name': [
    'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    (nonce) => {
      const [, body = '', mac = ''] = tokenByMac(claimsOf(ANN, nonce), 'secret').split('.');
      return `${tokenOf({}).split('.')[0]}.${body}.${mac}`;
    },
  ],
  'another key': [
    'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    (nonce) => tokenOf(claimsOf(ANN, nonce), {}, testGoogle.other.privateKey),
  ],
  'a key that nobody knows': [
    'ERR_JWKS_NO_MATCHING_KEY',
    (nonce) => tokenOf(claimsOf(ANN, nonce), { kid: 'other' }, testGoogle.other.privateKey),
  ],
  'a key that it brings along': [
    'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    (nonce) => {
      const brought = { jwk: testGoogle.other.publicKey.export({ format: 'jwk' }), jku: 'https://evil.example/keys' };
      return tokenOf(claimsOf(ANN, nonce), brought, testGoogle.other.privateKey);
    },
  ],
  'something in it that must be understood': [
    'ERR_JOSE_NOT_SUPPORTED',
    (nonce) => tokenOf(claimsOf(ANN, nonce), { crit: ['exp'] }),
  ],
  'other words under the same signature': [
    'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    (nonce) => {
      const [head, , signature] = tokenOf(claimsOf('bob@example.org', nonce)).split('.');
      return `${head}.${tokenOf(claimsOf(ANN, nonce)).split('.')[1]}.${signature}`;
    },
  ],
  'another issuer': ['iss', (nonce) => tokenOf(claimsOf(ANN, nonce, { iss: 'https://accounts.google.com.evil.example' }))],
  'another audience': ['aud', (nonce) => tokenOf(claimsOf(ANN, nonce, { aud: 'other.apps.example', azp: undefined }))],
  'several audiences': ['claims', (nonce) => tokenOf(claimsOf(ANN, nonce, { aud: ['kurs.apps.example', 'other.apps.example'] }))],
  'another party that it was made for': ['audience', (nonce) => tokenOf(claimsOf(ANN, nonce, { azp: 'other.apps.example' }))],
  'a time that is over': ['exp', (nonce) => tokenOf(claimsOf(ANN, nonce, { exp: Math.floor(Date.now() / 1_000) - 61 }))],
  'no time of its own': ['iat', (nonce) => tokenOf(claimsOf(ANN, nonce, { iat: undefined }))],
  'a day since it was made': ['iat', (nonce) => tokenOf(claimsOf(ANN, nonce, { iat: Math.floor(Date.now() / 1_000) - 90_000 }))],
  'no end': ['exp', (nonce) => tokenOf(claimsOf(ANN, nonce, { exp: undefined }))],
  'an end that is no number': ['exp', (nonce) => tokenOf(claimsOf(ANN, nonce, { exp: '9999999999' }))],
  'a time that is to come': ['iat', (nonce) => tokenOf(claimsOf(ANN, nonce, { iat: Math.floor(Date.now() / 1_000) + 120 }))],
  'a beginning that is to come': ['nbf', (nonce) => tokenOf(claimsOf(ANN, nonce, { nbf: Math.floor(Date.now() / 1_000) + 120 }))],
  'no nonce': ['nonce', () => tokenOf(claimsOf(ANN, '', { nonce: undefined }))],
  'the nonce of another sign-in': ['nonce', async () => tokenOf(claimsOf(ANN, (await begin()).nonce))],
  'an address that nobody has verified': ['email', (nonce) => tokenOf(claimsOf(ANN, nonce, { email_verified: false }))],
  'an address verified in words alone': ['claims', (nonce) => tokenOf(claimsOf(ANN, nonce, { email_verified: 'true' }))],
  'no address': ['claims', (nonce) => tokenOf(claimsOf(ANN, nonce, { email: undefined }))],
  'no subject': ['claims', (nonce) => tokenOf(claimsOf(ANN, nonce, { sub: '' }))],
};

const refusedFor = (reason: string) => (error: unknown) =>
  refused('google_wrong')(error) && (error as Problem).details.cause === reason;

test('a token with any single fault is refused, always in the same words', async () => {
  const linked = await login(await googleShows(world, ANN));
  const { nonce, nonce_key } = await begin();
  for (const [what, [reason, make]] of Object.entries(WRONG)) {
    const token_id = await make(nonce);
    for (const call of [login, mailedFor]) await assert.rejects(call({ token_id, nonce_key }), refusedFor(reason), what);
  }
  assert.deepEqual([await sessions(), await holders()], [1, 1]);
  // The valid token with the same nonce is accepted, so the refusals were about the tokens.
  const { user } = await login({ token_id: tokenOf(claimsOf(ANN, nonce)), nonce_key });
  assert.equal(user.id, linked.user.id);
});

test('a token is good in the browser that asked for it, once, and for an hour', async () => {
  const stolen = await googleShows(world, ANN);
  await assert.rejects(login({ token_id: stolen.token_id }), refusedFor('nonce not open'));
  await assert.rejects(login({ token_id: stolen.token_id, nonce_key: (await begin()).nonce_key }), refusedFor('nonce'));
  await assert.rejects(login({ token_id: stolen.token_id, nonce_key: 'x'.repeat(43) }), refusedFor('nonce not open'));
  const duplicates = await Promise.allSettled([login(stolen), login(stolen), login(stolen)]);
  assert.equal(duplicates.filter(({ status }) => status === 'fulfilled').length, 1);
  await assert.rejects(login(stolen), refusedFor('nonce not open'));
  const late = await googleShows(world, ANN);
  await advanceClock(world.db, 3_601_000);
  await assert.rejects(login(late), refusedFor('nonce not open'));
  await begin();
  assert.equal((await world.db.rows('select 1 from google_nonce')).length, 1, 'what is over is forgotten');
});

test('the nonce in a token is not the key, and neither key can be read from the database', async () => {
  const { nonce, nonce_key } = await begin();
  assert.notEqual(nonce, nonce_key);
  const stored = JSON.stringify(await world.db.rows('select * from google_nonce'));
  assert.equal(stored.includes(nonce_key), false);
  await assert.rejects(login({ token_id: tokenOf(claimsOf(ANN, nonce)), nonce_key: nonce }), refusedFor('nonce not open'));
});

test('an account with the same address opens once its mailbox is verified, and later by its subject', async () => {
  const { user } = await signUp();
  const shown = await googleShows(world, ANN.toUpperCase());
  await assert.rejects(login(shown), refused('google_proof_required'));
  assert.equal(await sessions(), 1);
  const otp = await mailedFor(shown);
  await assert.rejects(login({ ...shown, otp: otp === '000000' ? '000001' : '000000' }), refused('code_wrong'));
  const entry = await login({ ...shown, otp });
  assert.equal(entry.user.id, user.id);
  assert.equal(entry.user.google_linked, true);
  assert.equal(entry.user.password_set, true);
  assert.match((await lettersOf(world)).at(-1)?.subject ?? '', /sign in to Kurs with Google/);
  assert.equal((await login(await googleShows(world, ANN.toUpperCase()))).user.id, user.id);
});

test('the account’s password verifies it, too; a wrong one links nothing', async () => {
  const { user } = await signUp();
  const shown = await googleShows(world, ANN);
  await assert.rejects(login({ ...shown, password: NEXT }), refused('login_wrong'));
  await assert.rejects(login(await googleShows(world, ANN)), refused('google_proof_required'));
  assert.equal((await login({ ...shown, password: GOOD })).user.id, user.id);
  assert.equal((await login(await googleShows(world, ANN))).user.id, user.id);
});

test('password tries with a token stop after ten', async () => {
  await signUp();
  const shown = await googleShows(world, ANN);
  const limits = counting();
  for (let tries = 0; tries < 10; tries += 1)
    await assert.rejects(login({ ...shown, password: NEXT }, limits), refused('login_wrong'));
  await assert.rejects(login({ ...shown, password: GOOD }, limits), refused('rate_limited'));
});

test('a code links the Google account that it was mailed for, is no other’s, and is good for nothing else', async () => {
  await signUp();
  const shown = await googleShows(world, ANN);
  const otp = await mailedFor(shown);
  const other = await googleShows(world, ANN, { sub: 'another account of that address' });
  await assert.rejects(login({ ...other, otp }), refused('code_expired'));
  await assert.rejects(world.handlers.signUpConfirm({ email: ANN, otp }, contextOf(world)), refused('code_expired'));
  const reset = { email: ANN, otp, password: NEXT };
  await assert.rejects(world.handlers.forgotPasswordConfirm(reset, contextOf(world)), refused('code_expired'));
  await world.handlers.signUpGetOtp({ email: ANN, bot_token: 'sandbox' }, contextOf(world));
  await assert.rejects(login({ ...other, otp: await newestCode(world) }), refused('code_expired'));
  await login({ ...shown, otp });
});

test('another Google account with the same address is refused; once verified it replaces the first', async () => {
  const { user } = await login(await googleShows(world, ANN));
  const other = await googleShows(world, ANN, { sub: 'another account of that address' });
  await assert.rejects(login(other), refused('google_proof_required'));
  assert.equal((await login({ ...other, otp: await mailedFor(other) })).user.id, user.id);
  await assert.rejects(login(await googleShows(world, ANN)), refused('google_proof_required'));
});

test('an address that Google does not run makes no account before its mailbox was read here', async () => {
  const shown = await googleShows(world, ANN, FOREIGN);
  await assert.rejects(login(shown), refused('google_proof_required'));
  await assert.rejects(login({ ...shown, password: GOOD }), refused('google_proof_required'));
  assert.equal(await holders(), 0);
  const { user } = await login({ ...shown, otp: await mailedFor(shown) });
  assert.deepEqual([user.email, user.google_linked], [ANN, true]);
});

test('an intruder who opened an account without its mailbox is locked out when the owner signs in with Google', async () => {
  const { user, access_token: strangers } = await signUp();
  await world.db.run('update account_holder set email_verified_at = null');
  await writeHolderMacs(world.db);
  const shown = await googleShows(world, ANN);
  await assert.rejects(login(shown), refused('google_proof_required'));
  await assert.rejects(
    login({ ...shown, password: GOOD }),
    refused('google_proof_required'),
    'whose password it is nobody knows',
  );
  const entry = await login({ ...shown, otp: await mailedFor(shown) });
  assert.deepEqual([entry.user.id, entry.user.password_set, entry.user.email_verified], [user.id, false, 1]);
  assert.equal(await whoIs(world.db, strangers), undefined);
  await assert.rejects(world.handlers.login({ email: ANN, password: GOOD }, contextOf(world)), refused('login_wrong'));
});

for (const way of ['signUpConfirm', 'forgotPasswordConfirm', 'googleLogin'] as const)
  test(`whatever opened an account of a mailbox that nobody had read is gone with the first ${way}`, async () => {
    const { user, access_token: strangers } = await signUp();
    const { secret } = await world.handlers.generate2fa({}, await userWith(world, strangers));
    const two_factor_code = codeOfStep(base32nopad.decode(secret), stepAt(wallClock()));
    await world.handlers.enable2fa({ two_factor_code }, await userWith(world, strangers));
    const theirs = await googleShows(world, 'stranger@example.org');
    await linkedBy(world, ANN, theirs);
    await world.db.run('update account_holder set email_verified_at = null');
    await writeHolderMacs(world.db);
    const ask = { email: ANN, bot_token: 'sandbox' };
    const own = await googleShows(world, ANN);
    if (way === 'signUpConfirm') await world.handlers.signUpGetOtp(ask, contextOf(world));
    if (way === 'forgotPasswordConfirm') await world.handlers.forgotPasswordGetOtp(ask, contextOf(world));
    if (way === 'googleLogin') await world.handlers.googleGetOtp(own, contextOf(world));
    const otp = await newestCode(world);
    const entry =
      way === 'googleLogin'
        ? await login({ ...own, otp })
        : await world.handlers[way]({ email: ANN, otp, password: NEXT } as never, contextOf(world)).catch(() =>
            world.handlers.signUpConfirm({ email: ANN, otp }, contextOf(world)),
          );
    assert.equal(entry.user.id, user.id);
    assert.deepEqual([entry.user.email_verified, entry.user.two_factor_enabled], [1, false]);
    assert.equal(await whoIs(world.db, strangers), undefined);
    await assert.rejects(world.handlers.login({ email: ANN, password: GOOD }, contextOf(world)), refused('login_wrong'));
    const stranger = await login(theirs).catch(() => undefined);
    assert.notEqual(stranger?.user.id, user.id);
  });

test('a password that is set anew unlinks Google, which an intruder may have linked', async () => {
  await login(await googleShows(world, ANN));
  await world.handlers.forgotPasswordGetOtp({ email: ANN, bot_token: 'sandbox' }, contextOf(world));
  const { user } = await world.handlers.forgotPasswordConfirm(
    { email: ANN, otp: await newestCode(world), password: NEXT },
    contextOf(world),
  );
  assert.equal(user.google_linked, false);
  await assert.rejects(login(await googleShows(world, ANN)), refused('google_proof_required'));
});

test('a Google account is linked to one holder only', async () => {
  const { user } = await login(await googleShows(world, ANN));
  const { user: bob } = await signUp('bob@example.org');
  const account = { issuer: 'https://accounts.google.com', subject: `sub of ${ANN}` };
  await assert.rejects(
    world.db.tx((tx) => linkGoogle(tx, bob.id, account)),
    refusedFor('linked elsewhere'),
  );
  assert.equal((await holderByGoogle(world.db, account))?.id, user.id);
});

test('a new device is told of, and user info says that Google is linked', async () => {
  const { access_token: token } = await login(await googleShows(world, ANN));
  await login(await googleShows(world, ANN), { userAgent: 'Another browser' });
  assert.match((await lettersOf(world)).at(-1)?.subject ?? '', /^Sign-in from a new device/);
  assert.equal((await world.handlers.userInfo({}, await userWith(world, token))).google_linked, true);
});

test('a holder unlinks Google, which is notified once; linking it again takes another code', async () => {
  const { access_token: token } = await login(await googleShows(world, ANN));
  const before = (await lettersOf(world)).length;
  for (let times = 0; times < 2; times += 1) await world.handlers.googleUnlink({}, await userWith(world, token));
  assert.equal((await world.handlers.userInfo({}, await userWith(world, token))).google_linked, false);
  const reported = (await lettersOf(world)).slice(before);
  assert.deepEqual([reported.length, /Google is unlinked/.test(reported[0]?.subject ?? '')], [1, true]);
  await assert.rejects(login(await googleShows(world, ANN)), refused('google_proof_required'));
});

test('where no Google is configured, nobody signs in with it', async () => {
  const { nonce, nonce_key } = await begin();
  const shown = { token_id: tokenOf(claimsOf(ANN, nonce)), nonce_key };
  const without = authRoutes({ ...world.deps, google: undefined });
  await assert.rejects(without.googleNonce({}, contextOf(world)), refused('google_off'));
  await assert.rejects(without.googleGetOtp(shown, contextOf(world)), refused('google_off'));
  await assert.rejects(without.googleLogin(shown, contextOf(world)), refused('google_off'));
});
