// Simultaneous changes of one order: facts in one group, timers before facts, two workers.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { parse } from '@kurs/money';
import { UnitOfWork, subscriptionsOf } from '../../collecting/index.ts';
import { PAYIN_EVENT, type PayinEvent } from '../../payments/index.ts';
import { recordArrived } from '../../payments/testing.ts';
import { type Db, advanceClock, outbox, newId } from '../../platform/index.ts';
import { ORDER_OWNER } from '../order-owner.ts';
import { Batch } from '../apply/batch.ts';
import { DeskState, DeskNotRead } from '../apply/desk-state.ts';
import { breakdownFor } from '../machine/offers.ts';
import { type StoredOrder, lockDue, lockOrders, readOrders } from '../order/store/order-store.ts';
import * as postings from '../machine/postings.ts';
import { sweepDue } from '../apply/sweep-due.ts';
import { type World, openWorld } from './world.testing.ts';

describe('at the same time', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world.close());

  const drain = async (): Promise<void> => {
    for (const one of subscriptionsOf([ORDER_OWNER], world.deps.sender)) await outbox.drain(world.db, one);
  };

  /** Records events of payments about one whole payment together, without delivering them. */
  async function recordPayin({ view }: StoredOrder, events: readonly PayinEvent[]): Promise<void> {
    const now = (await world.db.now()).toISOString();
    const payinId = newId();
    const { currency, unit, parts } = view.give;
    const owner = { kind: 'order', id: view.id } as const;
    const depth = { seenAt: now, firstConfirmedAt: now, confirmations: 1, needed: 1 };
    const body = { payinId, owner, currency, unit, place: 'hot', parts: String(parts), txid: payinId, from: [], isFeeOk: true };
    const published = events.map((event) => ({
      id: newId(),
      kind: PAYIN_EVENT,
      subject: `order:${view.id}`,
      body: { ...body, ...depth, event },
    }));
    const came = events.includes('final') ? [{ payinId, parts: String(parts) }] : [];
    await recordArrived(world.db, { owner, currency, unit }, came);
    await world.db.tx((tx) => outbox.publish(tx, published));
  }

  test('final and taken back in one group: nothing is paid out', async () => {
    const order = await world.place();
    await recordPayin(order, ['seen', 'final', 'reversed']);
    await drain();
    const { view } = await world.order(order);
    assert.equal(view.state, 'reversed');
    assert.equal(view.positions.receivable, 0n);
    assert.deepEqual(await world.db.rows('select id from payout where owner_id = $1', [view.id]), []);
    await world.mine(3);
    assert.equal(world.rails.USDT_ERC20.world.received(view.receive?.fields['address'] ?? ''), 0n);
  });

  test('taken back before any order has it: left in the queue with a reason, and the rest of the group goes on', async () => {
    const [order, other] = [await world.place(), await world.place()];
    await recordPayin(order, ['reversed']);
    await recordPayin(other, ['seen']);
    await drain();
    assert.equal((await world.order(other)).view.state, 'seen');
    const rows = await world.db.rows('select tries, last_error from event_delivery');
    assert.deepEqual(rows, [{ tries: 1, last_error: 'no order has the payment that was taken back' }]);
    await world.db.run('delete from event_delivery');
  });

  test('seen in time and delivered late: the timer waits, and the rate stays', async () => {
    const order = await world.place();
    await recordPayin(order, ['seen']);
    await advanceClock(world.db, 16 * 60_000);
    await sweepDue(world.db, world.deps.sender);
    assert.equal((await world.order(order)).view.state, 'awaiting');
    await drain();
    await world.pass(1);
    const { view } = await world.order(order);
    assert.deepEqual([view.state, view.facts.isLate], ['seen', false]);
  });

  test("a second payment just after the lock's end: the one in time goes on automatically, without a person", async () => {
    const order = await world.place();
    world.pay(order, '0.0045');
    await world.mine();
    assert.equal((await world.order(order)).view.state, 'choosing');
    const left = order.view.pinned.lockUntil.getTime() - (await world.db.now()).getTime();
    await advanceClock(world.db, left + 1_000);
    await world.reportPayin(order, newId(), 'seen', { parts: '50000' });
    const { view } = await world.order(order);
    assert.equal(view.state, 'paying');
    assert.equal(view.facts.exchange?.got, breakdownFor(parse('BTC', '0.0045').parts, view.pinned.terms)?.get.parts);
    await world.pass(0);
  });

  test('a desk that was not read throws; earlier postings count once it is read', async () => {
    const order = await world.place();
    await world.db.tx(async (tx) => {
      const desk = new DeskState(tx.now);
      assert.throws(() => desk.context(order).free, DeskNotRead);
      assert.throws(() => desk.context(order).approvalFor(1n), DeskNotRead);
      const read = new DeskState(tx.now);
      await read.read(tx, [order]);
      desk.posted(order.view, postings.reserve(order.view, 1_000n).legs);
      await desk.read(tx, [order]);
      assert.equal(desk.context(order).free.get, read.context(order).free.get - 1_000n);
    });
  });

  test('a decision about an outdated version is not written', async () => {
    const order = await world.place();
    await assert.rejects(
      world.db.tx(async (tx) => {
        const batch = new Batch(
          new UnitOfWork(tx),
          new DeskState(tx.now),
          world.deps.sender,
          await lockOrders(tx, [order.view.id]),
        );
        batch.decide(order.view.id, { type: 'cancel' }, { who: 'C' });
        await tx.run('update customer_order set version = version + 1 where id = $1', [order.view.id]);
        await batch.commit();
      }),
      (error: Problem) => error.code === 'order_changed',
    );
    assert.equal((await world.order(order)).view.state, 'awaiting');
  });

  /** Waits until a statement of this database sleeps. */
  async function asleep(db: Db): Promise<void> {
    const sleeping = `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
    for (let turn = 0; turn < 500 && !(await db.row(sleeping)); turn += 1) await new Promise((done) => setTimeout(done, 20));
  }

  // A slow view replaces the table, so that another transaction commits while the statement runs.
  test('due orders are read in their newest version', async () => {
    const [slow, changed] = [await world.place(), await world.place()];
    const { owner: db } = world;
    await db.run('update customer_order set due_at = null');
    await db.run(
      `update customer_order set due_at = clock_now() - case id when $1 then 2 else 1 end * interval '1 minute'
      where id in ($1, $2)`,
      [slow.view.id, changed.view.id],
    );
    await db.run('alter table customer_order rename to customer_order_kept');
    await db.run(`create view customer_order as select * from customer_order_kept
      where pg_sleep(case id when '${slow.view.id}' then 1 else 0 end) is not null`);
    const found = db.tx((tx) => lockDue(tx, 2));
    await asleep(db);
    await db.run('update customer_order_kept set version = version + 1 where id = $1', [changed.view.id]);
    const given = (await found).find(({ view }) => view.id === changed.view.id);
    await db.run('drop view customer_order');
    await db.run('alter table customer_order_kept rename to customer_order');
    const [stored] = await readOrders(db, [changed.view.id]);
    assert.equal(given?.view.version, stored?.view.version);
  });
});
