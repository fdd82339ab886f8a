import { type PayoutBody, owedForFind } from '../../payments/index.ts';
import type { Tx } from '../../platform/index.ts';
import type { Batch } from './batch.ts';
import type { OrderView } from '../order/order.ts';
import { noteFindDebt } from './debts-of-orders.ts';

const found = (view: OrderView): OrderView => ({ ...view, facts: { ...view.facts, isFoundLate: true } });

function settled(view: OrderView): OrderView {
  const { isFoundLate: _, ...facts } = view.facts;
  return { ...view, facts };
}

/**
 * Stores that one of the order's sends was found late, or that people have settled such a send. Sets or clears the fact
 * `isFoundLate` without changing the state, and stores the customer's debt. Only people can move an order with this fact.
 */
export async function noteFound(tx: Tx, batch: Batch, id: string, body: PayoutBody): Promise<void> {
  const { event, hasOthers } = body;
  if (event !== 'found_late' && event !== 'late_back' && event !== 'late_settled') return;
  if (event === 'found_late') batch.revise(id, found);
  else if (!hasOthers && owedForFind(body) === 0n) batch.revise(id, settled);
  await noteFindDebt(tx, batch.order(id), body);
}
