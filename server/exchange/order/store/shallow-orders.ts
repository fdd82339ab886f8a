// Orders whose money came from another room before its payment was deep: unallocated payments, and the orders made of them.
//
// The other room's payer pays each invoice as a new customer, so the sums of customers don't bound what one reorg may take back.

import { shallowAmong, tryShallowAgain } from '../../../payments/index.ts';
import type { Statements, Tx } from '../../../platform/index.ts';
import type { OrderView } from '../order.ts';
import { familyIds } from './order-store.ts';

/** Returns the ids of those orders that may send nothing yet, because one of their payments is not deep. */
export async function shallowOrders(db: Statements, orders: readonly OrderView[]): Promise<ReadonlySet<string>> {
  const bound = orders.filter(({ pinned }) => pinned.isShallow);
  const shallow = await shallowAmong(db, bound.flatMap(finalOf));
  return new Set(bound.filter((order) => finalOf(order).some((id) => shallow.has(id))).map(({ id }) => id));
}

/** Lets what waits for the depth of a payment be sent at once. `orderIds`: the unallocated payments that have the payment's money. */
export async function sendDeep(tx: Tx, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length > 0) await tryShallowAgain(tx, 'order', await familyIds(tx, orderIds));
}

/** Returns the ids of an order's final payments. */
export const finalOf = ({ payments }: Pick<OrderView, 'payments'>): string[] =>
  payments.filter(({ status }) => status === 'final').map(({ id }) => id);
