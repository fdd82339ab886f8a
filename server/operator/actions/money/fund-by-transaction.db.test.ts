// The desk's own money on a chain is booked by its transaction, from which the sum is read.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { accounts, balance } from '../../../ledger/index.ts';
import { useRails } from '../../../payments/index.ts';
import { type Desk, openDesk } from '../../../payments/testing.ts';
import { newId } from '../../../platform/index.ts';
import { type RatesWatch, watchRates } from '../../../rates/index.ts';
import { addPerson } from '../../people/person.testing.ts';
import type { Person } from '../../people/roles.ts';
import { recordBitcoin } from '../prices.testing.ts';
import { type Fund, fund } from './desk-money.ts';

let desk: Desk;
let rates: RatesWatch;
let [ann, bob] = [{}, {}] as [Person, Person];
let own: string;
let isAway = false;

before(async () => {
  desk = await openDesk();
  await recordBitcoin(desk.db);
  rates = await watchRates(desk.db);
  [ann, bob] = [await addPerson(desk.db, 'ann'), await addPerson(desk.db, 'bob')];
  const { payin } = desk.rail;
  own = payin.instruct('BTC', 900_000).to;
  const paidBy: NonNullable<typeof payin.paidBy> = async ({ currency, to }, hash) => {
    if (isAway) throw new Error('the node is away');
    const txid = hash.slice(0, 20);
    const here = await payin.observe([{ currency, to, sinceHeight: 0 }]);
    const payments = here.filter((one) => one.txid === txid);
    if (payments.some(({ status }) => status.at === 'mempool')) return { is: 'waiting' };
    return payments.length > 0 || known.has(txid) ? { is: 'mined', payments } : { is: 'unknown' };
  };
  useRails(new Map([[desk.rail.id, { ...desk.rail, ownAccount: () => own, payin: { ...payin, paidBy } }]]));
});
after(async () => {
  await rates.stop();
  await desk.close();
});

const known = new Set<string>();
const pay = (parts: bigint, to = own, from?: string): string => {
  const txid = desk.world.pay(to, parts, from === undefined ? {} : { from: [from] });
  known.add(txid);
  return txid;
};
/** Returns a hash as a person pastes it; hashes of the in-memory chain are shorter than real ones. */
const written = (txid: string): string => `https://explorer.example/tx/${txid.padEnd(64, '0').toUpperCase()}`;
const given = (txid: string, more: Partial<Fund> = {}): Fund => ({
  currency: 'BTC',
  txid: written(txid),
  place: 'hot',
  rebalance: false,
  reason: 'our own',
  ...more,
});
const put = (person: Person, txid: string, more: Partial<Fund> = {}) => fund(desk.db, person, given(txid, more));
const whyNot = (acted: Promise<unknown>): Promise<unknown> =>
  acted.then(
    () => 'done',
    (error: unknown) =>
      error instanceof Problem
        ? Object.entries(error.details.errors ?? {})
            .map(([field, said]) => `${field}: ${(said as { code: string }).code}`)
            .join() || error.code
        : error,
  );
const free = () => balance(desk.db, accounts.deskFree('BTC'));

test('the sum is read from the chain once the transaction is deep enough, and booked once', async () => {
  const txid = pay(400_000n);
  assert.equal(await whyNot(put(ann, txid)), 'txid: fund_waiting');
  assert.equal(await free(), 0n);
  desk.world.mine(1);
  assert.equal((await put(ann, txid)).status, 'done', '360 USD take one confirmation');
  assert.equal(await free(), 400_000n);
  assert.equal(await whyNot(put(ann, txid)), 'txid: fund_twice');
  assert.equal(await whyNot(put(bob, txid, { place: 'fuel' })), 'txid: fund_twice');
  assert.equal(await free(), 400_000n);
});

test('a larger sum takes its depth, and two people who name the same transaction', async () => {
  const [txid, other] = [pay(10_000_000n), pay(10_000_000n)];
  desk.world.mine(3);
  assert.equal(await whyNot(put(ann, txid)), 'txid: fund_shallow');
  desk.world.mine(3);
  const before = await free();
  assert.equal((await put(ann, txid)).status, 'awaiting_second');
  assert.equal(await whyNot(put(bob, other)), 'request_differs');
  assert.equal((await put(bob, txid)).status, 'done');
  assert.equal((await free()) - before, 10_000_000n);
  assert.equal(await whyNot(put(ann, txid)), 'txid: fund_twice');
});

test('refuses a foreign, unknown or own transaction, and a typed sum', async () => {
  const before = await free();
  const foreign = pay(100_000n, desk.receiver()['address']);
  const { to } = await desk.open();
  const collected = pay(100_000n, own, to);
  const sent = pay(100_000n);
  desk.world.mine(6);
  assert.equal(await whyNot(put(ann, foreign)), 'txid: fund_foreign');
  assert.equal(await whyNot(put(ann, 'abcdef0123456789abcd')), 'txid: fund_unknown');
  assert.equal(await whyNot(put(ann, collected)), 'txid: fund_ours');
  await desk.db.run(
    `insert into payment_attempt (id, rail, purpose, reference, items, raw, spends, fee_currency, fee, fee_known, status, stored_at)
     values ($1, 'bitcoin', 'payout', $2, '{}', 'x', '{}', 'BTC', 1, 'sent', 'final', clock_now())`,
    [newId(), sent],
  );
  assert.equal(await whyNot(put(ann, sent)), 'txid: fund_ours');
  assert.equal(await whyNot(fund(desk.db, ann, { ...given(sent), txid: 'no hash' })), 'txid: fund_format');
  assert.equal(await whyNot(put(ann, sent, { amount: '1' })), 'amount: fund_by_txid');
  const { txid: _txid, ...typed } = given(sent);
  assert.equal(await whyNot(fund(desk.db, ann, { ...typed, reference: 'r' })), 'txid: required');
  assert.equal(await whyNot(fund(desk.db, ann, { ...typed, amount: '1', reference: 'r' })), 'amount: fund_by_txid');
  isAway = true;
  assert.equal(await whyNot(put(ann, sent)), 'txid: fund_no_answer');
  isAway = false;
  assert.equal(await free(), before);
});
