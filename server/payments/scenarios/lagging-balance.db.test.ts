// Tests a rail that reports a balance from hours ago, with its time: it is compared with the books of that moment.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { accounts, leg, post } from '../../ledger/index.ts';
import { clockAhead, log, newId, putSetting, watchSettings } from '../../platform/index.ts';
import { fundDesk, withdrawDesk } from '../balances/capital.ts';
import { bookDifference, differences, reconcile } from '../balances/reconcile.ts';
import { offCurrencies } from '../balances/lasting-difference.ts';
import { type Desk, fixedValues, openDesk } from './world.testing.ts';

const MINUTE = 60_000;
const USD = 1_000_000n;
/** Order between two of the desk's currencies. */
const LAG = 172;
let desk: Desk;
let now = new Date();
let settings: Awaited<ReturnType<typeof watchSettings>>;
const alarms: string[] = [];

beforeEach(async () => {
  now = new Date();
  const [currencies, provider] = [[{ code: 'USDT', unit: 'USDT' }], { hasDedupe: true }];
  desk = await openDesk({ id: 'paypal', currencies, provider, fee: 10_000n, now: () => now });
  now = await desk.db.now();
  await desk.db.tx(async (tx) => {
    await putSetting(tx, 'payments.difference_usd', '5', 'test');
    await putSetting(tx, 'payments.difference_percent', '0.05', 'test');
    await fundDesk(tx, { id: newId(), currency: 'USDT', place: 'hot', parts: desk.world.held('USDT', 'hot') }, fixedValues);
  });
  settings = await watchSettings(desk.db);
  alarms.length = 0;
  mock.method(log, 'alarm', (words: string) => void alarms.push(words));
});
afterEach(async () => {
  mock.restoreAll();
  await settings.stop();
  await desk.close();
});

/** Lets minutes pass. */
async function pass(minutes: number): Promise<void> {
  await desk.pass(minutes * MINUTE);
  now = await desk.db.now();
}
/** Polls the rail and compares. Its balance is a number of minutes old; it reports another age if one is given. */
async function compare(behind: number, says: number | undefined = behind): Promise<void> {
  desk.world.balanceOf = new Date(now.getTime() - behind * MINUTE);
  const outside = now.getTime() - (await clockAhead(desk.db));
  desk.world.balanceSays = says === undefined ? undefined : new Date(outside - says * MINUTE);
  await desk.read();
  await reconcile(desk.db, fixedValues);
}
const isOff = async (): Promise<boolean> => (await offCurrencies(desk.db)).has('USDT');
const missing = async (): Promise<bigint | undefined> => (await differences(desk.db)).find(({ place }) => place === 'hot')?.parts;

const booked = new Set<string>();
/** Somebody pays 40 USD, and 39 leave: booked within the turn. */
async function trade(): Promise<void> {
  const { to } = await desk.open();
  desk.world.pay(to, 40n * USD);
  desk.world.mine();
  await desk.db.tx((tx) =>
    withdrawDesk(tx, { id: newId(), currency: 'USDT', parts: 39n * USD, to: desk.receiver() }, fixedValues),
  );
  await desk.turn();
  const arrived = await desk.db.rows<{ id: string; owner: string; parts: string }>(
    `select id, owner_id as owner, parts from payin where status = 'final'`,
  );
  for (const { id, owner, parts } of arrived) {
    if (booked.has(id)) continue;
    booked.add(id);
    const legs = [leg(accounts.custody('USDT', 'hot', 'USDT'), accounts.orderIn(owner, 'USDT'), BigInt(parts))];
    await desk.db.tx((tx) => post(tx, [{ id: newId(), kind: 'payin', cause: owner, legs, prices: { USDT: '1' } }]));
  }
  desk.world.mine();
  await pass(1);
  await desk.turn();
}

test('a busy desk never stops promising; a loss under the same traffic is seen after the lag and the rule’s time', async () => {
  const step = 15;
  for (let minute = 0; minute < 6 * 60; minute += step) {
    await trade();
    await pass(step - 1);
    // The rail updates its balance each hour.
    await compare(Math.min(minute, LAG - 60 + (minute % 60)));
    assert.deepEqual([await isOff(), await missing()], [false, 0n], `after ${minute} minutes`);
  }
  desk.world.fund('USDT', 'hot', -10n * USD);
  let minutes = 0;
  for (; !(await isOff()) && minutes < 600; minutes += step) {
    await trade();
    await pass(step - 1);
    await compare(LAG);
  }
  assert.ok(minutes >= LAG && minutes <= LAG + 10 + 2 * step, `${minutes} minutes`);
  assert.equal(await missing(), -10n * USD);
  assert.deepEqual([...new Set(alarms)], ['the books and the rail differ']);
  await desk.db.tx((tx) => bookDifference(tx, { id: newId(), currency: 'USDT', place: 'hot', parts: -10n * USD }, fixedValues));
  for (let turn = 0; turn < 2; turn += 1) {
    await trade();
    await pass(step - 1);
    await compare(LAG);
    assert.deepEqual([await isOff(), await missing()], [false, 0n], 'later bookings by people don’t count for that moment');
  }
});

test('a known shortfall stays while money in flight could hide it', async () => {
  await pass(60);
  desk.world.fund('USDT', 'hot', -10n * USD);
  await pass(200);
  await compare(LAG);
  assert.equal(await missing(), -10n * USD);
  // A payout of unknown outcome.
  desk.world.inject('send', { kind: 'drop' }, 100);
  await desk.db.tx((tx) =>
    withdrawDesk(tx, { id: newId(), currency: 'USDT', parts: 100n * USD, to: desk.receiver() }, fixedValues),
  );
  await desk.turn();
  await pass(11);
  await compare(0);
  assert.deepEqual([await missing(), await isOff()], [-10n * USD, true]);
  desk.world.fund('USDT', 'hot', 10n * USD);
  await compare(0);
  assert.deepEqual([await missing(), await isOff()], [0n, false]);
});

test('an implausible time is not accepted, and one alarm is raised', async () => {
  await pass(300);
  await compare(0);
  for (const says of [-5, 241]) {
    alarms.length = 0;
    desk.world.fund('USDT', 'hot', -700n * USD);
    await compare(0, says);
    await compare(0, says);
    await pass(11);
    await compare(0, says);
    assert.equal(await isOff(), false, 'nothing is concluded from it');
    assert.equal(alarms.filter((words) => words.includes('time of its balance')).length, 1);
    desk.world.fund('USDT', 'hot', 700n * USD);
    await compare(0);
  }
  for (let minute = 0; minute <= 330; minute += 30) {
    await pass(30);
    await compare(0, -5);
  }
  assert.equal(await isOff(), true, 'its owner has no answer for five hours');
  await compare(0);
  assert.equal(await isOff(), false);
});

test('a balance that is never updated stops promises once it is too old', async () => {
  await compare(0);
  const stood = now;
  for (let minute = 0; minute < 270; minute += 30) {
    await trade();
    await pass(29);
    const age = (now.getTime() - stood.getTime()) / MINUTE;
    await compare(age);
    assert.equal(await isOff(), false, `${age} minutes`);
  }
  await pass(60);
  await compare((now.getTime() - stood.getTime()) / MINUTE);
  assert.equal(await isOff(), true);
});
