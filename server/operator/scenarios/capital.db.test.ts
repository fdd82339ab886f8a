// Booked capital and differences: the number of people, and the time from which capital counts.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { accounts, balance } from '../../ledger/index.ts';
import { fundDesk } from '../../payments/index.ts';
import { type Desk, openDesk } from '../../payments/testing.ts';
import { newId } from '../../platform/index.ts';
import { readReserve } from '../../pricing/index.ts';
import { type RatesWatch, watchRates } from '../../rates/index.ts';
import { bookUnexplained, fund } from '../actions/money/desk-money.ts';
import { addPerson } from '../people/person.testing.ts';
import { recordBitcoin } from '../actions/prices.testing.ts';
import type { Person } from '../people/roles.ts';

const reason = 'counted by hand';
let desk: Desk;
let rates: RatesWatch;
let ann: Person;
let bob: Person;

before(async () => {
  desk = await openDesk();
  await recordBitcoin(desk.db);
  rates = await watchRates(desk.db);
  [ann, bob] = [await addPerson(desk.db, 'ann'), await addPerson(desk.db, 'bob')];
  // Half of the money at the rail is customers'.
  await desk.db.tx((tx) => fundDesk(tx, { id: newId(), currency: 'BTC', place: 'hot', parts: 5_000_000_000n }));
});
after(async () => {
  await rates.stop();
  await desk.close();
});

const refuses = (acted: Promise<unknown>, code: string): Promise<void> =>
  assert.rejects(acted, (error: Problem) => error.code === code);
const capital = (person: Person, amount: string) =>
  fund(desk.db, person, { currency: 'BTC', amount, place: 'hot', rebalance: false, reference: 'r', reason });
const free = () => balance(desk.db, accounts.deskFree('BTC'));
async function compare(): Promise<void> {
  await desk.pass(1_000);
  await desk.read();
  await desk.reconcile();
}

test('up to 5 000 USD one operator books it, above two', async () => {
  assert.equal((await capital(ann, '0.05')).status, 'done');
  assert.equal((await capital(ann, '0.00000001')).status, 'awaiting_second', 'in pieces it is as much');
  assert.equal((await capital(ann, '0.05000001')).status, 'awaiting_second');
  await refuses(capital(ann, '0.05000001'), 'same_person');
  assert.equal(await free(), 5_005_000_000n);
  assert.equal((await capital(bob, '0.05000001')).status, 'done');
  assert.equal(await free(), 5_010_000_001n);
});

test('booking ten for one that arrived promises no more until the rail confirms it, even by two people', async () => {
  await compare();
  const before = await readReserve(desk.db, 'BTC');
  await capital(ann, '10');
  await capital(bob, '10');
  assert.equal(await readReserve(desk.db, 'BTC'), before, 'it is booked, and promises nothing');
  desk.world.fund('BTC', 'hot', -5_000_000_000n);
  await compare();
  assert.ok((await readReserve(desk.db, 'BTC')) <= before, 'the rail has less than what is booked');
  desk.world.fund('BTC', 'hot', 6_020_000_000n);
  await compare();
  assert.ok((await readReserve(desk.db, 'BTC')) > before, 'the rail shows it');
});

test('booking a difference that stops promises takes two people', async () => {
  const there = desk.world.held('BTC', 'hot') - (await balance(desk.db, accounts.custody('BTC', 'hot', 'BTC')));
  desk.world.fund('BTC', 'hot', -there - 50_001n);
  await compare();
  const less = { currency: 'BTC', place: 'hot', side: 'less', amount: '0.00050001', reason } as const;
  await refuses(bookUnexplained(desk.db, ann, { ...less, amount: '0.0006' }), 'difference_changed');
  assert.equal((await bookUnexplained(desk.db, ann, less)).status, 'awaiting_second');
  assert.equal((await bookUnexplained(desk.db, bob, less)).status, 'done');
  desk.world.fund('BTC', 'hot', -50_000n);
  await compare();
  assert.equal((await bookUnexplained(desk.db, ann, { ...less, amount: '0.0005' })).status, 'done', 'fifty dollars by one');
});
