// Tests that a room receives events about its own kinds of owners only.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { checkOfRows } from '../ledger/index.ts';
import { outbox, newId, openTokens } from '../platform/index.ts';
import { type TestDb, testDb } from '../platform/testing.ts';
import { type OwnedEvent, type OwnerKind, gatesOf, subscriptionsOf } from './owners.ts';

let world: TestDb;
before(async () => {
  world = await testDb();
});
after(() => world.drop());

const HAPPENED = 'test.happened';
const reported: string[] = [];
const SENDER = { tokens: openTokens(new Map([[1, Buffer.alloc(32)]])), name: 'Kurs', url: 'http://kurs.test' };
const owning = (kind: OwnerKind['kind']): OwnerKind => ({
  kind,
  purposes: [],
  outKinds: [],
  check: checkOfRows(async () => []),
  byId: async () => [],
  mayLeave: async () => new Map([[kind, { reason: `${kind}s say no` }]]),
  handlers: [
    {
      subscriber: `${kind}s`,
      events: [HAPPENED],
      handle: async (_, events: readonly OwnedEvent[]) =>
        void reported.push(...events.map(({ ownerId, subject }) => `${kind}s: ${ownerId === subject.split(':')[1]} ${subject}`)),
    },
  ],
});

test('each kind receives its own events, with the id of the owner', async () => {
  const subscriptions = subscriptionsOf([owning('order'), owning('wallet')], SENDER);
  await outbox.subscribe(world.db, subscriptions);
  const subjects = ['order:1', 'wallet:2', 'invoice:3', 'orders:4', 'order:5'];
  const events = subjects.map((subject) => ({ id: newId(), kind: HAPPENED, subject, body: {} }));
  await world.db.tx((tx) => outbox.publish(tx, events));
  for (const subscription of subscriptions) await outbox.drain(world.db, subscription);
  assert.deepEqual(reported, ['orders: true order:1', 'orders: true order:5', 'wallets: true wallet:2']);
  assert.equal(await world.db.row('select from event_delivery'), undefined, 'no delivery is left');
});

test('refuses a second registration of one kind', () => {
  assert.throws(() => subscriptionsOf([owning('order'), owning('order')], SENDER), /two owners/);
  assert.throws(() => gatesOf([owning('order'), owning('order')]), /two owners/);
});

test('asks the kind of its owner before a payout leaves', async () => {
  const gates = gatesOf([owning('order'), owning('wallet')]);
  assert.deepEqual(Object.keys(gates), ['order', 'wallet']);
  const said = await world.db.tx(async (tx) => gates.wallet?.(tx, []));
  assert.equal(said?.get('wallet')?.reason, 'wallets say no');
});
