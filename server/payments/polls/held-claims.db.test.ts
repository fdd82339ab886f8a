// Tests that polls of an address without payments write nothing, and miss nothing.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Desk, events, openDesk } from '../scenarios/world.testing.ts';
import { watchClosely } from '../payins/open-payin.ts';
import { becomeDue } from '../payouts/become-due.ts';
import { giveBack } from './claim-addresses.ts';
import { giveUpAll, pollSoon, heldNumbers } from './held-claims.ts';
import { watchRail } from './watch-payins.ts';

describe('claims that are held', { timeout: 60_000 }, () => {
  let desk: Desk;
  let observed = 0;
  beforeEach(async () => {
    desk = await openDesk();
    const { payin } = desk.rail;
    assert.ok(payin);
    observed = 0;
    const observe = payin.observe.bind(payin);
    payin.observe = (...requested) => {
      observed += 1;
      return observe(...requested);
    };
  });
  afterEach(() => desk.close());

  /** Runs a turn of the watcher as in production, with all held claims due. */
  const watch = async (): Promise<void> => {
    pollSoon(desk.rail);
    await watchRail(desk.deps, desk.rail, { mayTrustMemory: true, mayKeepClaims: true });
  };
  const rowOf = async (order: string) => {
    const row = await desk.db.row<{ version: string; number: string; poll: string; polled_at: Date | null; is_due: boolean }>(
      'select xmin as version, number, poll, polled_at, due_at <= clock_now() as is_due from receiving_address where owner_id = $1',
      [order],
    );
    assert.ok(row);
    return row;
  };

  it('write nothing while nothing is there, however often the rail is polled', async () => {
    const { order } = await desk.open();
    await watch();
    const { version } = await rowOf(order);
    for (let turn = 0; turn < 3; turn += 1) await watch();
    assert.equal(observed, 4);
    assert.equal((await rowOf(order)).version, version);
  });

  it('a payment is published as soon as a quick poll shows it, with what the one before proved', async () => {
    const { order, to } = await desk.open();
    await watch();
    const { polled_at: first } = await rowOf(order);
    assert.equal(first, null);
    await watch();
    desk.world.pay(to, 100_000n);
    await watch();
    const [reported] = await desk.payins(order);
    assert.equal(reported?.event, 'seen');
    const taken = await desk.db.row<{ taken_at: Date }>('select taken_at from receiving_address where owner_id = $1', [order]);
    assert.ok(reported.seenAfter !== undefined && new Date(reported.seenAfter) > (taken?.taken_at ?? new Date()));
    assert.deepEqual(heldNumbers(desk.rail), []);
  });

  it('other claims are still held if one address is paid', async () => {
    const [{ order, to }, quiet] = [await desk.open(), await desk.open()];
    desk.world.pay(to, 100_000n);
    await watch();
    assert.deepEqual(events(await desk.payins(order)), ['seen']);
    assert.deepEqual(heldNumbers(desk.rail), [Number((await rowOf(quiet.order)).number)]);
  });

  it('a requested poll is stored, though the claim is held', async () => {
    const { order } = await desk.open();
    await watch();
    const until = new Date((await desk.db.now()).getTime() + 60_000);
    await desk.db.tx((tx) => watchClosely(tx, { kind: 'order', id: order }, until));
    const request = await desk.db.now();
    await watchRail(desk.deps, desk.rail, { mayTrustMemory: true, mayKeepClaims: true });
    const { polled_at: polledAt } = await rowOf(order);
    assert.ok(polledAt && polledAt >= request);
  });

  it('only the process that took over a claim publishes the payment', async () => {
    const { order, to } = await desk.open();
    await watch();
    await desk.db.run('update receiving_address set poll = poll + 1 where owner_id = $1', [order]);
    desk.world.pay(to, 100_000n);
    await watch();
    assert.deepEqual(await desk.payins(order), []);
    await desk.pass(31_000);
    await desk.turn();
    assert.deepEqual(events(await desk.payins(order)), ['seen']);
  });

  it('end before another process may take them over, and with the time for which a payment is awaited', async () => {
    const { order } = await desk.open();
    await watch();
    const { poll } = await rowOf(order);
    // Some of the claim's 30 seconds are left, so its row is not due.
    await desk.pass(25_000);
    pollSoon(desk.rail);
    await watchRail(desk.deps, desk.rail, { mayKeepClaims: true });
    assert.equal(Number((await rowOf(order)).poll), Number(poll) + 1);
    await desk.pass(48 * 3_600_000);
    await watch();
    assert.deepEqual(heldNumbers(desk.rail), []);
    assert.ok((await rowOf(order)).polled_at);
  });

  it('are released with what they have proved, and due at once', async () => {
    const { order } = await desk.open();
    await watch();
    await giveBack(desk.db, desk.rail.id, giveUpAll(desk.rail));
    const { is_due: isDue, polled_at: polledAt } = await rowOf(order);
    assert.ok(isDue && polledAt);
  });

  it('a block makes other processes’ claims due, and this process polls its own', async () => {
    const { order } = await desk.open();
    await watch();
    const { version, number } = await rowOf(order);
    const moved = { height: 1_000, isReorg: false, isBlocksOnly: true };
    assert.equal(await becomeDue(desk.db, desk.rail.id, { ...moved, held: heldNumbers(desk.rail) }), 0);
    assert.equal((await rowOf(order)).version, version);
    assert.equal(await becomeDue(desk.db, desk.rail.id, { ...moved, held: [Number(number) + 1] }), 1);
  });
});
