// A business is closed only once nothing is left with it: no unfinished invoice, no balance and no debt.

import { Problem } from '@kurs/contract';
import { accounts, balances } from '../ledger/index.ts';
import { currencies } from '../payments/index.ts';
import type { Statements } from '../platform/index.ts';
import { storesOfBusinesses } from './businesses/stores-of.ts';
import { countUnfinished } from './rows/invoice-rows.ts';

/**
 * Throws `business_not_empty` if a store of a business has an invoice that is not settled and has not ended, if a store has a
 * balance, or if the business owes the desk.
 */
export async function requireEmpty(db: Statements, businessId: string): Promise<void> {
  const stores = (await storesOfBusinesses(db, [businessId])).get(businessId) ?? [];
  const ids = stores.map(({ id }) => id);
  if ((await countUnfinished(db, ids)) > 0) throw new Problem('business_not_empty');
  const units = [...new Set(currencies().map(({ unit }) => unit))];
  const held = await balances(
    db,
    units.flatMap((unit) => [
      accounts.receivable(`business_${businessId}`, unit),
      ...ids.flatMap((id) => [accounts.merchant(id, unit), accounts.merchantReserve(id, unit)]),
    ]),
  );
  if (held.some((parts) => parts !== 0n)) throw new Problem('business_not_empty');
}
