// Obstacles to the refunds of a store: a suspended business, and a debt to the desk.

import { Problem, type ProblemCode } from '@kurs/contract';
import { accounts, balances } from '../../../ledger/index.ts';
import { currencies } from '../../../payments/index.ts';
import type { Statements } from '../../../platform/index.ts';
import { countedState } from '../../businesses/business.ts';
import { businessesById } from '../../businesses/business-store.ts';
import type { Refund } from '../machine/refund.ts';
import { partyOf } from '../../stores/debtor.ts';

type StoreOfRefund = Refund['store'];

/**
 * Returns the obstacles to refunds of stores, by the store's id. `store_closed`: the desk has suspended or closed the business.
 * `business_owes`: the business, or the owner of a store without one, owes the desk.
 */
export async function whatStopsRefunds(
  db: Statements,
  stores: readonly StoreOfRefund[],
): Promise<ReadonlyMap<string, ProblemCode>> {
  const businesses = await businessesById(db, [...new Set(stores.flatMap(({ businessId }) => businessId ?? []))]);
  const units = [...new Set(currencies().map(({ unit }) => unit))];
  const debtors = [...new Set(stores.map(partyOf))];
  const owed = await balances(
    db,
    debtors.flatMap((debtor) => units.map((unit) => accounts.receivable(debtor, unit))),
  );
  const owing = new Set(
    debtors.filter((_, at) => owed.slice(at * units.length, (at + 1) * units.length).some((sum) => sum > 0n)),
  );
  const stops = new Map<string, ProblemCode>();
  for (const store of stores) {
    const business = store.businessId === undefined ? undefined : businesses.get(store.businessId);
    const isOpen = store.businessId === undefined || (business !== undefined && countedState(business) === 'approved');
    if (!isOpen) stops.set(store.id, 'store_closed');
    else if (owing.has(partyOf(store))) stops.set(store.id, 'business_owes');
  }
  return stops;
}

/** Throws the problem of `whatStopsRefunds`, if there is one. */
export async function requireRefunds(db: Statements, store: StoreOfRefund): Promise<void> {
  const code = (await whatStopsRefunds(db, [store])).get(store.id);
  if (code !== undefined) throw new Problem(code);
}
