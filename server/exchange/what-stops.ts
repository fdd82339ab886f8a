// What an order's payout is asked again before it is let out and as it leaves: what was decided when it was placed, or exchanged,
// may not hold any more.

import { Problem } from '@kurs/contract';
import { owedSum } from '../compliance/index.ts';
import { whatStops } from '../moneyout/index.ts';
import type { Kept, MayLeave } from '../payments/index.ts';
import type { Statements } from '../platform/index.ts';
import type { RailAccount } from './order.ts';
import { type StoredOrder, readOrders } from './order-store.ts';
import { owing } from './owing.ts';

/**
 * What stops an order's payout as things stand: a debt that is shown to be its customer's, and of one that is paid from a wallet
 * what stops money that leaves that wallet. `to`: the account that it would go to, where that is another than the order's. Undefined where nothing does.
 */
export async function whatStopsPayout(
  db: Statements,
  order: StoredOrder,
  now: Date,
  to: RailAccount | undefined = order.view.receive,
): Promise<Problem | undefined> {
  const { id, give, get, pinned } = order.view;
  const holderId = pinned.wallets?.give;
  if (pinned.wallets?.get !== undefined) return undefined;
  const [debt] = (await owing(db, [order])).get(id)?.shown ?? [];
  if (debt) return new Problem('debt_stops', { params: owedSum(debt) });
  if (holderId === undefined) return undefined;
  return whatStops(db, { holderId, unit: give.unit, to: get && to && { currency: get.currency, key: to.key } }, now);
}

/** What stops a refund: a debt that its customer has come to owe since it was decided. What people decide knowing of it goes. */
async function whatStopsRefund(db: Statements, order: StoredOrder): Promise<string | undefined> {
  const { id, facts } = order.view;
  const owed = (await owing(db, [order])).get(id)?.shown ?? [];
  return owed.some(({ since }) => since > facts.since) ? 'debt_stops' : undefined;
}

/** The exchange's answer to payments: which payouts and refunds of orders may not leave any more, and why. */
export const ordersMayLeave: MayLeave = async (tx, payouts) => {
  const kept = new Map<string, Kept>();
  const byOrder = new Map(payouts.map((payout) => [payout.owner.id, payout]));
  for (const order of await readOrders(tx, [...byOrder.keys()])) {
    const payout = byOrder.get(order.view.id);
    if (!payout) continue;
    const isRefund = payout.purpose === 'refund';
    const reason = isRefund ? await whatStopsRefund(tx, order) : (await whatStopsPayout(tx, order, tx.now))?.code;
    if (reason !== undefined) kept.set(payout.id, { reason });
  }
  return kept;
};
