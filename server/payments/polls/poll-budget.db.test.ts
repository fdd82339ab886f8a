// Tests the call budget with the addresses of three months' orders: the limit is never exceeded, and a payment to an open order
// is seen at once.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { noteLiving, putSetting, watchSettings } from '../../platform/index.ts';
import { overduePolls } from './overdue-polls.ts';
import { watchRail } from './watch-payins.ts';
import { type Desk, events, openDesk } from '../scenarios/world.testing.ts';

/** 820 orders a day for 90 days. */
const OLD = 74_000;
const PER_SECOND = 20;
/** Calls to a server for one address. */
const AN_ADDRESS = 3;
/** Seconds of calls that may be saved up. */
const SAVED = 10;

let desk: Desk;
let settings: Awaited<ReturnType<typeof watchSettings>>;
let calls: number;

beforeEach(async () => {
  noteLiving(1);
  desk = await openDesk({}, { callMs: 5_000 });
  await desk.db.tx((tx) => putSetting(tx, 'payments.calls_per_second', { default: PER_SECOND }, 'test'));
  settings = await watchSettings(desk.db);
  calls = 0;
  const { payin } = desk.rail;
  const { observe } = payin;
  const counted: typeof observe = async (addresses, unread) => {
    calls += addresses.length * AN_ADDRESS;
    return observe(addresses, unread);
  };
  Object.assign(desk.rail, { calls: () => calls, payin: { ...payin, observe: counted } });
});
afterEach(async () => {
  await settings.stop();
  await desk.close();
});

/** Adds addresses of orders that are long over, all due: the last one was due last. Returns its address. */
async function grow(count: number): Promise<string> {
  const { to } = await desk.open();
  await desk.db.run(
    `insert into receiving_address (rail, number, to_text, to_key, currency, owner_kind, owner_id, customer, expected, taken_at, close_until, live_until, due_at)
     select rail, 1000000 + n, 'old ' || n, 'old ' || n, currency, owner_kind, 'old ' || n, 'old ' || n, expected, at, at, live_until,
       clock_now() - interval '1 hour' + n * interval '1 millisecond'
     from receiving_address, generate_series(1, $2::int) n, (select clock_now() - interval '9 days' as at) ago where to_text = $1`,
    [to, count],
  );
  await desk.db.run(`update receiving_address set due_at = null where to_text = $1`, [to]);
  return `old ${count}`;
}

/** Lets seconds pass, each with a turn of the watcher, until `isOver`. Returns their number. */
async function seconds(max: number, isOver: () => Promise<boolean> = async () => false): Promise<number> {
  for (let second = 1; second <= max; second += 1) {
    await desk.pass(1_000);
    await watchRail(desk.deps, desk.rail);
    if (await isOver()) return second;
  }
  return Infinity;
}

/** Returns the calls made in a number of turns, and what the budget allows meanwhile: the machine's own time goes on, too. */
async function callsIn(turns: number): Promise<{ readonly made: number; readonly allowed: number }> {
  const [begun, before] = [await desk.db.now(), calls];
  await seconds(turns);
  const ms = (await desk.db.now()).getTime() - begun.getTime();
  return { made: calls - before, allowed: (PER_SECOND * (ms + 1_000)) / 1_000 };
}

describe('the budget of calls', { timeout: 120_000 }, () => {
  it('is not exceeded while 74 000 old addresses are due, and a payment to an open order is seen within seconds', async () => {
    await grow(OLD);
    const { order, to } = await desk.open();
    await seconds(SAVED);
    const { made, allowed } = await callsIn(20);
    assert.ok(made <= allowed, `${made} calls of ${allowed}`);
    assert.ok(made > allowed / 2, `what is left is used for the others: ${made} calls of ${allowed}`);
    desk.world.pay(to, 1_000n);
    const seen = await seconds(10, async () => (await desk.payins(order)).length > 0);
    assert.ok(seen <= 3, `seen after ${seen} s`);
    assert.deepEqual(events(await desk.payins(order)), ['seen']);
  });

  it('is used for old addresses in the order in which they were due: the last is polled as soon as the budget allows', async () => {
    const last = await grow(300);
    desk.world.pay(last, 1_000n);
    const max = (300 * AN_ADDRESS) / PER_SECOND + 2 * SAVED;
    const seen = await seconds(max, async () => (await desk.payins(last)).length > 0);
    assert.ok(seen <= max, `seen after ${seen} s`);
  });

  it('makes no open order wait longer than for its turn if there are more than it allows', async () => {
    const open = await Promise.all(Array.from({ length: 60 }, () => desk.open()));
    await seconds(2 * SAVED);
    const { made, allowed } = await callsIn(20);
    assert.ok(made <= allowed, `${made} calls of ${allowed}`);
    for (const { to } of open) desk.world.pay(to, 1_000n);
    // 60 addresses of three calls each, at 20 calls a second.
    await seconds((60 * AN_ADDRESS) / PER_SECOND + 3);
    for (const { order } of open) assert.equal((await desk.payins(order)).length, 1);
  });

  it('is divided among live workers: two together make no more calls than one may', async () => {
    await grow(2_000);
    noteLiving(2);
    try {
      await seconds(SAVED);
      const { made, allowed } = await callsIn(20);
      assert.ok(made <= allowed / 2, `${made} calls of ${allowed / 2}`);
      assert.ok(made > allowed / 4, `what it may is used: ${made} calls of ${allowed / 2}`);
    } finally {
      noteLiving(1);
    }
  });

  it('that is too small is reported: how late polls are, and when an alarm is due', async () => {
    await grow(2_000);
    await desk.open();
    await desk.pass(200_000);
    const late = await overduePolls(desk.db);
    assert.deepEqual(
      late.map(({ isAwaited, isReported }) => [isAwaited, isReported]),
      [
        [true, true],
        [false, false],
      ],
    );
    assert.ok((late[1]?.seconds ?? 0) > 3_600);
  });
});
