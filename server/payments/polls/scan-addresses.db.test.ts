// Tests coins at our own addresses that the books don't know: found by a scan, booked by people, then swept and polled.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { accounts, verify } from '../../ledger/index.ts';
import { newId } from '../../platform/index.ts';
import type { Rail, UsedAddress } from '../../rails/rail.ts';
import { fundDesk } from '../balances/capital.ts';
import { clearDifference } from '../balances/corrections.ts';
import { bookDifference, differences } from '../balances/reconcile.ts';
import { isOwnAddress } from '../payins/open-payin.ts';
import { useRails } from '../rails/registry.ts';
import { walletState } from '../rails/wallet.ts';
import { enterRestored } from '../restored/restored-mode.ts';
import { sweepRail } from '../sending/sweep.ts';
import { type Desk, openDesk } from '../scenarios/world.testing.ts';
import { scanIndexes, takeFound, unknownAmong } from './scan-addresses.ts';

const ETHER = 10n ** 18n;
const USDT = 1_000_000n;
const CODE = 'USDT_MEM';
let desk: Desk;
let rail: Rail;
/** Indexes of addresses that were ever used, and of change. */
const [used, usedChange] = [new Set<number>(), new Set<number>()];

beforeEach(async () => {
  desk = await openDesk({ id: 'evm', currencies: [{ code: CODE, unit: 'USDT' }], batch: 1, fuel: 'ETH' });
  for (const set of [used, usedChange]) set.clear();
  const addressOf = (index: number): UsedAddress => {
    const { to } = desk.rail.payin.instruct(CODE, index);
    const parts = desk.world.held(CODE, to);
    return { index, to, holds: parts > 0n ? [{ currency: CODE, parts }] : [] };
  };
  const among = (set: ReadonlySet<number>) => async (indexes: readonly number[]) =>
    indexes.filter((index) => set.has(index)).map(addressOf);
  rail = { ...desk.rail, scan: { receiving: among(used), change: among(usedChange) } };
  useRails(new Map([[rail.id, rail]]));
  // Coin already in the hot wallet is no part of these tests.
  await desk.db.tx((tx) =>
    fundDesk(tx, [
      { id: newId(), currency: 'ETH', place: 'fuel', parts: ETHER },
      { id: newId(), currency: CODE, place: 'hot', parts: 10_000_000_000n },
    ]),
  );
});
afterEach(async () => {
  const { faults } = await verify(desk.db);
  await desk.close();
  assert.deepEqual(faults, []);
});

/** Pays to one of our addresses without a row, as before the database was lost. */
function paidBefore(index: number, parts: bigint): string {
  const { to } = desk.rail.payin.instruct(CODE, index);
  desk.world.pay(to, parts);
  desk.world.mine(200);
  used.add(index);
  return to;
}

async function scan(from = 0, count = 100): Promise<number[]> {
  const { height, ...found } = await scanIndexes('evm', { from, count });
  return desk.db.tx(async (tx) => {
    const unknown = await unknownAmong(tx, 'evm', found);
    if (unknown.receiving.length + unknown.change.length > 0) await takeFound(tx, 'evm', unknown, height);
    return unknown.receiving.map(({ index }) => index);
  });
}

const nextNumber = async (): Promise<number> =>
  Number((await desk.db.row<{ next: string }>('select next_number as next from receiving_address_counter'))?.next);
const numberOf = async (order: string): Promise<number> =>
  Number((await desk.db.row<{ number: string }>('select number from receiving_address where owner_id = $1', [order]))?.number);
const holding = async (): Promise<readonly number[]> => (await walletState(desk.db, 'evm')).indexes;

/** Runs a turn some minutes later, and reconciles the rail with the books. */
async function later(): Promise<void> {
  desk.world.mine(200);
  await desk.pass(180_000);
  await desk.turn();
  await desk.read();
  await desk.reconcile();
}
const atDeposits = async (): Promise<bigint> =>
  (await differences(desk.db)).find(({ currency, place }) => currency === CODE && place === 'deposit')?.parts ?? 0n;

test('finds coin at addresses that were handed out before, and hands none of them out again', async () => {
  paidBefore(3, 300n * USDT);
  paidBefore(700, 40n * USDT);
  const emptied = paidBefore(17, 1n);
  assert.deepEqual(await scan(), [3, 17]);
  assert.deepEqual(await scan(100, 1_000), [700]);
  assert.deepEqual(await holding(), [0, 3, 17, 700]);
  assert.equal(await nextNumber(), 700 + 10_000 + 1);
  const { order } = await desk.open();
  assert.equal(await numberOf(order), 10_701);
  assert.equal(await isOwnAddress(desk.db, emptied), true, 'no order pays out there');
  assert.deepEqual(await scan(), [], 'a second scan finds nothing new');
  assert.equal(await nextNumber(), 10_701 + 16);
});

test('takes numbers that are free or were passed over, and leaves customers’ numbers alone', async () => {
  const { order, to } = await desk.open();
  const mine = await numberOf(order);
  assert.equal(mine, 1);
  used.add(mine);
  desk.world.pay(to, 5n * USDT);
  // Derived ahead and not handed out yet: somebody received it before the database was lost.
  paidBefore(2, 9n * USDT);
  assert.deepEqual(await scan(), [2]);
  assert.equal(
    (await desk.db.row<{ owner: string }>('select owner_id as owner from receiving_address where number = 1'))?.owner,
    order,
  );
  assert.equal(await numberOf((await desk.open()).order), 2 + 10_000 + 1, 'not 3, which may have been given to somebody');
  // A number that was passed over is found by a later scan, once it is paid.
  paidBefore(5, 7n * USDT);
  assert.deepEqual(await scan(), [5]);
  assert.equal((await holding()).includes(5), true);
});

test('moves nothing that the books lack, and sweeps it once people have booked it', async () => {
  const [one, other] = [paidBefore(3, 300n * USDT), paidBefore(4, 200n * USDT)];
  await scan();
  await later();
  assert.equal(await sweepRail(desk.deps, rail), 0, 'nobody has booked it');
  assert.equal(await atDeposits(), 500n * USDT);
  await desk.db.tx((tx) => bookDifference(tx, { id: newId(), currency: CODE, place: 'deposit', parts: 500n * USDT }));
  await desk.db.tx((tx) => clearDifference(tx, { id: newId(), currency: CODE, parts: 500n * USDT, to: 'free' }));
  assert.equal(await desk.balance(accounts.deskFree('USDT')), 10_000_000_000n + 500n * USDT);
  // Gas, then the transfer.
  for (let step = 0; step < 4; step += 1) {
    await sweepRail(desk.deps, rail);
    await later();
  }
  assert.deepEqual([desk.world.held(CODE, one), desk.world.held(CODE, other)], [0n, 0n]);
  assert.equal(await desk.balance(accounts.custody(CODE, 'deposit', 'USDT')), 0n);
  assert.equal(await desk.balance(accounts.custody(CODE, 'hot', 'USDT')), desk.world.held(CODE, 'hot'));
  assert.equal(await atDeposits(), 0n);
});

test('sweeps no more of what was found than was booked', async () => {
  paidBefore(3, 300n * USDT);
  await scan();
  await later();
  await desk.db.tx((tx) => bookDifference(tx, { id: newId(), currency: CODE, place: 'deposit', parts: 300n * USDT }));
  const second = paidBefore(4, 200n * USDT);
  await scan();
  for (let step = 0; step < 4; step += 1) {
    await sweepRail(desk.deps, rail);
    await later();
  }
  assert.equal(desk.world.held(CODE, second), 200n * USDT);
  assert.equal(await atDeposits(), 200n * USDT, 'it waits for people');
});

test('sees a later payment to a found address', async () => {
  used.add(3);
  const { to } = desk.rail.payin.instruct(CODE, 3);
  assert.deepEqual(await scan(), [3]);
  assert.deepEqual(await holding(), [0], 'it is empty');
  desk.world.mine(5);
  desk.world.pay(to, 60n * USDT);
  await later();
  await later();
  assert.deepEqual(await holding(), [0, 3]);
  assert.equal(await atDeposits(), 60n * USDT, 'it shows as a difference');
  assert.equal(await sweepRail(desk.deps, rail), 0);
});

test('coin counted by a scan is not seen again by a poll, even in the newest block', async () => {
  const { to } = desk.rail.payin.instruct(CODE, 3);
  used.add(3);
  desk.world.pay(to, 60n * USDT);
  desk.world.mine();
  await scan();
  for (let turn = 0; turn < 3; turn += 1) await later();
  assert.deepEqual(await desk.db.rows('select from payin'), []);
  assert.equal(await atDeposits(), 60n * USDT);
});

test('polls used change addresses from then on', async () => {
  for (const index of [0, 1, 41]) usedChange.add(index);
  await scan();
  assert.equal((await walletState(desk.db, 'evm')).changeIndex, 42);
  await scan();
  assert.equal((await walletState(desk.db, 'evm')).changeIndex, 42);
});

test('takes nothing of an incomplete answer, and refuses a rail without addresses of ours', async () => {
  const failing = { receiving: () => Promise.reject(new Error('no answer')) };
  useRails(new Map([[rail.id, { ...rail, scan: failing }]]));
  await assert.rejects(scan(), { code: 'unavailable' });
  useRails(new Map([[desk.rail.id, desk.rail]]));
  await assert.rejects(scan(), { code: 'not_found' });
  await assert.rejects(scanIndexes('doge', { from: 0, count: 1 }), { code: 'not_found' });
  assert.deepEqual(await holding(), [0]);
});

test('signs no sweep while payouts are off', async () => {
  const { to } = await desk.open();
  desk.world.pay(to, 400n * USDT);
  desk.world.mine(12);
  await desk.turn();
  const { sweep } = rail;
  assert.ok(sweep);
  let prepared = 0;
  const counting = {
    ...rail,
    sweep: { ...sweep, prepare: (...request: Parameters<typeof sweep.prepare>) => ((prepared += 1), sweep.prepare(...request)) },
  };
  await desk.db.tx((tx) => enterRestored(tx, [{ found: 'keys', detail: 'The seed was put back.' }]));
  assert.equal(await sweepRail(desk.deps, counting), 0);
  assert.equal(prepared, 0);
});
