// Rewards of an order that stops counting and counts again: through the whole exchange, event by event and in one group.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from '@kurs/money';
import { writeHolderMacs } from '../auth/testing.ts';
import { makeCode } from '../auth/index.ts';
import { alone } from '../collecting/index.ts';
import { type StoredOrder, orderCheck } from '../exchange/index.ts';
import { type World, buyBack, goOn, openWorld, reportPayment } from '../exchange/testing.ts';
import { accounts, balance, verify } from '../ledger/index.ts';
import { onlyBalances } from '../ledger/testing.ts';
import { type SettingsWatch, advanceClock, newId, outbox, putSetting, watchSettings } from '../platform/index.ts';
import { fundPot, potCheck } from '../pots/index.ts';
import { affiliateOrders } from './apply-orders.ts';
import { affiliateCheck } from './check-books.ts';
import { activeCustomersOf } from './referred-order.ts';

const [ANN, BOB] = [newId(), newId()];
const orders = affiliateOrders('Kurs');
let world: World;
let settings: SettingsWatch;
let ref: string;
let customers = 0;

before(async () => {
  world = await openWorld();
  world.holdSends();
  settings = await watchSettings(world.db);
  await world.db.tx(async (tx) => {
    await putSetting(tx, 'affiliates.least_usd', '0.01', 'test');
    for (const [id, email, by] of [
      [BOB, 'bob@example.org', null],
      [ANN, 'ann@example.org', BOB],
    ] as const)
      await tx.run(
        `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at, referred_by)
         values ($1, $2, $2, clock_now(), 'en', clock_now(), $3)`,
        [id, email, by],
      );
    await writeHolderMacs(tx);
    const row = await tx.row<{ code: string }>('select referral_code as code from account_holder where id = $1', [ANN]);
    ref = row?.code ?? '';
  });
  await settings.refresh();
  await outbox.subscribe(world.db, [orders]);
  const parts = parse('USDT', '100').parts;
  await alone(world.db, async (unit) =>
    unit.post(await fundPot(unit.tx, { id: newId(), pot: 'affiliate', parts, isBack: false })),
  );
});
after(async () => {
  await settings.stop();
  await world.close();
});

const inPot = (): Promise<bigint> => balance(world.db, accounts.promo('affiliate', 'USDT'));
const report = (): Promise<unknown> => outbox.drain(world.db, orders);
/** Returns the rewards of an order, by level and state, and the number of times that its affiliate's days count it. */
async function earned({ view }: StoredOrder): Promise<string> {
  await report();
  const rows = await world.db.rows<{ one: string }>(
    `select tier || ' ' || state as one from reward where order_id = $1 order by made_at, tier`,
    [view.id],
  );
  return rows.map(({ one }) => one).join(', ');
}
async function daysCount(): Promise<{ orders: number; reward: string }> {
  const row = await world.db.row<{ orders: number; reward: string }>(
    `select coalesce(sum(orders), 0)::int as orders, coalesce(sum(reward), 0)::text as reward from affiliate_day`,
  );
  return row ?? assert.fail();
}
async function payOut(order: StoredOrder): Promise<void> {
  for (const event of ['send', 'accepted', 'final'] as const) await world.report(order, event);
}
async function placed(): Promise<StoredOrder> {
  customers += 1;
  const order = await world.place({ email: `friend${customers}@example.org`, ref });
  world.pay(order);
  await world.mine();
  return order;
}
/** Places an order as `placed`, with fresh prices. */
async function placedNow(): Promise<StoredOrder> {
  await world.pass(1);
  return placed();
}
async function booksAreRight(): Promise<void> {
  const checks = [orderCheck, potCheck, affiliateCheck].map(onlyBalances);
  assert.deepEqual((await verify(world.db, { checks })).faults, []);
}
const otp = (order: StoredOrder): Promise<string> =>
  world.db.tx((tx) => makeCode(tx, { purpose: 'order', subject: order.view.id }));

test('an order whose payout came back and that was bought back has no rewards any more, once', async () => {
  const [pot, days] = [await inPot(), await daysCount()];
  const order = await placed();
  await payOut(order);
  assert.equal(await earned(order), '1 pending, 2 pending');
  await world.report(order, 'returned');
  assert.equal(await earned(order), '1 pending, 2 pending', 'its payout waits for an account');
  await buyBack(world, order, await otp(order));
  assert.equal(await earned(order), '1 reversed, 2 reversed');
  await payOut(order);
  assert.equal(await world.state(order), 'refunded');
  await reportPayment(world, order, 'reversed');
  assert.equal(await earned(order), '1 reversed, 2 reversed');
  assert.deepEqual([await inPot(), await daysCount()], [pot, days]);
  await booksAreRight();
});

test('an order that is paid out anew after its payment was taken back earns anew', async () => {
  const [pot, days] = [await inPot(), await daysCount()];
  const order = await placed();
  await payOut(order);
  await world.report(order, 'returned');
  await reportPayment(world, order, 'reversed');
  assert.equal(await earned(order), '1 reversed, 2 reversed');
  assert.deepEqual([await inPot(), await daysCount()], [pot, days]);
  await reportPayment(world, order, 'final');
  await goOn(world, order);
  await payOut(order);
  assert.equal(await earned(order), '1 reversed, 2 reversed, 1 pending, 2 pending');
  assert.equal((await daysCount()).orders, days.orders + 1);
  await reportPayment(world, order, 'reversed');
  await reportPayment(world, order, 'final');
  await reportPayment(world, order, 'reversed');
  assert.ok(!(await earned(order)).includes('pending'));
  assert.deepEqual([await inPot(), await daysCount()], [pot, days]);
  await booksAreRight();
});

test('the same, told in one group at its end: the last of it stands', async () => {
  const [pot, days] = [await inPot(), await daysCount()];
  const order = await placed();
  await payOut(order);
  await world.report(order, 'returned');
  await reportPayment(world, order, 'reversed');
  await reportPayment(world, order, 'final');
  await goOn(world, order);
  await payOut(order);
  await reportPayment(world, order, 'reversed');
  assert.ok(!(await earned(order)).includes('pending'));
  assert.deepEqual([await inPot(), await daysCount()], [pot, days]);
  await reportPayment(world, order, 'final');
  assert.match(await earned(order), /1 pending, 2 pending$/);
  await booksAreRight();
});

test('a customer counts towards their affiliate’s level 29 days after their order is mature, and not 31 days after', async () => {
  const active = (): Promise<number> => activeCustomersOf(world.db, ANN, 5_000n);
  const days = (count: number): Promise<unknown> => advanceClock(world.db, count * 86_400_000);
  await days(90);
  await payOut(await placedNow());
  await report();
  assert.equal(await active(), 0);
  await days(7);
  assert.equal(await active(), 1);
  await days(29);
  assert.equal(await active(), 1);
  await days(2);
  assert.equal(await active(), 0);
});
