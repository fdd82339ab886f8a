// Money without an order: two people assign it to a customer, and one sends it back or lets the customer choose.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Input, Problem, Routes } from '@kurs/contract';
import { writeHolderMacs } from '../../../auth/testing.ts';
import { type StoredOrder, readOrder } from '../../../exchange/index.ts';
import { type World, openWorld } from '../../../exchange/testing.ts';
import { accounts, balances, leg, post } from '../../../ledger/index.ts';
import { newId } from '../../../platform/index.ts';
import { addPerson } from '../../people/person.testing.ts';
import type { Person } from '../../people/roles.ts';
import { auditPage } from '../../people/store.ts';
import { requestsView } from '../../views.ts';
import { actOn } from '../act-on-order.ts';
import { allocate } from './unallocated.ts';

const reason = 'their letter of 12 May, with the transaction';
const PARTS = 250_000n;
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

/** Adds coin at a rail that nobody can explain. */
beforeEach(async () => {
  world.rails.BTC.world.fund('BTC', 'hot', PARTS);
  const found = leg(accounts.custody('BTC', 'hot', 'BTC'), accounts.suspense('BTC'), PARTS);
  await world.db.tx((tx) => post(tx, [{ id: newId(), kind: 'difference', cause: newId(), legs: [found], prices: {} }]));
});

type Wanted = Input<Routes['operatorUnallocated']>;
const whose = (more: Partial<Wanted> = {}): Wanted => ({
  ...{ currency: 'BTC', amount: '0.0025', email: 'ann@example.org', locale: 'en', txid: 'f'.repeat(64), reason },
  ...more,
});
const say = (who: Person, wanted: Wanted, key?: string) => allocate(world.db, world.deps.sender, who, wanted, key);
const refuses = (acted: Promise<unknown>, code: string) => assert.rejects(acted, (error: Problem) => error.code === code);
const unexplained = async (): Promise<bigint | undefined> => (await balances(world.db, [accounts.suspense('BTC')]))[0];

/** Returns the newest unallocated payment. */
async function newest(): Promise<StoredOrder> {
  const row = await world.db.row<{ number: string }>(
    `select number from customer_order where kind = 'unallocated' order by created_at desc limit 1`,
  );
  return (row && (await readOrder(world.db, row.number))) ?? assert.fail('nothing came of it');
}

/** Assigns money by both people with the same words. Returns the unallocated payment. */
async function allocated(wanted: Wanted): Promise<StoredOrder> {
  await say(ann, wanted);
  assert.equal((await say(bob, wanted)).status, 'done');
  return newest();
}

test('two people assign it with identical input, and no more than is unexplained', async () => {
  const account = { ...world.rails.BTC.receiver() };
  const wanted = whose({ account });
  await refuses(say(kim, wanted), 'forbidden');
  await refuses(say(ann, whose({ amount: '0.0026' })), 'not_enough_there');
  await refuses(say(ann, whose({ amount: '0' })), 'validation');
  await refuses(say(ann, whose({ currency: 'XYZ' })), 'validation');
  await refuses(say(ann, whose({ account: { address: 'nowhere' } })), 'validation');
  assert.equal((await say(ann, wanted, 'once')).status, 'awaiting_second');
  assert.equal((await say(ann, wanted, 'once')).status, 'awaiting_second', 'the same call again asks nothing more');
  const [request] = await requestsView(world.db);
  assert.deepEqual(
    [request?.by, request?.action, request?.subject, request?.details['email']],
    ['ann', 'desk_unallocated', 'BTC', 'ann@example.org'],
  );
  await refuses(say(ann, wanted), 'same_person');
  await refuses(say(bob, whose({ account, email: 'eve@example.org' })), 'request_differs');
  await refuses(say(bob, whose({ account: { ...world.rails.BTC.receiver() } })), 'request_differs');
  assert.equal(await unexplained(), PARTS, 'one alone moves nothing');
  assert.equal((await say(bob, wanted, 'twice')).status, 'done');
  assert.equal((await say(bob, wanted, 'twice')).status, 'done', 'the same call again moves nothing');
  assert.equal(await unexplained(), 0n);
  const order = await newest();
  assert.deepEqual([order.view.state, order.view.positions.in, order.unallocatedOf], ['holding', PARTS, undefined]);
  assert.deepEqual(await world.letters(order), ['checking']);
  const { rows } = await auditPage(world.db, { page: 1, per_page: 2 });
  assert.deepEqual(
    rows.map(({ by, action, outcome, reason: why }) => [by, action, outcome, why]),
    [
      ['bob', 'desk_unallocated', 'done', reason],
      ['ann', 'desk_unallocated', 'asked', reason],
    ],
  );
  await world.audit();
});

test('a person sends it back to the account that both have named', async () => {
  const order = await allocated(whose({ account: { ...world.rails.BTC.receiver() } }));
  await actOn(world.db, world.deps.sender, kim, { id: order.number, action: 'decide_refund', reason });
  await world.mine(10);
  await world.mine(10);
  const { view } = await world.order(order);
  assert.deepEqual([view.state, view.facts.sent?.parts], ['refunded', PARTS]);
  await world.audit();
});

test('or a person lets its customer choose the account, by letter', async () => {
  const order = await allocated(whose({ email: 'olga@example.org', locale: 'ru' }));
  await actOn(world.db, world.deps.sender, kim, { id: order.number, action: 'release', reason });
  await world.pass(1);
  assert.deepEqual(
    [(await world.order(order)).view.state, order.email, order.locale, order.holderId],
    ['choosing', 'olga@example.org', 'ru', undefined],
  );
  assert.deepEqual(await world.letters(order), ['checking', 'needs_you']);
  await world.audit();
});

test('what belongs to an account is shown to its holder, in their language', async () => {
  const holder = newId();
  await world.db.run(
    `insert into account_holder (id, email, email_key, locale, referral_code, created_at)
     values ($1, 'Rosa@example.org', 'rosa@example.org', 'ru', 'rosa', now())`,
    [holder],
  );
  await writeHolderMacs(world.db);
  const order = await allocated(whose({ email: 'rosa@example.org' }));
  assert.deepEqual([order.holderId, order.locale, order.email], [holder, 'ru', 'Rosa@example.org']);
  await world.audit();
});
