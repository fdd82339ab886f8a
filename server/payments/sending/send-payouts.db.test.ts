import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { accounts } from '../../ledger/index.ts';
import { fundDesk } from '../balances/capital.ts';
import { newId, putSetting } from '../../platform/index.ts';
import { askReserve } from '../balances/float.ts';
import { bumpStuck, followRail } from './follow-attempts.ts';
import { requestPayout, stopPayout } from '../payouts/request-payout.ts';
import { payRail } from './send-payouts.ts';
import { walletState, withWallet } from '../rails/wallet.ts';
import { type Desk, events, holdUp, openDesk, resume } from '../scenarios/world.testing.ts';

const PARTS = 100_000n;

describe('payouts on a chain', { timeout: 60_000 }, () => {
  let desk: Desk;
  before(async () => {
    desk = await openDesk();
    // The books need the simulated rail's initial money, or its fees could not be posted.
    await desk.db.tx((tx) => fundDesk(tx, { id: newId(), currency: 'BTC', place: 'hot', parts: 10_000_000_000n }));
  });
  afterEach(() => desk.world.calm());
  after(() => desk.close());

  it('sends, confirms and publishes, in batches with one fee', async () => {
    const fee = await desk.balance(accounts.spent('network', 'BTC'));
    const ids = await Promise.all(Array.from({ length: 150 }, () => desk.request(PARTS)));
    await desk.turn();
    assert.deepEqual(events(await desk.payouts(ids[0] ?? '')), ['send', 'accepted']);
    desk.world.mine();
    await desk.turn();
    for (const id of ids) {
      const published = await desk.payouts(id);
      assert.deepEqual(events(published), ['send', 'accepted', 'final']);
      assert.equal(published[1]?.txid, published[2]?.txid);
      assert.equal(desk.world.executions(id), 1);
      assert.equal(await desk.status(id), 'final');
    }
    assert.equal((await desk.balance(accounts.spent('network', 'BTC'))) - fee, 2_000n, 'two transactions');
  });

  it('needs the depth of a pay-in of that sum', async () => {
    const id = await desk.request(4_000_000n);
    await desk.turn();
    for (let block = 0; block < 3; block += 1) {
      desk.world.mine();
      await desk.turn();
    }
    const reported = (await desk.payouts(id)).map(
      ({ event, confirmations, needed }) => `${event} ${confirmations ?? '-'}/${needed ?? '-'}`,
    );
    assert.deepEqual(reported, ['send -/-', 'accepted -/-', 'progress 1/3', 'final 3/3']);
  });

  it('accepts a repeated request with the same content, and refuses other content', async () => {
    const id = newId();
    const request = {
      id,
      owner: { kind: 'order' as const, id },
      currency: 'BTC',
      unit: 'BTC',
      parts: PARTS,
      to: desk.receiver(),
      purpose: 'refund' as const,
    };
    for (let time = 0; time < 3; time += 1) await desk.db.tx((tx) => requestPayout(tx, request));
    await assert.rejects(
      desk.db.tx((tx) => requestPayout(tx, { ...request, parts: PARTS + 1n })),
      /other content/,
    );
    await assert.rejects(
      desk.db.tx((tx) => requestPayout(tx, { ...request, id: newId(), to: { address: 'nonsense' } })),
      /no account/,
    );
    await desk.turn();
    assert.equal(desk.world.executions(id), 1);
  });

  it('is stopped only while it is queued: exactly one of a stop and a send wins', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, () => desk.request(PARTS)));
    const [, ...stopped] = await Promise.all([
      payRail(desk.deps, desk.rail),
      ...ids.map((id) => desk.db.tx((tx) => stopPayout(tx, id))),
    ]);
    await resume(desk, 2);
    for (const [at, id] of ids.entries()) {
      assert.equal(desk.world.executions(id), stopped[at] ? 0 : 1, `${id} was ${stopped[at] ? '' : 'not '}stopped`);
      assert.equal(await desk.status(id), stopped[at] ? 'stopped' : 'final');
    }
    assert.equal(await desk.db.tx((tx) => stopPayout(tx, ids[0] ?? '')), false, 'over');
  });

  it('four workers at once send everything once', async () => {
    const ids = await Promise.all(Array.from({ length: 60 }, () => desk.request(PARTS)));
    for (let turn = 0; turn < 4; turn += 1) await Promise.all(Array.from({ length: 4 }, () => desk.turn()));
    await resume(desk, 2);
    for (const id of ids) {
      assert.equal(desk.world.executions(id), 1);
      assert.deepEqual(events(await desk.payouts(id)), ['send', 'accepted', 'final']);
    }
  });

  it('a worker suspended for longer than its lease stores and sends nothing', async () => {
    const id = await desk.request(PARTS);
    const held = holdUp(desk, 'prepare');
    const sleeper = payRail({ ...desk.deps, callMs: 10_000 }, desk.rail);
    await held.requested;
    await desk.db.run(`update rail_wallet set leased_until = now()`);
    await payRail(desk.deps, desk.rail);
    held.answer();
    await sleeper;
    assert.equal(desk.world.executions(id), 1);
    assert.equal((await desk.db.rows(`select from payment_attempt where $1 = any (items)`, [id])).length, 1);
    await resume(desk, 2);
    assert.deepEqual(events(await desk.payouts(id)), ['send', 'accepted', 'final']);
  });

  it('switches stop queued payouts only', async () => {
    const id = await desk.request(PARTS);
    for (const [key, off, on] of [
      ['payments.payouts.enabled', false, true],
      ['payments.payouts.off', ['bitcoin'], []],
    ] as const) {
      await desk.db.tx((tx) => putSetting(tx, key, off, 'test'));
      await desk.turn();
      assert.equal(await desk.status(id), 'queued');
      await desk.db.tx((tx) => putSetting(tx, key, on, 'test'));
    }
    await desk.turn();
    assert.equal(await desk.status(id), 'sent');
  });

  it('nothing leaves if payouts are switched off between signing and storing; it goes on afterwards', async () => {
    const id = await desk.request(PARTS);
    const held = holdUp(desk, 'prepare');
    const paying = payRail({ ...desk.deps, callMs: 10_000 }, desk.rail);
    await held.requested;
    await desk.db.tx((tx) => putSetting(tx, 'payments.payouts.enabled', false, 'test'));
    held.answer();
    await paying;
    await followRail(desk.deps, desk.rail);
    assert.equal(await desk.status(id), 'preparing');
    assert.equal(desk.world.executions(id), 0);
    await desk.db.tx((tx) => putSetting(tx, 'payments.payouts.enabled', true, 'test'));
    await desk.turn();
    assert.equal(desk.world.executions(id), 1);
    assert.deepEqual(events(await desk.payouts(id)), ['send', 'accepted']);
  });

  it('a payout that can’t be paid doesn’t delay its batch', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => desk.request(PARTS)));
    const poison = ids[5] ?? '';
    const { prepare } = desk.rail.payout;
    (desk.rail.payout as { prepare: typeof prepare }).prepare = async (items, state) =>
      items.some(({ id }) => id === poison) ? { ok: false, reason: 'refused', detail: 'blocked' } : prepare(items, state);
    await desk.turn();
    (desk.rail.payout as { prepare: typeof prepare }).prepare = prepare;
    for (const id of ids) assert.equal(desk.world.executions(id), id === poison ? 0 : 1);
    const events = await desk.payouts(poison);
    assert.deepEqual(
      events.map(({ event, reason }) => [event, reason]),
      [
        ['send', undefined],
        ['refused', 'blocked'],
      ],
    );
    assert.equal(await desk.status(poison), 'failed');
  });

  it('a payout whose bytes are an older transaction waits for another transaction and delays no others', async () => {
    const earlier = await desk.request(PARTS);
    const { prepare } = desk.rail.payout;
    const alone = desk.rail.payout as { prepare: typeof prepare; batch: number };
    const { batch } = alone;
    alone.batch = 1;
    let made: Awaited<ReturnType<typeof prepare>> | undefined;
    alone.prepare = async (...request) => (made = await prepare(...request));
    await desk.turn();
    const [again, other] = [await desk.request(PARTS), await desk.request(PARTS)];
    alone.prepare = async (items, state) =>
      made?.ok && items.some(({ id }) => id === again)
        ? { ...made, attempt: { ...made.attempt, items: [again] } }
        : prepare(items, state);
    await desk.turn();
    alone.prepare = prepare;
    alone.batch = batch;
    assert.deepEqual(
      [earlier, again, other].map((id) => desk.world.executions(id)),
      [1, 0, 1],
    );
    assert.equal(await desk.status(again), 'preparing');
    assert.deepEqual(events(await desk.payouts(again)), []);
    await desk.pass(10_000);
    await desk.turn();
    assert.equal(desk.world.executions(again), 1);
  });

  for (const kind of ['error', 'hang'] as const) {
    it(`nothing is lost while preparing ${kind}s`, async () => {
      const id = await desk.request(PARTS);
      desk.world.inject('prepare', { kind }, 2);
      for (let turn = 0; turn < 4; turn += 1) {
        await desk.pass(10_000);
        await desk.turn();
      }
      assert.equal(desk.world.executions(id), 1);
      assert.deepEqual(events(await desk.payouts(id)), ['send', 'accepted']);
    });
  }

  for (const kind of ['hang', 'error', 'drop', 'lost'] as const) {
    it(`a send that ${kind}s is never in doubt and never sent twice`, async () => {
      const id = await desk.request(PARTS);
      desk.world.inject('send', { kind }, 2);
      await desk.turn();
      await resume(desk);
      assert.equal(desk.world.executions(id), 1);
      assert.deepEqual(events(await desk.payouts(id)), ['send', 'accepted', 'final']);
      const attempts = await desk.db.rows<{ raw: string }>(`select raw from payment_attempt where $1 = any (items)`, [id]);
      assert.equal(attempts.length, 1, 'only ever the same bytes');
    });
  }

  it('a send that the chain loses is published as vanished, and the same bytes go out again', async () => {
    const id = await desk.request(4_000_000n);
    await desk.turn();
    desk.world.mine();
    await desk.turn();
    desk.world.reorg(1, true);
    await desk.turn();
    assert.equal(desk.world.executions(id), 1, 'it is back');
    await resume(desk, 4);
    assert.deepEqual(events(await desk.payouts(id)), ['send', 'accepted', 'progress', 'vanished', 'progress', 'final']);
  });

  it('a wrong look-up costs nothing: the same bytes can happen only once', async () => {
    const id = await desk.request(PARTS);
    await desk.turn();
    desk.world.inject('find', { kind: 'lie' }, 2);
    await resume(desk);
    assert.equal(desk.world.executions(id), 1);
    assert.equal(await desk.status(id), 'final');
  });

  it('a reorg after it was final is repaired without an event', async () => {
    const id = await desk.request(PARTS);
    await desk.turn();
    desk.world.mine();
    await desk.turn();
    desk.world.reorg(1, true);
    assert.equal(desk.world.executions(id), 0);
    await resume(desk, 3);
    assert.equal(desk.world.executions(id), 1);
    assert.deepEqual(events(await desk.payouts(id)), ['send', 'accepted', 'final']);
  });

  it('pays a higher fee when it is stuck, and only one of the two happens', async () => {
    const id = await desk.request(PARTS);
    await desk.turn();
    await desk.pass(61 * 60_000);
    await desk.turn();
    assert.equal(await bumpStuck(desk.deps, desk.rail), 1);
    assert.equal(await bumpStuck(desk.deps, desk.rail), 0, 'not again at once');
    await resume(desk, 9);
    assert.equal(desk.world.executions(id), 1);
    assert.deepEqual(events(await desk.payouts(id)), ['send', 'accepted', 'final']);
    const attempts = await desk.db.rows<{ status: string; fee: string }>(
      `select status, fee from payment_attempt where $1 = any (items) order by id`,
      [id],
    );
    assert.deepEqual(
      attempts.map(({ status, fee }) => `${status} ${fee}`),
      ['replaced 1000', 'final 2000'],
    );
  });

  it('the first of the two may win after all', async () => {
    const id = await desk.request(PARTS);
    await desk.turn();
    const [first] = desk.world.paying(
      (await desk.db.row<{ to_key: string }>(`select to_key from payout where id = $1`, [id]))?.to_key ?? '',
    );
    await desk.pass(61 * 60_000);
    await desk.turn();
    await bumpStuck(desk.deps, desk.rail);
    const [second] = await desk.db.rows<{ txid: string }>(
      `select txid from payment_attempt where $1 = any (items) and replaces is not null`,
      [id],
    );
    desk.world.evict(second?.txid ?? '');
    if (first) desk.world.restore(first);
    await resume(desk, 9);
    assert.equal(desk.world.executions(id), 1);
    assert.deepEqual(events(await desk.payouts(id)), ['send', 'accepted', 'final']);
    const attempts = await desk.db.rows<{ status: string; fee: string }>(
      `select status, fee from payment_attempt where $1 = any (items) order by id`,
      [id],
    );
    assert.deepEqual(
      attempts.map(({ status, fee }) => `${status} ${fee}`),
      ['final 1000', 'replaced 2000'],
    );
  });

  it('the first of the two may win unseen, while the second never left: nothing comes back', async () => {
    const id = await desk.request(PARTS);
    await desk.turn();
    await desk.pass(61 * 60_000);
    desk.world.inject('send', { kind: 'drop' });
    await bumpStuck(desk.deps, desk.rail);
    // No look-up happens until the winner is so deep that the other is ruled out.
    desk.world.mine(20);
    await resume(desk, 9);
    assert.equal(desk.world.executions(id), 1);
    assert.deepEqual(events(await desk.payouts(id)), ['send', 'accepted', 'final']);
    assert.equal(await desk.status(id), 'final');
  });

  it('a replacement made twice is one attempt, and its fee is spent once', async () => {
    const before = await desk.balance(accounts.spent('network', 'BTC'));
    const id = await desk.request(40n * PARTS);
    await desk.turn();
    const { to_key: to = '' } = (await desk.db.row<{ to_key: string }>(`select to_key from payout where id = $1`, [id])) ?? {};
    const [first] = desk.world.paying(to);
    await desk.pass(61 * 60_000);
    desk.world.inject('send', { kind: 'drop' });
    await bumpStuck(desk.deps, desk.rail);
    // The first one wins, waits again after a reorg for as long as before, and is raised to the same bytes.
    await resume(desk, 1);
    desk.world.reorg(1, true);
    if (first) desk.world.restore(first);
    await desk.pass(61_000);
    desk.world.inject('send', { kind: 'drop' });
    await desk.turn();
    await desk.pass(61 * 60_000);
    assert.equal(await bumpStuck(desk.deps, desk.rail), 1);
    await resume(desk, 9);
    assert.equal(desk.world.executions(id), 1);
    const attempts = await desk.db.rows<{ status: string; fee: string }>(
      `select status, fee from payment_attempt where $1 = any (items) order by id`,
      [id],
    );
    assert.deepEqual(
      attempts.map(({ status, fee }) => `${status} ${fee}`),
      ['replaced 1000', 'final 2000'],
    );
    assert.equal((await desk.balance(accounts.spent('network', 'BTC'))) - before, 2_000n);
  });

  it('a send that can never happen any more is returned if it was published as accepted', async () => {
    const id = await desk.request(PARTS);
    const fee = await desk.balance(accounts.spent('network', 'BTC'));
    await desk.turn();
    const [attempt] = await desk.db.rows<{ txid: string; raw: string }>(
      `select txid, raw from payment_attempt where $1 = any (items)`,
      [id],
    );
    desk.world.evict(attempt?.txid ?? '');
    const rival = JSON.parse(attempt?.raw ?? '') as { spends: string[] };
    desk.world.submit({
      id: 'rival',
      outputs: [],
      from: ['us'],
      isReplaceable: false,
      isFeeOk: true,
      isReverted: false,
      own: { spends: rival.spends, items: [], fee: { currency: 'BTC', parts: 0n } },
    });
    desk.world.mine(6);
    await desk.turn();
    await desk.turn();
    const last = (await desk.payouts(id)).at(-1);
    assert.deepEqual([last?.event, last?.isTransient], ['returned', true]);
    assert.equal(await desk.status(id), 'failed');
    assert.equal(desk.world.executions(id), 0);
    assert.equal(await desk.balance(accounts.spent('network', 'BTC')), fee, 'its fee was never paid');
  });

  it('waits for float while queued, and smaller payouts pass a large one', async () => {
    const large = await desk.request(10n ** 12n);
    const small = await desk.request(PARTS);
    await desk.turn();
    assert.deepEqual([await desk.status(large), await desk.status(small)], ['queued', 'sent']);
    assert.deepEqual(await desk.payouts(large), [], 'it can still be stopped');
    desk.world.fund('BTC', 'hot', 10n ** 12n);
    await askReserve(desk.deps, desk.rail);
    await resume(desk, 2);
    assert.equal(desk.world.executions(large), 1);
  });

  it('the wallet state names every address and spend once, and frees it afterwards', async () => {
    await resume(desk, 12);
    const state = await walletState(desk.db, 'bitcoin');
    assert.deepEqual([state.spent, state.unconfirmed], [[], []]);
    assert.deepEqual(state.indexes, [0]);
    assert.equal(
      await withWallet(desk.db, 'bitcoin', async () => withWallet(desk.db, 'bitcoin', async () => 'twice')),
      undefined,
    );
  });

  it('the rail’s money is the books’ own plus other rooms’ postings', async () => {
    const fees = await desk.balance(accounts.spent('network', 'BTC'));
    const hot = await desk.balance(accounts.custody('BTC', 'hot', 'BTC'));
    const paid = await desk.db.row<{ parts: string }>(`select sum(parts) as parts from payout where status = 'final'`);
    // The exchange, which isn't here, posts what orders sent; the extra float was never booked.
    assert.equal(desk.world.held('BTC', 'hot'), hot - BigInt(paid?.parts ?? '0') + 10n ** 12n);
    assert.equal(hot, 10_000_000_000n - fees);
  });
});
