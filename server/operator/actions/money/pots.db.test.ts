// Pots: the number of people, the postings, and the refusals.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { format, money, parse } from '@kurs/money';
import { openBeginning, openClaiming } from '../../../earn/testing.ts';
import { accounts, balance, leg, post, verify } from '../../../ledger/index.ts';
import { type Desk, openDesk } from '../../../payments/testing.ts';
import { newId, putSetting, watchSettings } from '../../../platform/index.ts';
import { leftInPots, potCheck } from '../../../pots/index.ts';
import { addPerson } from '../../people/person.testing.ts';
import type { Person } from '../../people/roles.ts';
import { setAside } from './pots.ts';

const reason = 'for the month';
const free = parse('USDT', '20000').parts;
let desk: Desk;
let ann: Person;
let bob: Person;

before(async () => {
  desk = await openDesk();
  [ann, bob] = [await addPerson(desk.db, 'ann'), await addPerson(desk.db, 'bob')];
  const legs = [leg(accounts.custody('USDT_ERC20', 'hot', 'USDT'), accounts.deskFree('USDT'), free)];
  await desk.db.tx((tx) => post(tx, [{ id: newId(), kind: 'capital_in', cause: newId(), legs, prices: { USDT: '1' } }]));
});
after(() => desk.close());

const asks = (person: Person, amount: string, back = false, pot: 'late' | 'earn' = 'late') =>
  setAside(desk.db, person, { pot, amount, back, reason });
const refuses = (acted: Promise<unknown>, code: string): Promise<void> =>
  assert.rejects(acted, (error: Problem) => error.code === code);
const there = () => balance(desk.db, accounts.promo('late', 'USDT'));

test('one person sets money aside and takes it back; the books follow', async () => {
  const own = await balance(desk.db, accounts.deskFree('USDT'));
  assert.deepEqual(await leftInPots(desk.db), { affiliate: undefined, late: undefined, earn: undefined });
  assert.equal((await asks(ann, '1000')).status, 'done');
  assert.equal((await asks(ann, '400.50', true)).status, 'done');
  assert.equal(await there(), parse('USDT', '599.5').parts);
  assert.equal(await balance(desk.db, accounts.deskFree('USDT')), own - parse('USDT', '599.5').parts);
  assert.deepEqual(await leftInPots(desk.db), { affiliate: undefined, late: 599_500_000n, earn: undefined });
});

test('refuses to set aside or take back more than there is', async () => {
  await refuses(asks(ann, '600', true), 'not_enough_there');
  const [had, much] = [await there(), await asks(ann, '30000')];
  assert.equal(much.status, 'awaiting_second');
  await refuses(asks(bob, '30000'), 'not_enough_there');
  assert.equal(await there(), had);
});

test('above 5 000 USD into one pot in 24 hours it takes two people, in pieces as well; another pot counts by itself', async () => {
  assert.equal((await asks(ann, '4000')).status, 'done', '1 000 before: what was taken back is no less of it');
  assert.equal((await asks(ann, '0.01')).status, 'awaiting_second');
  assert.equal((await asks(ann, '5000', false, 'earn')).status, 'done');
  await refuses(asks(ann, '0.01'), 'same_person');
  assert.equal((await asks(bob, '0.01')).status, 'done');
  assert.equal((await asks(ann, '4000', true)).status, 'done', 'to take it back takes one');
  await desk.pass(24 * 3_600_000);
  assert.equal((await asks(ann, '4000')).status, 'done');
  await asks(ann, '4000', true);
  await desk.pass(24 * 3_600_000);
  const maxAtOnce = await Promise.all(['2501', '2502'].map((amount) => asks(ann, amount)));
  assert.deepEqual(maxAtOnce.map(({ status }) => status).toSorted(), ['awaiting_second', 'done'], 'at once, too');
});

test('a pot contains what people put there', async () => {
  assert.deepEqual((await verify(desk.db, { checks: [potCheck] })).faults, []);
  await desk.db.tx((tx) => tx.run(`insert into pot_funding (id, pot, parts, at) values ($1, 'earn', 7, $2)`, [newId(), tx.now]));
  const { faults } = await verify(desk.db, { checks: [potCheck] });
  assert.ok(
    faults.some(({ account }) => account === 'promo:earn:USDT'),
    JSON.stringify(faults),
  );
});

test('what an open draw may win is not taken back, and all of it is once the draw is over', async () => {
  const watch = await watchSettings(desk.db);
  await desk.db.tx((tx) => putSetting(tx, 'earn.on', true, 'test'));
  await watch.refresh();
  try {
    const holderId = newId();
    const left = async () => Number(format(money('USDT', (await leftInPots(desk.db)).earn ?? 0n), 2));
    await asks(ann, '10', false, 'earn');
    const whole = await left();
    const { id } = await openBeginning(desk.db)({ holderId, spend: async () => undefined });
    await refuses(asks(ann, `${whole}`, true, 'earn'), 'not_enough_there');
    // The largest prize is 0.50.
    await refuses(asks(ann, (whole - 0.49).toFixed(2), true, 'earn'), 'not_enough_there');
    assert.equal((await asks(ann, (whole - 0.5).toFixed(2), true, 'earn')).status, 'done');
    await refuses(asks(ann, '0.01', true, 'earn'), 'not_enough_there');
    const { prize } = await openClaiming(desk.db)({ holderId, id, clientSeed: 'mine' });
    assert.equal(prize > 0n, true);
    const rest = await left();
    if (rest > 0) assert.equal((await asks(ann, rest.toFixed(2), true, 'earn')).status, 'done');
  } finally {
    await watch.stop();
  }
});
