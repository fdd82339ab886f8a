// What an order's payout is asked again before it is let out and as it leaves: what was decided when it was placed, or exchanged,
// may not hold any more.

import type { Problem } from '@kurs/contract';
import { whatStops } from '../moneyout/index.ts';
import type { Kept, MayLeave } from '../payments/index.ts';
import type { Statements } from '../platform/index.ts';
import type { RailAccount } from './order.ts';
import { type StoredOrder, readOrders } from './order-store.ts';

/**
 * What stops an order's payout as things stand: of one that is paid from a wallet what stops money that leaves that wallet.
 * `to`: the account that it would go to, where that is another than the order's. Undefined where nothing does.
 */
export async function whatStopsPayout(
  db: Statements,
  { view }: StoredOrder,
  now: Date,
  to: RailAccount | undefined = view.receive,
): Promise<Problem | undefined> {
  const { give, get, pinned } = view;
  const holderId = pinned.wallets?.give;
  if (holderId === undefined || pinned.wallets?.get !== undefined) return undefined;
  return whatStops(db, { holderId, unit: give.unit, to: get && to && { currency: get.currency, key: to.key } }, now);
}

/** The exchange's answer to payments: which payouts of orders may not leave any more, and why. */
export const ordersMayLeave: MayLeave = async (tx, payouts) => {
  const kept = new Map<string, Kept>();
  const byOrder = new Map(payouts.filter(({ purpose }) => purpose === 'payout').map(({ id, owner }) => [owner.id, id]));
  for (const order of await readOrders(tx, [...byOrder.keys()])) {
    const stop = await whatStopsPayout(tx, order, tx.now);
    const id = byOrder.get(order.view.id);
    if (stop && id !== undefined) kept.set(id, { reason: stop.code });
  }
  return kept;
};
