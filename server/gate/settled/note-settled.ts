// Notes what changed invoices settled to their stores: in the invoices themselves, and in rows for sums.

import type { Tx } from '../../platform/index.ts';
import type { Invoice } from '../invoices/invoice.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { worthOf } from '../methods/worth.ts';
import { planNow } from '../plans/plan-rows.ts';
import { withSettled } from './settled.ts';
import { changedSettled, saveSettled } from './settled-rows.ts';

/**
 * Returns changed invoices with notes on what was settled, and stores the rows. `before`: the invoices before the change, by their ids.
 * Schedules moves to the owners' wallets for personal stores with newly deep money.
 */
export async function noteSettled(
  tx: Tx,
  changed: readonly StoredInvoice[],
  before: ReadonlyMap<string, Invoice>,
): Promise<StoredInvoice[]> {
  const noted = changed.map((stored) => {
    const { view } = stored;
    if (view.terms.isTest) return stored;
    const usdOf = (credit: bigint): bigint => worthOf(view.terms.currency, credit);
    const settled = withSettled(before.get(view.id), view, { now: tx.now, usdOf });
    return settled === view ? stored : { ...stored, view: settled };
  });
  const live = noted.flatMap(({ view }) => (view.terms.isTest ? [] : [view]));
  const rows = changedSettled(live, before);
  await saveSettled(tx, rows);
  const personal = rows.filter(({ businessId, isDeep, parts }) => businessId === undefined && isDeep && parts > 0n);
  await planNow(tx, [...new Set(personal.map(({ storeId }) => storeId))]);
  return noted;
}
