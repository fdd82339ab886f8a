// Bounds what invoices a business, or the owner of a personal store, may make: by what was settled and what is on its way.

import { Problem, fieldProblem } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { accounts, balances } from '../../ledger/index.ts';
import type { Statements } from '../../platform/index.ts';
import { businessesById } from '../businesses/business-store.ts';
import { dayLimitOf } from '../businesses/day-limit.ts';
import { type Store, isTestStore } from '../stores/store.ts';
import { worthOf } from '../settled/note-settled.ts';
import { allUnits } from '../settled/repay.ts';
import { settledUsdSince } from '../settled/settled-rows.ts';
import { DAY_MS, levelLeft, usdOf } from './store-money.ts';

/** The sum of a new invoice, in parts of its currency; undefined for a top-up. */
interface NewSum {
  readonly currency: string;
  readonly amount: bigint | undefined;
}

/**
 * Throws `business_limit` if a new invoice, what its business settled in the last 24 hours, and what is credited or pending on the
 * business's unfinished invoices exceed the business's limit. Invoices that nobody pays don't count. For a personal store throws
 * `validation` on `amount` if the invoice and what is on its way exceed the limits of the owner's level.
 */
export async function requireWithinWindow(
  db: Statements,
  store: Store,
  { currency, amount = 0n }: NewSum,
  now: Date,
): Promise<void> {
  if (isTestStore(store)) return;
  const { businessId, holderId } = store;
  const wanted = worthOf(currency, amount);
  const pending = await pendingUsd(db, store);
  if (businessId === undefined) {
    const used = pending + (await balanceUsd(db, store));
    const left = (await levelLeft(db, holderId, now)) - used;
    if (wanted > left) throw fieldProblem('amount', 'amount_above_limit', { left: format(money('USD', left > 0n ? left : 0n)) });
    return;
  }
  const business = (await businessesById(db, [businessId])).get(businessId);
  if (!business) throw new Problem('business_not_approved');
  const settled = await settledUsdSince(db, businessId, new Date(now.getTime() - DAY_MS));
  if (wanted + settled + pending > dayLimitOf(business)) throw new Problem('business_limit');
}

/** Returns the worth in cents of what is credited or pending on the unfinished invoices of a store's owner. */
async function pendingUsd(db: Statements, { businessId, holderId }: Store): Promise<bigint> {
  const [column, id] = businessId === undefined ? ['business_id is null and holder_id', holderId] : ['business_id', businessId];
  const rows = await db.rows<{ currency: string; parts: string }>(
    `select currency, sum(credited + pending)::text as parts from invoice
     where ${column} = $1 and state in ('open', 'confirming', 'short') and credited + pending > 0 group by currency`,
    [id],
    { name: `gate.pending_usd_${businessId === undefined ? 'holder' : 'business'}` },
  );
  return rows.reduce((sum, { currency, parts }) => sum + worthOf(currency, BigInt(parts)), 0n);
}

/** Returns the worth in cents of a personal store's balance, which has not moved to its owner's wallet yet. */
async function balanceUsd(db: Statements, { id }: Store): Promise<bigint> {
  const units = allUnits();
  const held = await balances(
    db,
    units.map((unit) => accounts.merchant(id, unit)),
  );
  return units.reduce((sum, unit, at) => sum + (usdOf(unit, held[at] ?? 0n) ?? 0n), 0n);
}
