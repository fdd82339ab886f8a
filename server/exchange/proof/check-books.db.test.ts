import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, type Report, accounts, leg, post, sealJournals, verify } from '../../ledger/index.ts';
import { withoutCauses } from '../../ledger/testing.ts';
import { type PayoutEvent, paymentsCheck } from '../../payments/index.ts';
import { reportOfPayout } from '../../payments/testing.ts';
import { newId } from '../../platform/index.ts';
import { clearToOrder } from '../actions/clear-unexplained.ts';
import { orderCheck } from './check-books.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { type World, openWorld } from '../scenarios/world.testing.ts';

describe('the proof of orders’ money', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world.close());

  const faults = async (): Promise<readonly Fault[]> =>
    (await verify(world.db, { checks: [withoutCauses(paymentsCheck), orderCheck] })).faults;

  /** Gives an order a wrong position, checks that the proof finds it, and restores the position. */
  async function thinks(order: StoredOrder, position: string, found: RegExp): Promise<void> {
    const { view } = await world.order(order);
    const put = (parts: string) =>
      world.db.run(`update customer_order set body = jsonb_set(body, $2, to_jsonb($3::text)) where id = $1`, [
        view.id,
        ['positions', position],
        parts,
      ]);
    await put('7n');
    const [fault] = await faults();
    assert.match(`${fault?.account} ${fault?.words}`, found);
    await put(`${view.positions[position as keyof typeof view.positions]}n`);
    assert.deepEqual(await faults(), []);
  }

  /** Seals all postings; returns the report of the proof. */
  async function sealed(): Promise<Report> {
    const left = `select from journal_mac where xid >= coalesce((select max(upto) from journal_seal), '0') limit 1`;
    for (let turn = 0; turn < 200 && (await world.db.row(left)); turn += 1, await sleep(20)) await sealJournals(world.db);
    return verify(world.db);
  }

  test('the nightly proof checks only those finished orders that journals have touched since the last one', async () => {
    const gets = async ({ view }: StoredOrder, got: bigint | undefined): Promise<unknown> =>
      world.db.run(`update customer_order set body = jsonb_set(body, '{facts,exchange,got}', to_jsonb($2::text)) where id = $1`, [
        view.id,
        `${got}n`,
      ]);
    const done = async (): Promise<StoredOrder> => {
      const order = await world.place();
      world.pay(order);
      await world.mine(6);
      await world.mine(64);
      return world.order(order);
    };
    const of = (order: StoredOrder, list: readonly Fault[]): boolean =>
      list.some(({ account }) => account === `order:${order.view.id}`);
    const earlier = await done();
    const checks = [withoutCauses(paymentsCheck), orderCheck];
    const since = await sealed();
    const later = await done();
    assert.deepEqual([earlier.view.state, later.view.state], ['completed', 'completed']);
    for (const order of [earlier, later]) await gets(order, 1n);
    const recent = (await verify(world.db, { checks, since, round: { seals: 0, journals: 0 } })).faults;
    assert.deepEqual([of(earlier, recent), of(later, recent)], [false, true]);
    const whole = (await verify(world.db, { checks })).faults;
    assert.deepEqual([of(earlier, whole), of(later, whole)], [true, true]);
    for (const order of [earlier, later]) await gets(order, order.view.facts.exchange?.got);
  });

  test('passes from the promise to the payout, with an unallocated payment and a refund', async () => {
    const order = await world.place();
    assert.deepEqual(await faults(), []);
    await thinks(order, 'reserve', /^order:.*:reserve:USDT the order .*: the balance should be 7, not \d+/);
    world.holdSends();
    world.pay(order, '0.02');
    await world.mine(6);
    await world.turn();
    await thinks(order, 'transfer', /^payout:.*: the balance should be 7/);
    await thinks(order, 'in', /^order:.*:in:BTC the order .*: the balance should be 7, not 0/);
    const [unallocated] = await world.unallocatedPayments(order);
    assert.ok(unallocated);
    await thinks(unallocated, 'in', /^unallocated:.*: the balance should be 7/);
  });

  test('accepts a payment assigned from unexplained money', async () => {
    const order = await world.place();
    const [hot, suspense] = [accounts.custody('BTC', 'hot', 'BTC'), accounts.suspense('BTC')];
    const unexplained = {
      id: newId(),
      kind: 'difference',
      cause: newId(),
      legs: [leg(hot, suspense, 5_000_000n)],
      prices: {},
    } as const;
    await world.db.tx((tx) => post(tx, [unexplained]));
    const clear = { number: order.number, currency: 'BTC', parts: 5_000_000n, txid: 'cleared' };
    await world.db.tx((tx) => clearToOrder(tx, world.deps.sender, clear));
    assert.deepEqual(await faults(), []);
  });

  test('accepts undelivered payout events, and finds faults beside them', async () => {
    world.holdSends();
    const placed = await world.place();
    world.pay(placed);
    await world.mine(6);
    const { view } = await world.order(placed);
    const { intent = '' } = view.facts.transfer ?? {};
    const out = view.get && accounts.orderOut(view.id, view.get.unit).name;
    const report = async (...events: readonly PayoutEvent[]): Promise<void> => {
      for (const event of events) await reportOfPayout(world.db, intent, event);
    };
    const status = async () => (await faults()).flatMap(({ check, account }) => (check === 'balance' ? [account] : []));
    await report('send', 'accepted');
    assert.equal((await world.order(placed)).view.facts.transfer?.intent, intent, 'it is not told');
    assert.deepEqual(await status(), []);
    await report('final');
    await world.turn();
    assert.equal(await world.state(placed), 'completed');
    await report('returned');
    assert.equal(await world.state(placed), 'completed');
    assert.deepEqual(await status(), [], 'an order at rest has something again');
    const thinks = (parts: string) =>
      world.db.run(`update customer_order set body = jsonb_set(body, '{positions,out}', to_jsonb($2::text)) where id = $1`, [
        view.id,
        parts,
      ]);
    await thinks('7n');
    assert.deepEqual(await status(), [out]);
    await thinks('0n');
    await world.turn();
    assert.deepEqual([(await world.order(placed)).view.state, await status()], ['undelivered', []]);
  });

  test('reports a finished order that holds money', async () => {
    const order = await world.place();
    await world.db.run(`update customer_order set state = 'expired' where id = $1`, [order.view.id]);
    assert.match((await faults())[0]?.words ?? '', /no row explains it/);
  });
});
