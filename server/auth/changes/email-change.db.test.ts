// Changing an account's address: both mailboxes are verified and notified, and nobody learns whether an address has an account.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base32nopad } from '@scure/base';
import { advanceClock, wallClock } from '../../platform/index.ts';
import { testSealer } from '../../platform/testing.ts';
import { freezeOf } from '../accounts/freeze.ts';
import { whoIs } from '../sign-in/sign-in.ts';
import { stepUp } from '../factors/step-up.ts';
import { codeOfStep, stepAt } from '../factors/totp.ts';
import {
  authWorld,
  confirmingWith,
  contextOf,
  lettersOf,
  newestCode,
  refused,
  userWith,
  wrongAt,
} from '../scenarios/world.testing.ts';

const [ANN, NEW, BOB] = ['ann@example.org', 'Ann@new.example.org', 'bob@example.org'];

const world = authWorld();
const signUp = async (email: string) => {
  await world.handlers.signUpGetOtp({ email, bot_token: 'sandbox' }, contextOf(world));
  const { access_token: token, user } = await world.handlers.signUpConfirm(
    { email, otp: await newestCode(world) },
    contextOf(world),
  );
  await advanceClock(world.db, 61_000);
  return { token, id: user.id };
};
const ask = async (token: string, email: string) => world.handlers.emailChangeGetOtp({ email }, await userWith(world, token));
const change = async (token: string, given: { email: string; new_otp: string; otp?: string; two_factor_code?: string }) =>
  world.handlers.emailChange(given, await userWith(world, token));
const codeTo = async (address: string): Promise<string> => {
  const letters = (await lettersOf(world)).filter(({ recipient }) => recipient === address);
  return /^\d{6}$/m.exec(letters.at(-1)?.text ?? '')?.[0] as string;
};
const other = (code: string): string => ((Number(code) + 1) % 1_000_000).toString().padStart(6, '0');

test('an address is changed by a code to each mailbox: others are signed out, both are told, nothing leaves for 5 days', async () => {
  const elsewhere = await signUp(ANN);
  const { token, id } = await signUp(ANN);
  const request = { name: 'my books', scopes: ['orders.read' as const], networks: [], days: 30 };
  const { hint } = await world.handlers.apiKeyMake(request, await userWith(world, token));
  await ask(token, NEW);
  const given = { email: NEW, new_otp: await codeTo(NEW), otp: await codeTo(ANN) };
  const user = await change(token, given);
  assert.deepEqual([user.email, user.email_verified, user.frozen_because], [NEW, 1, 'email_changed']);
  assert.deepEqual(world.requested.moved, [{ from: ANN, to: NEW }]);
  assert.ok(await whoIs(world.db, token));
  assert.equal(await whoIs(world.db, elsewhere.token), undefined);
  const [left, arrived] = (await lettersOf(world)).slice(-2);
  assert.deepEqual([left?.recipient, arrived?.recipient], [ANN, NEW]);
  for (const letter of [left, arrived]) {
    assert.match(letter?.text ?? '', /ann@new\.example\.org[^]*withdrawn until/i);
    assert.ok(letter?.text.includes(`my books (${hint}…)`), 'the key that still works');
  }

  const now = await world.db.now();
  const held = await freezeOf(world.db, id, now);
  assert.equal(held?.reason, 'email_changed');
  assert.ok(Math.abs((held?.until.getTime() ?? 0) - now.getTime() - 5 * 86_400_000) < 120_000);
  await assert.rejects(change(token, given), refused('code_expired'), 'each code is good once');
  // The old address now belongs to no account; the new one signs in.
  assert.notEqual((await signUp(ANN)).id, id);
  assert.equal((await signUp(NEW.toLowerCase())).id, id);
});

test('neither mailbox alone changes the address, nor do codes for another address or of another account', async () => {
  const { token } = await signUp(ANN);
  const bob = await signUp(BOB);
  await ask(token, NEW);
  const [old, fresh] = [await codeTo(ANN), await codeTo(NEW)];
  await assert.rejects(change(token, { email: NEW, new_otp: fresh }), refused('code_required'));
  await assert.rejects(change(token, { email: NEW, new_otp: fresh, otp: other(old) }), refused('code_wrong'));
  const wrong = change(token, { email: NEW, new_otp: other(fresh), otp: old });
  await assert.rejects(wrong, (error) => refused('code_wrong')(error) && wrongAt('new_otp', 'code_wrong')(error));
  await assert.rejects(change(token, { email: 'ann@third.example.org', new_otp: fresh, otp: old }), refused('code_expired'));
  await ask(bob.token, 'bob@new.example.org');
  await assert.rejects(change(bob.token, { email: NEW, new_otp: fresh, otp: await codeTo(BOB) }), refused('code_expired'));
  // A code for a withdrawal isn't valid for changing the address, and vice versa.
  await world.handlers.userEmailGetOtp({ purpose: 'money_out' }, await userWith(world, token));
  await assert.rejects(change(token, { email: NEW, new_otp: fresh, otp: await codeTo(ANN) }), refused('code_wrong'));
  assert.equal((await world.handlers.userInfo({}, await userWith(world, token))).email, ANN);
  await change(token, { email: NEW, new_otp: fresh, otp: old });
});

test('changing to a taken address gets the usual answer, and only its owner is notified', async () => {
  const { token } = await signUp(ANN);
  await signUp(BOB);
  const before = (await lettersOf(world)).length;
  const taken = await ask(token, BOB);
  const toBob = (await lettersOf(world)).slice(before).filter(({ recipient }) => recipient === BOB);
  assert.equal(toBob.length, 1);
  assert.doesNotMatch(toBob[0]?.text ?? '', /^\d{6}$/m);
  const middle = (await lettersOf(world)).length;
  assert.deepEqual(await ask(token, NEW), taken);
  assert.equal((await lettersOf(world)).length - middle, middle - before, 'the same number of letters');
  const guess = (email: string) => change(token, { email, new_otp: '000000', otp: '000000' }).catch((error: unknown) => error);
  assert.deepEqual(await guess(BOB), await guess(NEW));
  await assert.rejects(ask(token, ANN.toUpperCase()), wrongAt('email', 'email_same'));
});

test('refuses an address that is taken between its code and the change, and changes nothing', async () => {
  const { token } = await signUp(ANN);
  await ask(token, NEW);
  const given = { email: NEW, new_otp: await codeTo(NEW), otp: await codeTo(ANN) };
  await signUp(NEW);
  await assert.rejects(change(token, given), wrongAt('email', 'email_taken'));
  assert.equal((await world.handlers.userInfo({}, await userWith(world, token))).frozen_until, null);
});

test('with a second factor its code confirms in place of the old mailbox, which gets no code', async () => {
  const { token, id } = await signUp(ANN);
  const { secret: written } = await world.handlers.generate2fa({}, await userWith(world, token));
  const shows = (by: number) => codeOfStep(base32nopad.decode(written), stepAt(wallClock()) + by);
  const { recovery_codes: codes } = await world.handlers.enable2fa({ two_factor_code: shows(0) }, await userWith(world, token));
  const before = (await lettersOf(world)).length;
  await ask(token, NEW);
  assert.deepEqual(
    (await lettersOf(world)).slice(before).map(({ recipient }) => recipient),
    [NEW],
  );
  const given = { email: NEW, new_otp: await codeTo(NEW) };
  await assert.rejects(change(token, given), refused('two_factor_required'));
  await assert.rejects(change(token, { ...given, two_factor_code: codes[0] as string }), refused('two_factor_wrong'));
  await change(token, { ...given, two_factor_code: shows(1) });
  await ask(token, ANN);
  const again = { email: ANN, new_otp: await codeTo(ANN), two_factor_code: shows(1) };
  await assert.rejects(change(token, again), refused('two_factor_wrong'), 'its code is good once');
  assert.equal((await world.handlers.userInfo({}, await userWith(world, token))).two_factor_enabled, true);
  assert.equal((await whoIs(world.db, token))?.holder.id, id);
});

test('a code that was mailed to the old address to confirm something confirms nothing after the change', async () => {
  const { token } = await signUp(ANN);
  await world.handlers.userEmailGetOtp({ purpose: 'money_out', about: 'order-1' }, await userWith(world, token));
  const paying = await codeTo(ANN);
  await ask(token, NEW);
  await change(token, { email: NEW, new_otp: await codeTo(NEW), otp: await codeTo(ANN) });
  const who = await confirmingWith(world, token);
  const confirm = stepUp({ db: world.db, sealer: testSealer }, who, { otp: paying }, { purpose: 'money_out', about: 'order-1' });
  await assert.rejects(confirm, refused('code_expired'));
});

test('new addresses that a session names are counted for it, and for nobody whose they are', async () => {
  const { token } = await signUp(ANN);
  for (let at = 0; at < 5; at += 1) await ask(token, `${at}@new.example.org`);
  await assert.rejects(ask(token, NEW), refused('rate_limited'));
  const bob = await signUp('bob@example.org');
  await ask(bob.token, NEW);
});
