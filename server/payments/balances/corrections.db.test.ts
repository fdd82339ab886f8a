import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type JournalKind, type Leg, accounts, leg, post, profit, verify } from '../../ledger/index.ts';
import { newId } from '../../platform/index.ts';
import { fundDesk } from './capital.ts';
import { closeBooks, closeEachDay } from './close-books.ts';
import { clearDifference, markStuck } from './corrections.ts';
import { askReserve, payable, refreshFloat } from './float.ts';
import { bookDifference, differences, reconcile } from './reconcile.ts';
import { payRail } from '../sending/send-payouts.ts';
import { paymentsWork } from '../work.ts';
import { type Desk, fixedValues, openDesk } from '../scenarios/world.testing.ts';

const CAPITAL = 10_000_000_000n;
const hot = accounts.custody('BTC', 'hot', 'BTC');
const suspense = accounts.suspense('BTC');
const notOpen = { code: 'not_enough_there' };

/** A desk whose books know its capital. */
async function withDesk(work: (desk: Desk) => Promise<void>): Promise<void> {
  const desk = await openDesk();
  try {
    await desk.db.tx((tx) => fundDesk(tx, { id: newId(), currency: 'BTC', place: 'hot', parts: CAPITAL }));
    await work(desk);
    assert.deepEqual((await verify(desk.db)).faults, []);
  } finally {
    await desk.close();
  }
}

async function difference(desk: Desk): Promise<bigint | undefined> {
  await askReserve(desk.deps, desk.rail);
  await reconcile(desk.db);
  return (await differences(desk.db)).find(({ place }) => place === 'hot')?.parts;
}

it('an unexplained difference is cleared to its owner, and no more than it', () =>
  withDesk(async (desk) => {
    const book = async (parts: bigint): Promise<void> => {
      desk.world.fund('BTC', 'hot', parts);
      assert.equal(await difference(desk), parts);
      await desk.db.tx((tx) => bookDifference(tx, { id: newId(), currency: 'BTC', place: 'hot', parts }));
    };
    const clear = (parts: bigint, to: 'free' | 'loss' | 'network' | 'rail', id = newId()): Promise<void> =>
      desk.db.tx((tx) => clearDifference(tx, { id, currency: 'BTC', parts, to }));
    await book(5_000n);
    await assert.rejects(clear(5_001n, 'free'), notOpen);
    await assert.rejects(clear(1n, 'loss'), notOpen, 'nothing was less');
    await clear(5_000n, 'free');
    assert.equal(await desk.balance(accounts.deskFree('BTC')), CAPITAL + 5_000n);
    await book(-3_000n);
    await clear(1_000n, 'network');
    await clear(1_500n, 'loss');
    await clear(500n, 'rail');
    assert.deepEqual(
      await Promise.all(
        [suspense, ...(['network', 'loss', 'rail'] as const).map((kind) => accounts.spent(kind, 'BTC'))].map(desk.balance),
      ),
      [0n, 1_000n, 1_500n, 500n],
    );
    assert.equal(await difference(desk), 0n);
  }));

it('stuck money promises and sends nothing, is no difference, and may be released again', () =>
  withDesk(async (desk) => {
    const mark = (parts: bigint, isBack = false): Promise<void> =>
      desk.db.tx((tx) => markStuck(tx, { id: newId(), currency: 'BTC', parts, isBack }));
    await desk.turn();
    assert.ok((await payable(desk.db, 'BTC')) > 0n);
    await assert.rejects(mark(CAPITAL + 1n), notOpen);
    await mark(CAPITAL - 1_000n);
    assert.equal(await payable(desk.db, 'BTC'), 0n, 'at once');
    await refreshFloat(desk.deps, desk.rail);
    assert.equal(await payable(desk.db, 'BTC'), 0n, 'and from then on');
    assert.equal(await difference(desk), 0n);
    const id = await desk.request(100_000n);
    await payRail(desk.deps, desk.rail);
    assert.equal(await desk.status(id), 'queued');
    await assert.rejects(mark(CAPITAL, true), notOpen);
    await mark(CAPITAL - 1_000n, true);
    assert.equal(await desk.balance(hot), CAPITAL);
    await desk.pass(10_000);
    await desk.turn();
    assert.equal(await desk.status(id), 'sent');
    assert.ok((await payable(desk.db, 'BTC')) > 0n);
  }));

function book(desk: Desk, kind: JournalKind, legs: Leg[]): Promise<unknown> {
  return desk.db.tx((tx) => post(tx, [{ id: newId(), kind, cause: newId(), legs, prices: { BTC: '100000' } }]));
}

/** An order is paid, and all of it is spread. */
const earn = (desk: Desk, parts: bigint): Promise<unknown> =>
  book(desk, 'exchange', [
    leg(hot, accounts.orderIn('o', 'BTC'), parts),
    leg(accounts.orderIn('o', 'BTC'), accounts.income('spread', 'BTC'), parts),
  ]);

it('the close moves income into free money, pays expenses as far as that reaches, and moves no profit', () =>
  withDesk(async (desk) => {
    const [income, spent, free] = [accounts.income('spread', 'BTC'), accounts.spent('loss', 'BTC'), accounts.deskFree('BTC')];
    const lose = (parts: bigint): Promise<unknown> =>
      book(desk, 'write_off', [
        leg(spent, accounts.receivable('ann', 'BTC'), parts),
        leg(accounts.receivable('ann', 'BTC'), hot, parts),
      ]);
    await earn(desk, 5_000n);
    await lose(3_000n);
    const before = await profit(desk.db);
    await desk.db.tx((tx) => closeBooks(tx, { id: newId() }));
    assert.deepEqual(await Promise.all([income, spent, free].map(desk.balance)), [0n, 0n, CAPITAL + 2_000n]);
    const after = await profit(desk.db);
    assert.equal(after.profit, before.profit);
    await lose(CAPITAL + 1_000n);
    await desk.db.tx((tx) => closeBooks(tx, { id: newId() }));
    assert.deepEqual(await Promise.all([spent, free].map(desk.balance)), [0n, 1_000n]);
  }));

it('the books are closed once a night, by the first process, and only if there is something to close', () =>
  withDesk(async (desk) => {
    const DAY = 24 * 3_600_000;
    const [income, free] = [accounts.income('spread', 'BTC'), accounts.deskFree('BTC')];
    const closes = async (): Promise<bigint[]> => {
      await Promise.all(Array.from({ length: 4 }, () => closeEachDay(desk.db, fixedValues)));
      return Promise.all([income, free].map(desk.balance));
    };
    await earn(desk, 5_000n);
    assert.deepEqual(await closes(), [5_000n, CAPITAL], 'the first day only begins');
    await desk.pass(DAY);
    assert.deepEqual(await closes(), [0n, CAPITAL + 5_000n]);
    await earn(desk, 5_000n);
    assert.deepEqual(await closes(), [5_000n, CAPITAL + 5_000n], 'not before the next night');
    await desk.pass(3 * DAY);
    assert.deepEqual(await closes(), [0n, CAPITAL + 10_000n]);
    await desk.pass(DAY);
    assert.deepEqual(await closes(), [0n, CAPITAL + 10_000n], 'nothing to close');
    assert.ok(paymentsWork(desk.deps).some(({ name }) => name === 'payments:close'));
  }));
