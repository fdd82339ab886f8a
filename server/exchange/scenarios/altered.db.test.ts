import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { actOnOrder } from '../actions/desk-actions.ts';
import { PAYIN_EVENT } from '../../payments/index.ts';
import { newId } from '../../platform/index.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { type World, openWorld } from './world.testing.ts';

let world: World;
before(async () => {
  world = await openWorld();
  world.holdSends();
});
after(() => world.close());

const state = (order: StoredOrder): Promise<string> => world.state(order);
const change = (order: StoredOrder, path: string, value: unknown): Promise<unknown> =>
  world.db.run('update customer_order set body = jsonb_set(body, $2, $3) where id = $1', [
    order.view.id,
    path,
    JSON.stringify(value),
  ]);
/** Writes an event directly by SQL. */
const write = async (id: string, subject: string, body: object): Promise<void> => {
  await world.db.run('insert into event (id, kind, subject, body, at) values ($1, $2, $3, $4, clock_now())', [
    ...[id, PAYIN_EVENT, subject, JSON.stringify(body)],
  ]);
  await world.db.run(`insert into event_delivery (subscriber, event_id, kind, due_at) values ('exchange', $1, $2, clock_now())`, [
    id,
    PAYIN_EVENT,
  ]);
};
const payouts = async (): Promise<number> => (await world.db.row<{ n: number }>('select count(*)::int as n from payout'))?.n ?? 0;

test('events of an order with changed accounts wait until these are restored: nothing is sent to them', async () => {
  const order = await world.place();
  const { receive } = order.view;
  world.pay(order);
  await world.turn();
  await change(order, '{receive,fields}', { address: 'thief' });
  await world.mine(6);
  await world.turn();
  assert.deepEqual([await state(order), await payouts()], ['seen', 0]);
  await change(order, '{receive,fields}', receive?.fields);
  await world.pass(10);
  await world.turn();
  assert.deepEqual([await state(order), await payouts()], ['queued', 1]);
});

test('such an order isn’t approved either, and people see why', async () => {
  const order = await world.place({ own: await world.holder(3), amount: '0.06' });
  world.pay(order);
  await world.mine(6);
  assert.equal(await state(order), 'approving');
  const before = await payouts();
  await change(order, '{receive,fields}', { address: 'thief' });
  const approve = () =>
    world.db.tx((tx) =>
      actOnOrder(tx, world.deps.sender, { number: order.number, action: 'approve', by: 'olga', reason: 'test' }),
    );
  await assert.rejects(approve(), (error: Problem) => error.code === 'record_altered');
  assert.deepEqual([await state(order), await payouts()], ['approving', before]);
});

test('an event forged by SQL is no payment: it waits, and nothing is sent', async () => {
  const order = await world.place();
  const before = await payouts();
  const [event, { id, give }] = [newId(), order.view];
  const body = {
    ...{ payinId: newId(), owner: { kind: 'order', id }, event: 'final', currency: 'BTC', unit: 'BTC', place: 'hot' },
    ...{ parts: `${give.parts}`, txid: 'none', from: [], isFeeOk: true, seenAt: (await world.db.now()).toISOString() },
    ...{ confirmations: 6, needed: 1 },
  };
  await write(event, `order:${id}`, body);
  await world.turn();
  assert.deepEqual([await state(order), await payouts()], ['awaiting', before]);
  // Nor does an event assign somebody else's payment to the order.
  const other = await world.place();
  world.pay(other, '0.004');
  await world.mine(6);
  const genuine = await world.db.row<{ body: object }>(
    `select body from event where subject = $1 and body ->> 'event' = 'final'`,
    [`order:${other.view.id}`],
  );
  await write(newId(), `order:${id}`, genuine?.body ?? assert.fail());
  await world.turn();
  assert.deepEqual([await state(order), await payouts()], ['awaiting', before]);
  const left = await world.db.row<{ why: string }>('select last_error as why from event_delivery where event_id = $1', [event]);
  assert.equal(left?.why, 'the payment that is told of is not recorded so');
  // The customer's real payment waits behind the forged event until people have checked it.
  await world.db.run('delete from event_delivery where event_id = $1', [event]);
});

test('a payment event repeated by SQL counts once', async () => {
  const order = await world.place();
  world.pay(order);
  await world.mine(6);
  // The second payment isn't the order's any more: it becomes an unallocated payment.
  world.pay(order);
  await world.mine(6);
  const before = [await payouts(), (await world.unallocatedPayments(order)).length];
  assert.equal(before[1], 1);
  await world.db.run(
    `insert into event_delivery (subscriber, event_id, kind, due_at) select 'exchange', id, kind, clock_now() from event
     where kind = $1 and subject = $2 and body ->> 'event' = 'final'`,
    [PAYIN_EVENT, `order:${order.view.id}`],
  );
  await world.turn();
  assert.deepEqual([await payouts(), (await world.unallocatedPayments(order)).length], before);
  await world.audit();
});
