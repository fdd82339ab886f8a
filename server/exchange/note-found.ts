import type { PayoutEvent } from '../payments/index.ts';
import type { Batch } from './batch.ts';
import type { OrderView } from './order.ts';

const found = (view: OrderView): OrderView => ({ ...view, facts: { ...view.facts, foundLate: true } });

function settled(view: OrderView): OrderView {
  const { foundLate: _, ...facts } = view.facts;
  return { ...view, facts };
}

/** Notes that a send of an order turned up late, or that what turned up is settled: beside its state, which people move now. */
export function noteFound(batch: Batch, id: string, event: PayoutEvent): void {
  if (event === 'found_late') batch.revise(id, found);
  if (event === 'late_back' || event === 'late_settled') batch.revise(id, settled);
}
