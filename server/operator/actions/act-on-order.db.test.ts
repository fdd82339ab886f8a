import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { type World, openWorld } from '../../exchange/testing.ts';
import { accounts, balances, leg, post } from '../../ledger/index.ts';
import { newId } from '../../platform/index.ts';
import { actOn } from './act-on-order.ts';
import { clearUnexplained } from './money/desk-money.ts';
import { addPerson } from '../people/person.testing.ts';
import type { Person } from '../people/roles.ts';
import { requestsView } from '../views.ts';

const reason = 'as agreed';
let world: World;
let ann: Person;
let bob: Person;
let kim: Person;

before(async () => {
  world = await openWorld();
  [ann, bob, kim] = [
    await addPerson(world.db, 'ann'),
    await addPerson(world.db, 'bob'),
    await addPerson(world.db, 'kim', 'compliance'),
  ];
});
after(() => world.close());

test('an action that the order’s state doesn’t allow is refused before a second person is needed', async () => {
  const order = await world.place();
  await world.pass(16);
  assert.equal((await world.order(order)).view.state, 'expired');
  const act = (name: 'write_off' | 'resolve_sent', evidence?: string) =>
    actOn(world.db, world.deps.sender, ann, { id: order.number, action: name, reason, evidence });
  for (const name of ['write_off', 'resolve_sent'] as const)
    await assert.rejects(act(name, 'proof'), (error: Problem) => error.code === 'action_not_open');
  assert.deepEqual(await requestsView(world.db), []);
});

test('unexplained money that is a customer’s becomes an unallocated payment of their order, by two people, and goes back to them', async () => {
  const order = await world.place();
  world.pay(order);
  await world.mine(2);
  const parts = 250_000n;
  world.rails.BTC.world.fund('BTC', 'hot', parts);
  const found = leg(accounts.custody('BTC', 'hot', 'BTC'), accounts.suspense('BTC'), parts);
  await world.db.tx((tx) => post(tx, [{ id: newId(), kind: 'difference', cause: newId(), legs: [found] }]));
  const whose = { currency: 'BTC', amount: '0.0025', to: 'order', order: order.number, txid: 'f'.repeat(64), reason } as const;
  const clear = (who: Person, input: Parameters<typeof clearUnexplained>[3] = whose) =>
    clearUnexplained(world.db, world.deps.sender, who, input);
  const refuses = (acted: Promise<unknown>, code: string) => assert.rejects(acted, (error: Problem) => error.code === code);
  await refuses(clear(ann, { ...whose, order: 'KX-0000-0000' }), 'order_not_found');
  await refuses(clear(ann, { ...whose, txid: undefined }), 'validation');
  await refuses(clear(ann, { ...whose, amount: '0.0026' }), 'not_enough_there');
  assert.equal((await clear(ann)).status, 'awaiting_second');
  assert.deepEqual((await requestsView(world.db)).at(-1)?.details['order'], order.number);
  await refuses(clear(bob, { ...whose, txid: 'e'.repeat(64) }), 'request_differs');
  assert.equal((await clear(bob)).status, 'done');
  assert.deepEqual(await balances(world.db, [accounts.suspense('BTC')]), [0n]);
  const [unallocated] = await world.unallocatedPayments(order);
  assert.deepEqual(
    [unallocated?.view.kind, unallocated?.view.state, unallocated?.view.positions.in],
    ['unallocated', 'holding', parts],
  );
  await actOn(world.db, world.deps.sender, kim, { id: unallocated!.number, action: 'decide_refund', reason });
  await world.mine(2);
  await world.mine(10);
  assert.equal((await world.order(unallocated!)).view.state, 'refunded');
  await world.audit();
});

test('a second person who is asked to confirm sees the order, its sums and what is asked', async () => {
  const order = await world.place();
  world.pay(order, '0.001');
  await world.mine();
  assert.equal(
    (await actOn(world.db, world.deps.sender, kim, { id: order.number, action: 'freeze', reason })).status,
    'awaiting_second',
  );
  const [request] = await requestsView(world.db);
  assert.deepEqual([request?.by, request?.action, request?.subject, request?.reason], ['kim', 'freeze', order.number, reason]);
  assert.equal(request?.details['state'], await world.state(order));
  assert.match(request?.details['order'] ?? '', /^0\.00500000 BTC → \d+\.\d+ USDT_ERC20$/);
});

test('two people decide a doubt, each with the rail’s statement, which is stored with the payout', async () => {
  // This test reports the send's outcome itself; its world no longer sends.
  world.holdSends();
  const order = await world.place();
  world.pay(order);
  await world.mine(2);
  for (const event of ['send', 'unknown', 'dedupe_over'] as const) await world.report(order, event);
  await world.db.run(`update payout set status = 'in_doubt' where owner_id = $1`, [order.view.id]);
  const act = (who: Person, evidence?: string) =>
    actOn(world.db, world.deps.sender, who, { id: order.number, action: 'resolve_sent', reason, evidence });
  for (const none of [undefined, '', '  ']) await assert.rejects(act(ann, none), (error: Problem) => error.code === 'validation');
  assert.equal((await act(ann, 'statement of 12 May, line 4')).status, 'awaiting_second');
  await assert.rejects(act(bob, 'another statement'), (error: Problem) => error.code === 'request_differs');
  assert.equal(await world.state(order), 'in_doubt');
  assert.equal((await act(bob, 'statement of 12 May, line 4')).status, 'done');
  await world.pass(1);
  assert.equal((await world.order(order)).view.state, 'completed');
  const [payout] = await world.db.rows<{ evidence: { statement: string; by: string[]; outcome: string } }>(
    'select evidence from payout where owner_id = $1',
    [order.view.id],
  );
  const { statement, by, outcome } = payout?.evidence ?? {};
  assert.deepEqual([statement, by, outcome], ['statement of 12 May, line 4', ['ann', 'bob'], 'sent']);
  await world.audit();
});
