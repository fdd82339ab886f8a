// Bounds what invoices a business, or the owner of a personal store, may make: by what was settled and what is on its way.

import { Problem, fieldProblem } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { accounts, balances } from '../../ledger/index.ts';
import type { Statements } from '../../platform/index.ts';
import { businessById } from '../businesses/business-store.ts';
import { dayLimitOf } from '../businesses/day-limit.ts';
import type { InvoiceTerms } from '../invoices/invoice.ts';
import { type Store, isTestStore } from '../stores/store.ts';
import { usdOf, worthOf } from '../methods/worth.ts';
import { allUnits } from '../settled/repay.ts';
import { settledUsdSince } from '../settled/settled-rows.ts';
import { DAY_MS, levelLeft } from './store-money.ts';

/** The terms of a new invoice that the limits depend on. A top-up has no amount, but perhaps a sum that its buyer states. */
type NewSum = Pick<InvoiceTerms, 'currency' | 'amount' | 'stated' | 'linkId'>;

/**
 * Throws `business_limit` if a new invoice, what its business settled in the last 24 hours, and what is credited or pending on the
 * business's unfinished invoices exceed the business's limit. Invoices that nobody pays don't count. For a personal store throws
 * `validation` on `amount` if the invoice and what is on its way exceed the limits of the owner's level. A buyer who makes the
 * invoice by a link gets `store_limit` in place of both.
 */
export async function requireWithinWindow(
  db: Statements,
  store: Store,
  { currency, amount, stated = 0n, linkId }: NewSum,
  now: Date,
): Promise<void> {
  if (isTestStore(store)) return;
  const { businessId, holderId } = store;
  const wanted = worthOf(currency, amount ?? stated);
  const pending = await pendingUsd(db, store);
  if (businessId === undefined) {
    const used = pending + (await balanceUsd(db, store));
    const left = (await levelLeft(db, holderId, now)) - used;
    if (wanted <= left) return;
    if (linkId !== undefined) throw new Problem('store_limit');
    throw fieldProblem('amount', 'amount_above_limit', { left: format(money('USD', left > 0n ? left : 0n)) });
  }
  const business = await businessById(db, businessId);
  if (!business) throw new Problem('business_not_approved');
  const settled = await settledUsdSince(db, businessId, new Date(now.getTime() - DAY_MS));
  if (wanted + settled + pending <= dayLimitOf(business)) return;
  throw new Problem(linkId === undefined ? 'business_limit' : 'store_limit');
}

/** Returns the worth in cents of what is credited or pending on the unfinished invoices of a business, or of a personal store. */
async function pendingUsd(db: Statements, { id, businessId, holderId }: Store): Promise<bigint> {
  const isOfBusiness = businessId !== undefined;
  const rows = await db.rows<{ currency: string; parts: string }>(
    `select currency, sum(credited + pending)::text as parts from invoice
     where ${isOfBusiness ? 'business_id = $1' : 'business_id is null and holder_id = $1 and store_id = $2'}
       and state in ('open', 'confirming', 'short') and credited + pending > 0 group by currency`,
    isOfBusiness ? [businessId] : [holderId, id],
    { name: `gate.pending_usd_${isOfBusiness ? 'business' : 'holder'}` },
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
