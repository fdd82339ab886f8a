// Timers: rows whose time has come. Jobs and events are faster; this finds whatever they missed.

import { type UnitOfWork, alone, awaitedAmong, unlookedAmong } from '../../collecting/index.ts';
import { looksBehind } from '../../payments/index.ts';
import { type Db, type Tx, log } from '../../platform/index.ts';
import { SUBSCRIBER } from './apply-events.ts';
import { Batch } from './batch.ts';
import { openDesk } from './desk-state.ts';
import { fireTimers } from './fire-timers.ts';
import type { Sender } from '../letters/letters.ts';
import { tellAltered } from '../order/store/order-mac.ts';
import { type StoredOrder, isAnyDue, lockDue, lockOrders, putOffTimers } from '../order/store/order-store.ts';
import { isClearing, looksUntil } from '../machine/timers.ts';

const GROUP = 256;
const PUT_OFF_MS = 60_000;
/** How long a timer waits for events that are on their way to its order, or for a look at its payments. */
const WAIT_MS = 2_000;

/** Does what is due on up to 256 orders; gives how many were looked at. An order that fails is put off alone and alarms. */
export async function sweepDue(db: Db, sender: Sender): Promise<number> {
  if (!(await isAnyDue(db))) return 0;
  let ids: string[] = [];
  try {
    await alone(db, async (unit) => {
      const orders = await lockDue(unit.tx, GROUP);
      ids = orders.map(({ view }) => view.id);
      await fire(unit, orders, sender);
    });
  } catch (error) {
    if (ids.length === 0) throw error;
    for (const id of ids) await sweepAlone(db, sender, id);
  }
  return ids.length;
}

async function sweepAlone(db: Db, sender: Sender, id: string): Promise<void> {
  try {
    await alone(db, async (unit) => fire(unit, await lockOrders(unit.tx, [id]), sender));
  } catch (error) {
    log.alarm('a timer of an order failed', { orderId: id, error });
    await putOffTimers(db, [id], new Date((await db.now()).getTime() + PUT_OFF_MS));
  }
}

async function fire(unit: UnitOfWork, found: readonly StoredOrder[], sender: Sender): Promise<void> {
  const { tx } = unit;
  // In this order: what a look finds is on its way once the look is known.
  const orders = await withoutAwaited(tx, await withoutUnlooked(tx, await withoutAltered(tx, found)));
  if (orders.length === 0) return;
  const batch = new Batch(unit, await openDesk(tx, orders), sender, orders);
  for (const { view, dueAt } of orders) {
    // Another may have worked on it since it was found.
    if (dueAt && dueAt <= tx.now) await fireTimers(tx, batch, view.id);
    // Nothing happened: look again when the rules say so, or they were changed meanwhile.
    batch.revise(view.id, (current) => current);
  }
  await batch.save();
}

/** Puts off orders whose rows were changed past the product, with an alarm, and returns the others. */
async function withoutAltered(tx: Tx, orders: readonly StoredOrder[]): Promise<readonly StoredOrder[]> {
  const altered = orders.filter(({ isAltered }) => isAltered);
  for (const order of altered) tellAltered(order);
  return putOff(tx, orders, new Set(altered.map(({ view }) => view.id)), PUT_OFF_MS);
}

/**
 * Puts off orders whose payments were not looked at since their clearing was over, and gives the others: a dispute that
 * nobody told us of is found before the payout goes. While their rail doesn't answer they wait. So do those whose lock or
 * window is over, as `withLooksBehind` says.
 */
async function withoutUnlooked(tx: Tx, orders: readonly StoredOrder[]): Promise<readonly StoredOrder[]> {
  const ripe = orders.flatMap(({ view }) => {
    const since = view.state === 'approving' && isClearing(view.facts) ? view.facts.approval?.clearingUntil : undefined;
    const payments = view.payments.filter(({ standing }) => standing === 'final').map(({ id }) => id);
    return since && since <= tx.now ? [{ id: view.id, payments, since }] : [];
  });
  const unlooked = new Set([...(await unlookedAmong(tx, ripe)), ...(await withLooksBehind(tx, orders))]);
  return putOff(tx, orders, unlooked);
}

/**
 * Orders whose timer would say that nothing came, or was not confirmed, while our looks don't reach that far: after an outage
 * the first look decides, so many minutes later at most as was pinned. A payment that is missing is waited for: that it isn't
 * found makes nothing late.
 */
async function withLooksBehind(tx: Tx, orders: readonly StoredOrder[]): Promise<readonly string[]> {
  const asked = orders.flatMap(({ view }) => {
    const since = looksUntil(view);
    return since && since <= tx.now ? [{ view, since, owner: { kind: 'order' as const, id: view.id } }] : [];
  });
  const behind = await looksBehind(tx, asked);
  return asked.flatMap(({ view, since }) => {
    const why = behind.get(view.id);
    const waits = tx.now.getTime() - since.getTime() <= view.pinned.outageWithin;
    return (why === 'missing' && view.state === 'seen') || (why === 'unlooked' && waits) ? [view.id] : [];
  });
}

/**
 * Puts off orders that an event is on its way to, and gives the others: what payments recorded in time, while nobody was
 * there to be told, must not find its order expired.
 */
async function withoutAwaited(tx: Tx, orders: readonly StoredOrder[]): Promise<readonly StoredOrder[]> {
  if (orders.length === 0) return orders;
  const ids = orders.map(({ view }) => view.id);
  return putOff(tx, orders, await awaitedAmong(tx, { kind: 'order', subscriber: SUBSCRIBER }, ids));
}

/** Puts off those that wait, by their ids, and gives the others. */
async function putOff(
  tx: Tx,
  orders: readonly StoredOrder[],
  waiting: ReadonlySet<string>,
  ms = WAIT_MS,
): Promise<readonly StoredOrder[]> {
  await putOffTimers(tx, [...waiting], new Date(tx.now.getTime() + ms));
  return orders.filter(({ view }) => !waiting.has(view.id));
}
