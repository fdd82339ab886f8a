import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { setLevel } from '../../compliance/index.ts';
import { actOnOrder } from '../actions/desk-actions.ts';
import type { StoredOrder } from '../order/order-store.ts';
import { type World, openWorld } from './world.testing.ts';

let world: World;
before(async () => {
  world = await openWorld();
  world.holdSends();
});
after(() => world.close());

const state = (order: StoredOrder): Promise<string> => world.state(order);
const write = (order: StoredOrder, path: string, value: unknown): Promise<unknown> =>
  world.db.run('update customer_order set body = jsonb_set(body, $2, $3) where id = $1', [
    order.view.id,
    path,
    JSON.stringify(value),
  ]);
const payouts = async (): Promise<number> => (await world.db.row<{ n: number }>('select count(*)::int as n from payout'))?.n ?? 0;

test('what is told of an order whose accounts were changed is left until they are put right: nothing is sent to them', async () => {
  const order = await world.place();
  const { receive } = order.view;
  world.pay(order);
  await world.turn();
  await write(order, '{receive,fields}', { address: 'thief' });
  await world.mine(6);
  await world.turn();
  assert.deepEqual([await state(order), await payouts()], ['seen', 0]);
  await write(order, '{receive,fields}', receive?.fields);
  await world.pass(10);
  await world.turn();
  assert.deepEqual([await state(order), await payouts()], ['queued', 1]);
});

test('it isn’t approved either, and people are told why', async () => {
  const email = 'large@example.org';
  await world.db.tx((tx) => setLevel(tx, email, 3, 'test'));
  const order = await world.place({ email, amount: '0.06' });
  world.pay(order);
  await world.mine(6);
  assert.equal(await state(order), 'approving');
  const before = await payouts();
  await write(order, '{receive,fields}', { address: 'thief' });
  const approve = () =>
    world.db.tx((tx) => actOnOrder(tx, world.deps.sender, { number: order.number, act: 'approve', by: 'olga', reason: 'test' }));
  await assert.rejects(approve(), (error: Problem) => error.code === 'record_altered');
  assert.deepEqual([await state(order), await payouts()], ['approving', before]);
});
