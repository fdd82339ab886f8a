// A stranger who knows an address can't lock out its owner. A code belongs to the browser that requested it, and unproved tries
// count against nobody else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Context, advanceClock } from '../../platform/index.ts';
import { authWorld, contextOf, counting, newestCode, refused, userWith } from './world.testing.ts';

const ANN = 'ann@example.org';
const GOOD = 'correct horse battery';

const world = authWorld();
const ask = (more: Partial<Context> = {}, email = ANN) =>
  world.handlers.signUpGetOtp({ email, bot_token: 'sandbox' }, contextOf(world, more));
const enter = async (request: { handle: string }, otp: string, more: Partial<Context> = {}) =>
  world.handlers.signUpConfirm({ email: ANN, otp, handle: request.handle }, contextOf(world, more));
const other = (code: string): string => ((Number(code) + 1) % 1_000_000).toString().padStart(6, '0');

test('a stranger’s request does not replace the owner’s code, and their tries do not count on it', async () => {
  const owner = await ask();
  const code = await newestCode(world);
  await advanceClock(world.db, 61_000);
  const stranger = await ask();
  assert.notEqual(stranger.handle, owner.handle);
  const his = await newestCode(world);
  for (let tries = 0; tries < 5; tries += 1) await assert.rejects(enter(stranger, other(his)), refused('code_wrong'));
  await assert.rejects(enter(stranger, his), refused('code_expired'));
  if (his !== code) await assert.rejects(enter(owner, his), refused('code_wrong'), 'a code is good where it was asked for');
  assert.ok((await enter(owner, code)).access_token);
});

test('codes requested by strangers keep nobody from requesting their own', async () => {
  const limits = counting();
  for (let at = 0; at < 40; at += 1) await ask(limits);
  for (let tries = 0; tries < 40; tries += 1) await assert.rejects(enter({ handle: 'x' }, '000000', limits));
  const owner = await ask(limits);
  assert.ok((await enter(owner, await newestCode(world), limits)).access_token);
});

test('codes requested by strangers don’t limit a signed-in holder', async () => {
  const limits = counting();
  const { access_token: token } = await enter(await ask(), await newestCode(world));
  for (let at = 0; at < 30; at += 1) await ask(limits);
  await world.handlers.userEmailGetOtp({ purpose: 'money_out', about: 'this' }, await userWith(world, token, limits));
});

test('a right code doesn’t count as a try', async () => {
  const owner = await ask();
  const code = await newestCode(world);
  const weak = { email: ANN, otp: code, handle: owner.handle, password: GOOD };
  await enter(await ask(), await newestCode(world));
  for (let tries = 0; tries < 8; tries += 1)
    await assert.rejects(
      world.handlers.signUpConfirm(weak, contextOf(world)),
      (error: Error) => error.message !== 'code_expired',
    );
  assert.ok((await enter(owner, code)).access_token);
});

test('the more is guessed at one address, over all networks, the more work each further code costs; another address costs none', async () => {
  for (let at = 0; at < 30; at += 1) await ask();
  const { pressures } = world.requested;
  assert.deepEqual(pressures.slice(0, 5), [0, 0, 0, 0, 0.05]);
  assert.deepEqual(pressures.slice(-7), [1, 1, 1, 1, 1, 1, 1]);
  await ask({}, 'bob@example.org');
  assert.equal(world.requested.pressures.at(-1), 0);
  await advanceClock(world.db, 3_601_000);
  await ask();
  assert.equal(world.requested.pressures.at(-1), 0);
});

test('passwords cost more work the more is guessed, and a right one doesn’t count', async () => {
  await world.handlers.signUpGetOtp({ email: ANN, bot_token: 'sandbox' }, contextOf(world));
  await world.handlers.signUpConfirm({ email: ANN, otp: await newestCode(world), password: GOOD }, contextOf(world));
  const as = contextOf(world, counting());
  const login = (password: string) => world.handlers.login({ email: ANN, password, bot_token: 'sandbox' }, as);
  for (let at = 0; at < 12; at += 1) await login(GOOD);
  world.requested.pressures = [];
  for (let at = 0; at < 25; at += 1)
    await world.handlers.login({ email: ANN, password: '', bot_token: 'sandbox' }, as).catch(() => {});
  assert.deepEqual([...new Set(world.requested.pressures)], [0.25, 0.5]);
  await login(GOOD);
});
