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
 * Notes that a send of an order turned up late, or that this is settled. It is a fact next to the order's state, and part of the
 * customer's debts; only people move such an order.
 */
export async function noteFound(tx: Tx, batch: Batch, id: string, body: PayoutBody): Promise<void> {
  const { event, hasOthers } = body;
  if (event !== 'found_late' && event !== 'late_back' && event !== 'late_settled') return;
  if (event === 'found_late') batch.revise(id, found);
  else if (!hasOthers && owedForFind(body) === 0n) batch.revise(id, settled);
  await noteFindDebt(tx, batch.order(id), body);
}
