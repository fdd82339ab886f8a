// Processes orders whose timers are due. Jobs and events usually act earlier; this search finds the orders that they missed.

import { type UnitOfWork, alone, awaitedAmong, unpolledAmong } from '../../collecting/index.ts';
import { pollsBehind } from '../../payments/index.ts';
import { type Db, type Tx, log } from '../../platform/index.ts';
import { SUBSCRIBER } from './apply-events.ts';
import { Batch } from './batch.ts';
import { openDesk } from './desk-state.ts';
import { fireTimers } from './fire-timers.ts';
import type { Sender } from '../letters/letters.ts';
import { reportAltered } from '../order/store/order-mac.ts';
import { type StoredOrder, isAnyDue, lockDue, lockOrders, putOffTimers } from '../order/store/order-store.ts';
import { isClearing, pollsUntil } from '../machine/timers.ts';

const GROUP = 256;
const PUT_OFF_MS = 60_000;
/** Time in ms by which an order's timer is postponed while an event for it is on its way, or a poll is missing. */
const WAIT_MS = 2_000;

/**
 * Fires the due timers of up to 256 orders, and returns the number of these orders. If processing them together fails, each order
 * is processed alone. An order that fails again is postponed, with an alarm.
 */
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
  // Orders with unpolled payments are sorted out first: once a poll is recorded, the events that it found are on their way.
  const orders = await withoutAwaited(tx, await withoutUnpolled(tx, await withoutAltered(tx, found)));
  if (orders.length === 0) return;
  const batch = new Batch(unit, await openDesk(tx, orders), sender, orders);
  for (const { view, dueAt } of orders) {
    // The order may have been changed since it was found to be due.
    if (dueAt && dueAt <= tx.now) await fireTimers(tx, batch, view.id);
    // Reschedules the order's timer by the current rules, even if the order didn't change.
    batch.revise(view.id, (current) => current);
  }
  await batch.save();
}

/** Postpones orders whose rows were changed outside the product, with an alarm, and returns the others. */
async function withoutAltered(tx: Tx, orders: readonly StoredOrder[]): Promise<readonly StoredOrder[]> {
  const altered = orders.filter(({ isAltered }) => isAltered);
  for (const order of altered) reportAltered(order);
  return putOff(tx, orders, new Set(altered.map(({ view }) => view.id)), PUT_OFF_MS);
}

/**
 * Postpones orders whose payments were not polled recently enough, and returns the others. At the end of a clearing period a poll
 * must follow, so that a dispute is found before the payout leaves. At the end of a lock or of a window for confirmation, polls
 * must have reached that end. While the rail doesn't answer, the orders wait.
 */
async function withoutUnpolled(tx: Tx, orders: readonly StoredOrder[]): Promise<readonly StoredOrder[]> {
  const ripe = orders.flatMap(({ view }) => {
    const since = view.state === 'approving' && isClearing(view.facts) ? view.facts.approval?.clearingUntil : undefined;
    const payments = view.payments.filter(({ status }) => status === 'final').map(({ id }) => id);
    return since && since <= tx.now ? [{ id: view.id, payments, since }] : [];
  });
  const unpolled = new Set([...(await unpolledAmong(tx, ripe)), ...(await withPollsBehind(tx, orders))]);
  return putOff(tx, orders, unpolled);
}

/**
 * Returns orders whose timer would conclude too early that no payment came, or that no payment was confirmed. Polls have not
 * reached the end of the lock or of the window for confirmation yet. After an outage, an order waits for the first poll, up to a
 * maximum that is pinned in the order. An order also waits for a payment that its rail no longer shows: the payment may reappear
 * and is then not late.
 */
async function withPollsBehind(tx: Tx, orders: readonly StoredOrder[]): Promise<readonly string[]> {
  const requests = orders.flatMap(({ view }) => {
    const since = pollsUntil(view);
    return since && since <= tx.now ? [{ view, since, owner: { kind: 'order' as const, id: view.id } }] : [];
  });
  const behind = await pollsBehind(tx, requests);
  return requests.flatMap(({ view, since }) => {
    const why = behind.get(view.id);
    const waits = tx.now.getTime() - since.getTime() <= view.pinned.outageWithin;
    return (why === 'missing' && view.state === 'seen') || (why === 'unlooked' && waits) ? [view.id] : [];
  });
}

/**
 * Postpones orders for which an event is on its way, and returns the others. Otherwise a payment that was recorded in time but
 * not delivered yet would find its order expired.
 */
async function withoutAwaited(tx: Tx, orders: readonly StoredOrder[]): Promise<readonly StoredOrder[]> {
  if (orders.length === 0) return orders;
  const ids = orders.map(({ view }) => view.id);
  return putOff(tx, orders, await awaitedAmong(tx, { kind: 'order', subscriber: SUBSCRIBER }, ids));
}

/** Postpones the timers of the `waiting` orders by `ms`, and returns the other orders. */
async function putOff(
  tx: Tx,
  orders: readonly StoredOrder[],
  waiting: ReadonlySet<string>,
  ms = WAIT_MS,
): Promise<readonly StoredOrder[]> {
  await putOffTimers(tx, [...waiting], new Date(tx.now.getTime() + ms));
  return orders.filter(({ view }) => !waiting.has(view.id));
}
