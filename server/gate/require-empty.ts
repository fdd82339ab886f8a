// A business, and the account of a store's owner, are closed only once nothing is left with them: no unfinished invoice, no open
// refund, no balance and no debt.

import { Problem } from '@kurs/contract';
import { type AccountRef, accounts, balances } from '../ledger/index.ts';
import { currencies } from '../payments/index.ts';
import type { Statements } from '../platform/index.ts';
import { storesOfBusinesses } from './businesses/stores-of.ts';
import { countOpenRefunds } from './refunds/rows/refund-rows.ts';
import { countUnfinished } from './rows/invoice-rows.ts';
import { storesOwnedBy } from './stores/store-rows.ts';

/** True if stores have no unfinished invoice, no open refund and no balance, and `debtors` owe the desk nothing. */
async function isEmpty(db: Statements, storeIds: readonly string[], debtors: readonly string[]): Promise<boolean> {
  if ((await countUnfinished(db, storeIds)) > 0 || (await countOpenRefunds(db, storeIds)) > 0) return false;
  const units = [...new Set(currencies().map(({ unit }) => unit))];
  const held = await balances(
    db,
    units.flatMap((unit): AccountRef[] => [
      ...debtors.map((debtor) => accounts.receivable(debtor, unit)),
      ...storeIds.flatMap((id) => [accounts.merchant(id, unit), accounts.merchantReserve(id, unit)]),
    ]),
  );
  return held.every((parts) => parts === 0n);
}

/**
 * Throws `business_not_empty` if a store of a business has an invoice that is not settled and has not ended, if a refund has
 * not ended, if a store has a balance, or if the business owes the desk.
 */
export async function requireEmpty(db: Statements, businessId: string): Promise<void> {
  const stores = (await storesOfBusinesses(db, [businessId])).get(businessId) ?? [];
  const ids = stores.map(({ id }) => id);
  if (!(await isEmpty(db, ids, [`business_${businessId}`]))) throw new Problem('business_not_empty');
}

/** True if a store of an account holder has an unfinished invoice or a balance. Test stores have neither. */
export async function haveStoresMoney(db: Statements, holderId: string): Promise<boolean> {
  const owned = (await storesOwnedBy(db, holderId)).filter(({ kind }) => kind !== 'test');
  return (
    owned.length > 0 &&
    !(await isEmpty(
      db,
      owned.map(({ id }) => id),
      [],
    ))
  );
}
