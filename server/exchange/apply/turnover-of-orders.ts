// What orders count towards the turnover of their customers, in the transaction that they are completed or taken back in.

import { holdersById } from '../../auth/index.ts';
import { type Counted, countTurnover } from '../../loyalty/index.ts';
import type { Tx } from '../../platform/index.ts';
import { bookedOf } from '../order/money/breakdown.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import type { Happened } from './events-of-orders.ts';

/** Whether what happened adds an order or takes it off; 0 for neither. Refunded after all it counts no more, too. */
function signOf({ kind, order, before }: Happened): 1n | 0n | -1n {
  if (kind === 'order.completed' || kind === 'order.restored') return 1n;
  if (kind === 'order.reversed') return -1n;
  const wasPaidOut = kind === 'order.ended' && order.finishedAt !== undefined && before?.state !== 'charged_back';
  return wasPaidOut ? -1n : 0n;
}

/** Counts what happened to orders towards their customers' turnover. */
export async function countTurnoverOf(tx: Tx, happened: readonly Happened[]): Promise<void> {
  const counting = happened.filter((one) => signOf(one) !== 0n);
  if (counting.length === 0) return;
  const ids = counting.flatMap(({ order }) => order.holderId ?? []);
  const holders = ids.length === 0 ? undefined : await holdersById(tx, [...new Set(ids)]);
  const counted = counting.map((one): Counted => {
    const { order } = one;
    return {
      email: holders?.get(order.holderId ?? '')?.email ?? order.email,
      completedAt: order.finishedAt ?? tx.now,
      cents: signOf(one) * gaveOf(order, one.before),
    };
  });
  await countTurnover(tx, counted);
}

/** The worth of what an order gave, by what it was worth as it was placed. */
function gaveOf({ view, usd }: StoredOrder, before: Happened['before']): bigint {
  const { give } = bookedOf(view) ?? (before && bookedOf(before)) ?? { give: view.give.parts };
  return (usd * give) / view.give.parts;
}
