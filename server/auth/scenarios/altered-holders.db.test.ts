// A change of an account's row by SQL gains no session, code or referral, and the proof reports the account.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { Unopened, advanceClock, configureLog, configureSecretHashes, newId } from '../../platform/index.ts';
import { hashPassword } from '../factors/password.ts';
import { alteredHolders } from '../accounts/holder-mac.ts';
import { freezeOf } from '../accounts/freeze.ts';
import { referralOf } from '../accounts/referral.ts';
import { holderById } from '../accounts/store.ts';
import { holderByGoogle } from '../google/google-store.ts';
import { whoIs, whoseSession } from '../sign-in/sign-in.ts';
import { withAuthenticator } from '../testing.ts';
import { makeApiKey, whoseKey } from '../api-keys.ts';
import { testMacKeys, testSealer } from '../../platform/testing.ts';
import { requireRecent } from '../factors/recent-confirmation.ts';
import { renewRecoveryCodes, spendFactor, tryFactor } from '../factors/second-factor.ts';
import { authWorld, contextOf, googleShows, lettersOf, linkedBy, newestCode, refused, userWith } from './world.testing.ts';

const world = authWorld();
const ANN = 'ann@example.org';
const THIEF = 'thief@example.org';
const GOOD = 'a long enough secret 7';

async function comeIn(email: string): Promise<{ id: string; token: string }> {
  await world.handlers.signUpGetOtp({ email, bot_token: 'sandbox' }, contextOf(world));
  const { user, access_token: token } = await world.handlers.signUpConfirm(
    { email, otp: await newestCode(world) },
    contextOf(world),
  );
  await advanceClock(world.db, 61_000);
  return { id: user.id, token };
}

/** SQL changes of an account, by name. `$1` is the account, `$2` the other one. */
const CHANGES: Readonly<Record<string, string>> = {
  email: `email = '${THIEF}', email_key = '${THIEF}'`,
  'email alone': `email = '${THIEF}'`,
  'email key alone': `email_key = '${THIEF}'`,
  'email verified': 'email_verified_at = null',
  'since when it is verified': `email_verified_at = email_verified_at - interval '1 day'`,
  'a freeze': `frozen_until = clock_now() + interval '1 day', frozen_because = 'password_reset'`,
  'the end of a freeze': 'frozen_until = null, frozen_because = null',
  referred_by: 'referred_by = $2',
  referred_campaign: `referred_campaign = 'other'`,
  'its own code': `referral_code = 'THIEF000'`,
  'its alias': `referral_alias = 'thief'`,
  password: `password_hash = '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA'`,
  'that it is closed': 'closed_at = clock_now()',
  'when it is closed': 'closing_at = clock_now()',
  'when it was opened': `created_at = created_at - interval '1 day'`,
  'no MAC': 'mac = null',
  'the MAC of another account': 'mac = (select mac from account_holder where id = $2)',
};

test('no column changed by SQL opens an account or mails a code; the proof reports it, and restoring the row repairs it', async () => {
  for (const [what, sql] of Object.entries(CHANGES)) {
    const { id, token } = await comeIn(ANN);
    const other = await comeIn('bob@example.org');
    if (sql.startsWith('frozen_until = null')) {
      await world.handlers.forgotPasswordGetOtp({ email: ANN, bot_token: 'sandbox' }, contextOf(world));
      await world.handlers.forgotPasswordConfirm({ email: ANN, otp: await newestCode(world), password: GOOD }, contextOf(world));
      await advanceClock(world.db, 61_000);
      assert.ok((await freezeOf(world.db, id, await world.db.now()))?.until);
    } else assert.ok(await whoIs(world.db, token));
    const key = await world.db.tx((tx) =>
      makeApiKey(tx, { holderId: id, mode: 'sandbox' }, { name: 'k', scopes: ['orders.read'], networks: [], days: 1 }),
    );
    const session = await world.db.row<{ id: string }>('select id from session where holder_id = $1 and ended_at is null', [id]);
    assert.deepEqual(await alteredHolders(world.db), []);
    const before = await world.db.row<{ row: object }>('select to_jsonb(h) as row from account_holder h where id = $1', [id]);
    await world.db.run(`update account_holder set ${sql} where id = $1 and $2::uuid is not null`, [id, other.id]);
    const email =
      (await world.db.row<{ email: string }>('select email_key as email from account_holder where id = $1', [id]))?.email ?? '';
    assert.deepEqual(await alteredHolders(world.db), [id], what);
    assert.equal((await holderById(world.db, id))?.isAltered, true, what);
    // Sessions are over, none begins, and API keys don't work.
    assert.equal(await whoIs(world.db, token), undefined, what);
    assert.equal(await whoseSession(world.db, session?.id ?? ''), undefined, what);
    assert.equal(await whoseKey(world.db, key.key, { mode: 'sandbox', ip: '10.0.0.1' }), undefined, what);
    const letters = (await lettersOf(world)).length;
    await world.handlers.forgotPasswordGetOtp({ email, bot_token: 'sandbox' }, contextOf(world));
    assert.equal((await lettersOf(world)).length, letters, `${what}: no code is mailed`);
    await assert.rejects(freezeOf(world.db, id, await world.db.now()), refused('record_altered'), what);
    assert.equal((await referralOf(world.db, { holderId: id, email: undefined }))?.referredBy, undefined, what);
    // After restoring the row, the account works again.
    await world.db.run(
      `update account_holder h set (email, email_key, email_verified_at, frozen_until, frozen_because, referred_by, referred_campaign,
         referral_code, referral_alias, password_hash, closed_at, closing_at, created_at, mac) =
       (select r.email, r.email_key, r.email_verified_at, r.frozen_until, r.frozen_because, r.referred_by, r.referred_campaign,
         r.referral_code, r.referral_alias, r.password_hash, r.closed_at, r.closing_at, r.created_at, r.mac from jsonb_populate_record(h, $2) r)
       where id = $1`,
      [id, before?.row],
    );
    assert.deepEqual(await alteredHolders(world.db), []);
    assert.ok(await whoseSession(world.db, session?.id ?? ''), what);
    await world.db.run('delete from api_key');
    await advanceClock(world.db, 3_600_000);
  }
});

test('nobody signs in to an account whose address or password was put in by SQL, and one alarm is raised', async () => {
  const { id } = await comeIn(ANN);
  const lines: string[] = [];
  configureLog({ sink: (line) => void lines.push(line) });
  try {
    // The code is requested first, so that it was mailed to the thief's own mailbox.
    await world.handlers.signUpGetOtp({ email: THIEF, bot_token: 'sandbox' }, contextOf(world));
    const otp = await newestCode(world);
    await world.db.run(`update account_holder set email = $2, email_key = $2 where id = $1`, [id, THIEF]);
    await assert.rejects(world.handlers.signUpConfirm({ email: THIEF, otp }, contextOf(world)), refused('record_altered'));
    await world.db.run(`update account_holder set email = $2, email_key = $2, password_hash = $3 where id = $1`, [
      id,
      ANN,
      await hashPassword(GOOD),
    ]);
    await assert.rejects(world.handlers.login({ email: ANN, password: GOOD }, contextOf(world)), refused('record_altered'));
    assert.equal(lines.filter((line) => line.includes('"alarm"') && line.includes(id)).length, 1);
  } finally {
    configureLog({ sink: (line) => void process.stdout.write(line) });
  }
});

test('later changes by the product don’t give an altered account a right MAC', async () => {
  const { id, token } = await comeIn(ANN);
  const context = await userWith(world, token);
  await world.db.run(`update account_holder set email_verified_at = null where id = $1`, [id]);
  const { handlers } = world;
  await assert.rejects(handlers.userEmailGetOtp({ purpose: 'verify_email' }, context), refused('record_altered'));
  await assert.rejects(handlers.changePassword({ password: GOOD }, context), refused('record_altered'));
  // Verifying the mailbox again doesn't repair the row either.
  await world.handlers.signUpGetOtp({ email: ANN, bot_token: 'sandbox' }, contextOf(world));
  assert.deepEqual(await alteredHolders(world.db), [id]);
});

test('deleting a second factor, or switching one on, by SQL has no effect', async () => {
  const { id, token } = await comeIn(ANN);
  await withAuthenticator(world.db, testSealer, id);
  assert.ok(await whoIs(world.db, token));
  await world.db.run('update second_factor set enabled_at = null');
  assert.equal(await whoIs(world.db, token), undefined);
  assert.deepEqual(await alteredHolders(world.db), [id]);
  await world.db.run('delete from second_factor');
  assert.deepEqual(await alteredHolders(world.db), [id]);
});

test('the second factor’s secret of one holder is worth nothing in the row of another', async () => {
  const [ann, eve] = [await comeIn(ANN), await comeIn(THIEF)];
  await withAuthenticator(world.db, testSealer, ann.id);
  const shows = await withAuthenticator(world.db, testSealer, eve.id);
  const of = (holder: string) => tryFactor(world.db, testSealer, holder, { code: shows(), whose: 'x' });
  assert.equal((await of(eve.id)).by, 'authenticator');
  await world.db.run(
    'update second_factor set secret = (select secret from second_factor where holder_id = $2) where holder_id = $1',
    [ann.id, eve.id],
  );
  await assert.rejects(of(ann.id), Unopened);
});

test('resetting the counters of wrong codes by SQL gains no more tries', async () => {
  const { id } = await comeIn(ANN);
  const shows = await withAuthenticator(world.db, testSealer, id);
  for (let at = 0; at < 120; at += 1) {
    const tried = tryFactor(world.db, testSealer, id, { code: shows(100 + at), whose: `browser ${at}` });
    await assert.rejects(tried);
    await world.db.run('delete from factor_tries');
  }
  await assert.rejects(tryFactor(world.db, testSealer, id, { code: shows(), whose: 'browser x' }), refused('rate_limited'));
});

test('a session whose beginning was moved by SQL confirms nothing', async () => {
  const { id, token } = await comeIn(ANN);
  const context = await userWith(world, token);
  await world.db.run(`update session set created_at = created_at - interval '1 hour'`);
  await assert.rejects(requireRecent(world.db, id, {}, 'password', context), refused('code_required'));
  await world.db.run(`update session set created_at = created_at + interval '1 hour'`);
  await requireRecent(world.db, id, {}, 'password', context);
  await advanceClock(world.db, 700_000);
  await world.db.run(`update session set created_at = clock_now()`);
  await assert.rejects(requireRecent(world.db, id, {}, 'password', context), refused('code_required'), 'begun later');
});

test('a Google account linked or moved by SQL signs in to no account', async () => {
  const [ann, bob] = [await comeIn(ANN), await comeIn('bob@example.org')];
  const google = await googleShows(world, ANN);
  await linkedBy(world, ANN, google);
  const link = await world.db.row<{ issuer: string; subject: string }>('select issuer, subject from google_account');
  assert.equal((await holderByGoogle(world.db, link!))?.id, ann.id);
  await world.db.run('update google_account set holder_id = $1', [bob.id]);
  assert.equal(await holderByGoogle(world.db, link!), undefined);
  await world.db.run('delete from google_account');
  await world.db.run('insert into google_account (issuer, subject, holder_id, linked_at) values ($1, $2, $3, clock_now())', [
    link?.issuer,
    link?.subject,
    ann.id,
  ]);
  assert.equal(await holderByGoogle(world.db, link!), undefined);
});

test('an account inserted by SQL is reported and can’t be signed in to', async () => {
  const id = newId();
  await world.db.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at) values ($1, $2, $2, clock_now(), 'en', clock_now())`,
    [id, ANN],
  );
  assert.deepEqual(await alteredHolders(world.db), [id]);
  const before = (await lettersOf(world)).length;
  await world.handlers.signUpGetOtp({ email: ANN, bot_token: 'sandbox' }, contextOf(world));
  assert.equal((await lettersOf(world)).length, before);
});

test('a recovery code inserted, moved or reset by SQL is refused; one stored under an older key works', async () => {
  const [ann, bob] = [await comeIn(ANN), await comeIn('bob@example.org')];
  const shows = await withAuthenticator(world.db, testSealer, ann.id);
  await withAuthenticator(world.db, testSealer, bob.id);
  const tried = (holder: string, code: string) => tryFactor(world.db, testSealer, holder, { code, whose: code });
  const typed = '7K3M-Q2ZD-9XAV-0TJB';
  const plain = createHash('sha256')
    .update(`recovery ${ann.id} ${typed.replaceAll('-', '')}`)
    .digest();
  await world.db.run('insert into recovery_code (holder_id, code_hash) values ($1, $2)', [ann.id, plain]);
  await assert.rejects(tried(ann.id, typed), refused('two_factor_wrong'));
  const { codes, renew } = await renewRecoveryCodes(world.db, testSealer, ann.id, { code: shows(), whose: 'x' });
  await world.db.tx(renew);
  const [first = '', second = ''] = codes;
  await world.db.run('insert into recovery_code (holder_id, code_hash) select $1, code_hash from recovery_code', [bob.id]);
  await assert.rejects(tried(bob.id, first), refused('two_factor_wrong'));
  const factor = await tried(ann.id, first);
  await world.db.tx((tx) => spendFactor(tx, ann.id, factor));
  await world.db.run('update recovery_code set used_at = null');
  await assert.rejects(tried(ann.id, first), refused('two_factor_wrong'));
  configureSecretHashes(new Map([...testMacKeys, [2, Buffer.alloc(32, 77)]]));
  try {
    assert.equal((await tried(ann.id, second)).by, 'recovery');
  } finally {
    configureSecretHashes(testMacKeys);
  }
});
