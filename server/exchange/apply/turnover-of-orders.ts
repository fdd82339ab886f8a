// Adds orders to their customers' turnover when they begin to count, and subtracts them when they stop counting, in the same
// transaction.

import { holdersById } from '../../auth/index.ts';
import { type Counted, countTurnover } from '../../loyalty/index.ts';
import type { Tx } from '../../platform/index.ts';
import { bookedOf } from '../order/money/breakdown.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import type { Happened } from './events-of-orders.ts';

/** Updates customers' turnover after events of their orders. */
export async function countTurnoverOf(tx: Tx, happened: readonly Happened[]): Promise<void> {
  const counting = happened.filter((one) => one.isCounted !== undefined);
  if (counting.length === 0) return;
  const ids = counting.flatMap(({ order }) => order.holderId ?? []);
  const holders = ids.length === 0 ? undefined : await holdersById(tx, [...new Set(ids)]);
  const counted = counting.map((one): Counted => {
    const { order } = one;
    return {
      email: holders?.get(order.holderId ?? '')?.email ?? order.email,
      completedAt: order.finishedAt ?? tx.now,
      cents: one.isCounted ? gaveOf(order) : -gaveOf(order, one.before),
    };
  });
  await countTurnover(tx, counted);
}

/**
 * Returns the worth in cents of USD of the amount given, in proportion to the order's worth at the placing. `booked`: the order
 * at the time when its exchange was booked.
 */
function gaveOf({ view, usd }: StoredOrder, booked = view): bigint {
  const { give } = bookedOf(booked) ?? { give: view.give.parts };
  return (usd * give) / view.give.parts;
}
