// Takes a payment back from all orders that have parts of it: an order, its unallocated payments, and orders made of those.

import type { PayinBody } from '../../payments/index.ts';
import type { Tx } from '../../platform/index.ts';
import type { Context } from '../order/events/events.ts';
import type { Payment } from '../order/order.ts';
import { type StoredOrder, familyIds, lockOrders } from '../order/store/order-store.ts';
import { need, stopSending } from './apply-payout.ts';
import type { Batch } from './batch.ts';

/** Data of an event about a payment that was taken back or came again. `part`: amount, if it is only a part. */
type TakenBack = Pick<PayinBody, 'payinId' | 'txid' | 'part'>;

/**
 * Locks the orders `ids`, the orders `roots` and all orders that descend from the latter.
 *
 * Until an unallocated payment is locked, its money may become a new order. A second query therefore finds and locks such new
 * orders; their ids sort after the others.
 */
export async function lockFamilies(
  tx: Tx,
  { ids, roots }: { readonly ids: readonly string[]; readonly roots: readonly string[] },
): Promise<StoredOrder[]> {
  const known = new Set([...ids, ...(roots.length > 0 ? await familyIds(tx, roots) : [])]);
  const orders = await lockOrders(tx, [...known]);
  const family = roots.length > 0 ? await familyIds(tx, roots) : [];
  const born = family.filter((id) => !known.has(id));
  if (born.length > 0) orders.push(...(await lockOrders(tx, born)));
  return orders;
}

/**
 * Takes a payment back from every order of the batch that has a part of it, and returns the amount. If the rail took back only a
 * part, the youngest order gives up its money first. The youngest order may be an unallocated payment, whose money was not sent
 * yet.
 */
export async function takeBackEverywhere(tx: Tx, batch: Batch, { payinId, txid, part }: TakenBack): Promise<bigint> {
  let sum = 0n;
  for (const { id, parts } of portions(holdersOf(batch, payinId, 'final'), part)) {
    const isStopped = await stopSending(tx, batch, id);
    const event = { type: 'payin_reversed', payment: payinId, parts, ...(isStopped && { isStopped: true as const }) } as const;
    await need(batch, id, event, { who: 'R', body: { txid } });
    sum += parts;
  }
  return sum;
}

/** Gives a payment that came again back to the orders that it was taken from, and returns the amount; 0 if there are none. */
export async function giveBackEverywhere(
  batch: Batch,
  { payinId, txid, part }: TakenBack,
  screening: Context['screening'],
): Promise<bigint> {
  let sum = 0n;
  for (const { id, parts } of portions(holdersOf(batch, payinId, 'reversed'), part)) {
    const event = { type: 'dispute_won', payment: payinId, parts } as const;
    await need(batch, id, event, { who: 'R', body: { txid } }, { screening });
    sum += parts;
  }
  return sum;
}

/** An order that has a payment, with its part of that payment. */
type Holder = { readonly id: string; readonly parts: bigint };

/** Returns the batch's orders, new ones included, that have a payment in this status, each with its part. */
export const holdersOf = (batch: Batch, payin: string, status: Payment['status']): Holder[] =>
  batch
    .withPayment(payin)
    .flatMap(({ view }) =>
      view.payments.filter((one) => one.id === payin && one.status === status).map(({ parts }) => ({ id: view.id, parts })),
    );

/**
 * Returns the amount that each order with the payment loses or gets back: its whole part of the payment. The amount of a partial
 * event is shared out, beginning with the youngest order.
 */
function portions(holders: readonly Holder[], part: string | undefined): readonly Holder[] {
  if (part === undefined) return holders;
  let left = BigInt(part);
  return holders.toReversed().flatMap(({ id, parts }) => {
    const taken = parts < left ? parts : left;
    left -= taken;
    return taken > 0n ? [{ id, parts: taken }] : [];
  });
}
