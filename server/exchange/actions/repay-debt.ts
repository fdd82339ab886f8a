import { Problem } from '@kurs/contract';
import { sumOf, UnitOfWork } from '../../collecting/index.ts';
import type { Tx } from '../../platform/index.ts';
import { Batch } from '../apply/batch.ts';
import { openDesk } from '../apply/desk-state.ts';
import type { Sender } from '../letters/letters.ts';
import type { OrderView } from '../order/order.ts';
import { type StoredOrder, lockOrders, readOrder } from '../order/store/order-store.ts';

export interface RepayDebt {
  /** Number of the order with the debt. */
  readonly debt: string;
  /** Number of the order whose payment settles the debt. */
  readonly from: string;
  /** Names of the people who decide the settlement. */
  readonly by: readonly string[];
  readonly reason: string;
}

/**
 * Returns how much of an order's debt another order's payment can settle, in parts; 0 if nothing. Both orders must have the same
 * unit, and the paying order's money must still be undecided. An order whose own debt was settled by another payment can't settle
 * debts, even if its own payment came back.
 */
export function repayable(debt: OrderView, from: OrderView): bigint {
  const { receivable } = debt.positions;
  const isOpen = from.state === 'choosing' || from.state === 'holding';
  if (debt.id === from.id || !isOpen || debt.give.unit !== from.give.unit) return 0n;
  if (sumOf(from.payments.filter(({ status }) => status === 'final')) < from.positions.in) return 0n;
  return from.positions.in < receivable ? from.positions.in : receivable;
}

/**
 * Settles an order's debt from another order's payment. Both orders may have different customers. The excess becomes an
 * unallocated payment of the payer. Returns the settled amount. Throws `order_not_found`, `action_not_open`, `order_changed`. The
 * caller ensures that two operators agreed. Posts, so the call must be the last step of its transaction.
 */
export async function repayDebt(tx: Tx, sender: Sender, { debt, from, by, reason }: RepayDebt): Promise<bigint> {
  const orders = await lockBoth(tx, [debt, from]);
  const [owing, paying] = [debt, from].map((number) => orders.find((one) => one.number === number)) as [StoredOrder, StoredOrder];
  const parts = repayable(owing.view, paying.view);
  if (parts === 0n) throw new Problem('action_not_open');
  const batch = new Batch(new UnitOfWork(tx), await openDesk(tx, orders), sender, orders);
  const who = { who: `O2 ${by.join(', ')}`, why: reason };
  const done = [
    batch.decide(owing.view.id, { type: 'repaid', parts }, { ...who, body: { from } }),
    batch.decide(paying.view.id, { type: 'settle_debt', debt: owing.view.id, parts }, { ...who, body: { debt } }),
  ];
  if (done.some(({ refused }) => refused !== undefined)) throw new Problem('action_not_open');
  await batch.commit('order_changed');
  return parts;
}

async function lockBoth(tx: Tx, numbers: readonly string[]): Promise<StoredOrder[]> {
  const found = await Promise.all(numbers.map((number) => readOrder(tx, number)));
  if (found.some((order) => order === undefined)) throw new Problem('order_not_found');
  return lockOrders(
    tx,
    found.flatMap((order) => (order ? [order.view.id] : [])),
  );
}
