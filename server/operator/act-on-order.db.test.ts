import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { type World, openWorld } from '../exchange/testing.ts';
import { actOn } from './act-on-order.ts';
import { authenticate, hire } from './people.ts';
import type { Person } from './roles.ts';
import { requestsView } from './views.ts';

const reason = 'as agreed';
let world: World;
let ann: Person;
let kim: Person;

before(async () => {
  world = await openWorld();
  const person = async (name: string, role: 'operator' | 'compliance'): Promise<Person> =>
    (await authenticate(world.db, (await world.db.tx((tx) => hire(tx, name, role))).key)) as Person;
  [ann, kim] = [await person('ann', 'operator'), await person('kim', 'compliance')];
});
after(() => world.close());

test('what an order doesn’t allow as it stands is not asked of a second person', async () => {
  const order = await world.place();
  await world.pass(16);
  assert.equal((await world.order(order)).view.state, 'expired');
  const act = (name: 'write_off' | 'resolve_sent', evidence?: string) =>
    actOn(world.db, world.deps.sender, ann, { id: order.number, act: name, reason, evidence });
  for (const name of ['write_off', 'resolve_sent'] as const)
    await assert.rejects(act(name, 'proof'), (error: Problem) => error.code === 'act_not_open');
  assert.deepEqual(await requestsView(world.db), []);
});

test('whoever is asked to confirm sees the order, its sums and what is asked', async () => {
  const order = await world.place();
  world.pay(order, '0.001');
  await world.mine();
  assert.equal(
    (await actOn(world.db, world.deps.sender, kim, { id: order.number, act: 'freeze', reason })).status,
    'awaiting_second',
  );
  const [request] = await requestsView(world.db);
  assert.deepEqual([request?.by, request?.act, request?.subject, request?.reason], ['kim', 'freeze', order.number, reason]);
  assert.equal(request?.details['state'], (await world.order(order)).view.state);
  assert.match(request?.details['order'] ?? '', /^0\.00500000 BTC → \d+\.\d+ USDT_ERC20$/);
});
