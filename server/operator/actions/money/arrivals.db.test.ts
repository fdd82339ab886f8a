// Coin that a contract handed on to a wallet's address: the desk lists it, and two people book its transaction.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Problem, routes } from '@kurs/contract';
import { weighAddresses } from '../../../payments/testing.ts';
import type { Lies, ObservedPayment, ReceivingAddress } from '../../../rails/rail.ts';
import { type WalletWorld, as, emailOf, walletWorld } from '../../../wallets/testing.ts';
import { actOnArrival, arrivalsView } from './arrivals.ts';
import { addPerson } from '../../people/person.testing.ts';
import type { Person } from '../../people/roles.ts';
import { OWNERS } from '../../owners.testing.ts';

const PARTS = 250_000n;
const TX = 'f'.repeat(64);
let world: WalletWorld;
let ann: Person;
let bob: Person;
let kim: Person;
/** Sums that a contract handed on, by address. */
const handed = new Map<string, bigint>();

before(async () => {
  world = await walletWorld();
  const { db, rail } = world.desk;
  [ann, bob, kim] = [await addPerson(db, 'ann'), await addPerson(db, 'bob'), await addPerson(db, 'kim', 'compliance')];
  const { observe } = rail.payin;
  Object.assign(rail.payin, {
    lies: async (places: readonly string[]): Promise<Lies> => ({
      currency: 'BTC',
      height: 100,
      parts: new Map(places.map((to) => [to, handed.get(to) ?? 0n])),
    }),
    observe: async (addresses: readonly ReceivingAddress[], unread: () => void) => [
      ...(await observe(addresses, unread)),
      ...addresses.flatMap(({ to, handedOn = [] }) =>
        handedOn.filter(({ txid }) => txid === TX).map(({ parts }) => shown(to, parts)),
      ),
    ],
  });
});
after(() => world.close());

const shown = (to: string, parts: bigint): ObservedPayment => ({
  ...{ key: `${TX}:handed:${to}`, currency: 'BTC', to, parts, txid: TX, from: ['contract'] },
  status: { at: 'block', height: 1, hash: 'h', minedAt: new Date(1_767_225_600_000), confirmations: 100, isFinalised: true },
});
const fails = (code: string) => (error: Problem) => error.code === code;

test('two operators, the same in everything, make it a deposit of the wallet whose address it came to', async () => {
  const { desk } = world;
  const holder = await world.holder();
  const { deposit } = await world.handlers.walletStore({ currency: 'BTC' }, as(holder));
  const place = deposit?.address ?? '';
  const settle = async () => {
    await desk.pass(11 * 60_000);
    await world.settle();
    await weighAddresses(desk.deps, desk.rail);
  };
  await settle();
  handed.set(place, PARTS);
  const book = (person: Person, more: { amount?: string; txid?: string } = {}) =>
    actOnArrival(desk.db, person, {
      place,
      txid: TX,
      amount: '0.0025',
      evidence: 'the explorer',
      reason: 'from a contract wallet',
      ...more,
    });
  await settle();
  await assert.rejects(book(ann), fails('not_found'), 'a look may show what it is');
  await settle();
  const [row] = routes.operatorArrivals.output.parse(await arrivalsView(desk.db, OWNERS));
  assert.deepEqual([row?.place, row?.email, row?.amount.amount], [place, emailOf(holder), '0.00250000']);
  await assert.rejects(book(kim), fails('forbidden'));
  await assert.rejects(book(ann, { amount: '0.0025001' }), fails('not_enough_there'));
  await assert.rejects(book(ann, { txid: 'e'.repeat(64) }), fails('action_not_open'), 'the chain has no such transaction');
  assert.equal((await book(ann)).status, 'awaiting_second');
  await assert.rejects(book(ann), fails('same_person'));
  await assert.rejects(book(bob, { amount: '0.0024' }), fails('request_differs'));
  assert.equal(await world.available(holder), 0n, 'one alone books nothing');
  assert.equal((await book(bob)).status, 'done');
  await world.settle();
  assert.equal(await world.available(holder), PARTS);
  await settle();
  assert.deepEqual(await arrivalsView(desk.db, OWNERS), []);
  await assert.rejects(book(ann), fails('not_found'), 'never twice for the same');
  await world.isRight();
});
