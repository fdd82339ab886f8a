// Coupons for late orders: limits of the order, the customer and the day; waiting coupons in their order; void ones.

import assert from 'node:assert/strict';
import { after, beforeEach, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from '@kurs/money';
import { type Journal, accounts, balances, leg, post } from '../../ledger/index.ts';
import { type Db, type Tx, advanceClock, newId } from '../../platform/index.ts';
import { testDb } from '../../platform/testing.ts';
import { potAccount } from '../../pots/index.ts';
import { couponAccount } from '../coupon.ts';
import { type Given, type Late, earnLate, fillLate, voidLate, waitingLate } from './late-coupons.ts';

const usd = (sum: string): bigint => parse('USDT', sum).parts;
const POT = potAccount('late');
let db: Db;
let drop: () => Promise<void>;
before(async () => {
  ({ db, drop } = await testDb());
  const id = newId();
  const legs = [leg(accounts.custody('evm', 'hot', 'USDT'), accounts.deskFree('USDT'), usd('10000'))];
  await db.tx((tx) => post(tx, [{ id, kind: 'capital_in', cause: id, legs }]));
});
after(() => drop());
beforeEach(async () => {
  await db.run('delete from coupon');
  await advanceClock(db, 40 * 86_400_000);
  const [left = 0n] = await balances(db, [POT]);
  await fund(usd('1000') - left);
});

const fund = async (parts: bigint): Promise<void> => {
  if (parts === 0n) return;
  const id = newId();
  const free = accounts.deskFree('USDT');
  const legs = [parts < 0n ? leg(POT, free, -parts) : leg(free, POT, parts)];
  await db.tx((tx) => post(tx, [{ id, kind: 'promo_funded', cause: id, legs }]));
};
const left = (tx: Tx) => async (): Promise<bigint> => (await balances(tx, [POT]))[0] ?? 0n;
const doing = (work: (tx: Tx) => Promise<{ given: readonly Given[]; journals: readonly Journal[] }>): Promise<string[]> =>
  db.tx(async (tx) => {
    const { given, journals } = await work(tx);
    if (journals.length > 0) await post(tx, [...journals]);
    return given.map(({ earnedBy, parts }) => `${earnedBy.slice(-2)} ${parts}`);
  });
const earn = (...orders: Late[]): Promise<string[]> => doing((tx) => earnLate(tx, orders, left(tx)));
const fill = (): Promise<string[]> => doing((tx) => fillLate(tx, left(tx)));
const order = (number: number, worth: string, key = `customer ${number}`): Late => ({
  id: `01890000-0000-7000-8000-0000000000${number}`,
  emailKey: `${key}@example.org`,
  keys: [`email:${key}`, `device:${number}`],
  worth: usd(worth),
});
const states = async (): Promise<string[]> =>
  (
    await db.rows<{ one: string }>(
      `select right(earned_by::text, 2) || ' ' || state || ' ' || budget as one from coupon order by made_at, id`,
    )
  ).map(({ one }) => one);

test('an order earns its fee, at most 20 USD, a customer 50 in 30 days, once, out of the pot and bound to its address', async () => {
  assert.deepEqual(await earn(order(11, '7.5'), order(12, '31')), ['11 7500000', '12 20000000']);
  assert.deepEqual(await earn(order(11, '7.5')), [], 'once');
  const [coupon] = await db.rows<{ id: string; email_key: string; days: number }>(
    `select id, email_key, extract(day from ends_at - made_at)::int as days from coupon where earned_by = $1`,
    [order(11, '0').id],
  );
  assert.deepEqual([coupon?.email_key, coupon?.days], ['customer 11@example.org', 90]);
  assert.deepEqual(await balances(db, [couponAccount(coupon?.id ?? ''), POT]), [usd('7.5'), usd('972.5')]);
  assert.deepEqual(
    await earn(order(13, '20', 'same'), order(14, '20', 'same'), order(15, '20', 'same'), order(16, '20', 'same')),
    ['13 20000000', '14 20000000', '15 10000000'],
  );
  assert.deepEqual(await earn(order(17, '0.009')), [], 'less than 0.01 is nothing');
});

test('what a customer earned 29 days ago counts towards their 50 USD, and what they earned 31 days ago does not', async () => {
  const day = 86_400_000;
  await earn(order(71, '20', 'same'), order(72, '20', 'same'), order(73, '10', 'same'));
  await advanceClock(db, 29 * day);
  assert.deepEqual(await earn(order(74, '20', 'same')), []);
  await advanceClock(db, 2 * day);
  assert.deepEqual(await earn(order(75, '20', 'same')), ['75 20000000']);
  await advanceClock(db, 29 * day);
  assert.deepEqual(await earn(order(76, '20', 'same'), order(77, '20', 'same')), ['76 20000000', '77 10000000']);
});

test('100 USD are given in a day; what is more waits and comes first the next day', async () => {
  const six = [21, 22, 23, 24, 25, 26].map((number) => order(number, '20'));
  assert.equal((await earn(...six)).length, 5);
  assert.deepEqual(await earn(order(27, '0.5')), [], 'behind what waits');
  assert.deepEqual((await states()).slice(-2), ['26 waiting 0', '27 waiting 0']);
  assert.deepEqual(await fill(), [], 'the same day');
  assert.equal(await waitingLate(db), 2, 'people are told');
  await advanceClock(db, 86_400_000);
  assert.deepEqual(await fill(), ['26 20000000', '27 500000']);
  assert.deepEqual(await fill(), []);
});

test('an empty pot lets them wait, the oldest first; a filled one gives what it reaches', async () => {
  await fund(usd('25') - usd('1000'));
  assert.deepEqual(await earn(order(31, '20'), order(32, '18'), order(33, '4')), ['31 20000000']);
  assert.deepEqual(await fill(), [], 'the smaller one does not pass the older one');
  await fund(usd('14'));
  assert.deepEqual(await fill(), ['32 18000000']);
  await fund(usd('3'));
  assert.deepEqual(await fill(), ['33 4000000']);
});

test('what an order earned that is taken back is void, and its money goes back', async () => {
  await earn(...[41, 42, 43, 44, 45, 46].map((number) => order(number, '20')));
  const back = await doing(async (tx) => ({ given: [], journals: await voidLate(tx, [order(41, '0').id, order(46, '0').id]) }));
  assert.deepEqual(back, []);
  assert.deepEqual([(await states())[0], (await states()).at(-1)], ['41 void 0', '46 void 0']);
  assert.deepEqual(await balances(db, [POT]), [usd('920')]);
  assert.deepEqual(await doing(async (tx) => ({ given: [], journals: await voidLate(tx, [order(41, '0').id]) })), []);
  await advanceClock(db, 86_400_000);
  assert.deepEqual(await fill(), [], 'what was void never becomes live');
});

test('what is taken back at the very moment at which it would be given is not given', async () => {
  await fund(usd('1') - usd('1000'));
  await earn(order(51, '20'));
  await fund(usd('30'));
  let filling: Promise<string[]> | undefined;
  await db.tx(async (tx) => {
    await voidLate(tx, [order(51, '0').id]);
    filling = fill();
    while ((await db.rows('select from pg_locks where not granted')).length === 0) await sleep(5);
  });
  assert.deepEqual(await filling, []);
  assert.deepEqual(await states(), ['51 void 0']);
});
