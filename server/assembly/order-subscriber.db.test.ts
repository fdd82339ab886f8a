// A room above the exchange, such as affiliate rewards: it subscribes to events by the exchange's index alone, and receives an
// order's events from its placing to its payout, at least once and in order.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { writeHolderMacs } from '../auth/testing.ts';
import { setLevel } from '../compliance/index.ts';
import { ORDER_EVENTS, type OrderPublished, orderPublished, placeOrder } from '../exchange/index.ts';
import { type World, openWorld } from '../exchange/testing.ts';
import { type Subscription, type Tx, newId, outbox, putSetting, watchSettings } from '../platform/index.ts';

const HOLDER = newId();
let world: World;
let settings: Awaited<ReturnType<typeof watchSettings>>;
/** Stores events in the room's own table, in the transaction of their delivery; a group that fails leaves nothing. */
let failsAt: string | undefined;
const calls: string[] = [];

const subscriber: Subscription = {
  subscriber: 'rewards',
  kinds: ORDER_EVENTS,
  async handle(tx: Tx, events) {
    for (const { id, kind, body } of events) {
      calls.push(kind);
      const of = orderPublished.parse(body);
      // Stored once per event id, however often the event is delivered.
      await tx.run('insert into reward_test values ($1, $2, $3, $4) on conflict do nothing', [
        id,
        of.order,
        kind,
        JSON.stringify(of),
      ]);
      if (kind === failsAt) throw new Error('the room is not ready');
    }
  },
};

before(async () => {
  world = await openWorld();
  settings = await watchSettings(world.db);
  await world.db.tx(async (tx) => {
    await putSetting(tx, 'compliance.reversible_currencies', ['USDT_ERC20'], 'test');
    await putSetting(tx, 'compliance.exposure_usd', '20000', 'test');
  });
  await settings.refresh();
  await world.owner.run('create table reward_test (event uuid primary key, of uuid, kind text, body jsonb)');
  await world.owner.run('grant all on reward_test to public');
  await outbox.subscribe(world.db, [subscriber]);
});
after(async () => {
  await settings.stop();
  await world.close();
});

const drain = () => outbox.drain(world.db, subscriber);
/** Returns what the room stored of an order, in the order of the events. */
async function stored(order: string): Promise<{ readonly kind: string; readonly body: OrderPublished }[]> {
  return world.db.rows('select kind, body from reward_test where of = $1 order by event', [order]);
}

test('receives all events of an account holder’s order, with what it needs, once the room is ready', async () => {
  const email = 'ann@example.org';
  await world.db.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at)
     values ($1, $2, $2, clock_now(), 'en', clock_now())`,
    [HOLDER, email],
  );
  await writeHolderMacs(world.db);
  await world.db.tx((tx) => setLevel(tx, HOLDER, 2, 'test'));
  const own = { id: HOLDER, email, isEmailVerified: true } as const;
  const calculation = await world.calculate({ from: 'USDT_ERC20', amount: '100', own, as: 'her device' });
  const order = await placeOrder(world.deps, { ...calculation, holderId: HOLDER });
  await drain();
  world.pay(order, undefined, { from: ['account of ann'] });
  failsAt = 'order.exchanged';
  await world.mine(70);
  await drain().catch(() => undefined);
  assert.deepEqual(
    (await stored(order.view.id)).map(({ kind }) => kind),
    ['order.placed'],
    'what failed left nothing',
  );
  failsAt = undefined;
  await world.pass(72 * 60);
  for (let turn = 0; turn < 4; turn += 1) await world.mine(8);
  assert.equal((await world.order(order)).view.state, 'completed');
  for (let tries = 0; tries < 5 && (await stored(order.view.id)).length < 3; tries += 1) {
    await world.pass(10);
    await drain();
  }
  assert.deepEqual(
    (await stored(order.view.id)).map(({ kind }) => kind),
    ['order.placed', 'order.exchanged', 'order.completed'],
  );
  assert.deepEqual([...new Set(calls)], ['order.placed', 'order.exchanged', 'order.completed'], 'in their order');
  assert.ok(calls.filter((kind) => kind === 'order.exchanged').length > 1, 'it was told again');
  const [placed, exchanged, completed] = (await stored(order.view.id)).map(({ body }) => body);
  assert.ok(placed && exchanged && completed);
  assert.deepEqual([placed.version < exchanged.version, exchanged.version < completed.version], [true, true]);
  const { price } = exchanged;
  assert.deepEqual([placed.price.isBooked, price.isBooked], [false, true]);
  assert.deepEqual([price.give.currency, price.give.parts, price.get.currency], ['USDT_ERC20', '100000000', 'BTC']);
  assert.deepEqual(price.lines.map(({ code, account }) => [code, account])[0], ['fee', 'income:spread']);
  assert.deepEqual([price.mid?.base, price.mid?.quote, price.retained], ['USDT', 'BTC', '0']);
  assert.ok(BigInt(price.provision) > 0n, 'it can be taken back for months');
  assert.deepEqual(completed.price, price);
  assert.equal(placed.customer.holder, HOLDER);
  assert.ok(placed.customer.shown.includes('device:her device'));
  assert.ok(placed.customer.shown.some((key) => key.includes(HOLDER)));
  assert.deepEqual(placed.paidBy.isReversible, true);
  assert.equal(exchanged.takenSeconds, null);
  assert.ok(completed.takenSeconds !== null && completed.takenSeconds < 72 * 3_600, 'without the clearing period');
});
