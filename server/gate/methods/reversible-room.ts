// Sums that a store may be paid now by methods whose payments can be taken back for months. Only businesses for which two people
// switched them on have any; test stores play them.

import { isReversible, receiptsLeft } from '../../compliance/index.ts';
import type { Statements } from '../../platform/index.ts';
import { openBounds } from '../businesses/open-bounds.ts';
import type { Invoice } from '../invoices/invoice.ts';

/** Sums in cents: maximum of one invoice, and what the store may still receive. */
export interface ReversibleRoom {
  readonly invoiceUsd: bigint;
  readonly leftUsd: bigint;
}

/** Facts of an invoice that decide about such methods, before or after it is made. */
interface Payable {
  readonly store: Pick<Invoice['store'], 'businessId'>;
  readonly terms: Pick<Invoice['terms'], 'methods' | 'isTest'>;
}

const ENOUGH = 10n ** 15n;
/** Room of test stores, which play all methods. */
export const OF_TESTS: ReversibleRoom = { invoiceUsd: ENOUGH, leftUsd: ENOUGH };

/** Returns what an invoice may be paid by such methods; undefined if it can't, and for an invoice that has no such method. */
export async function roomFor(db: Statements, { store, terms }: Payable, now: Date): Promise<ReversibleRoom | undefined> {
  if (!terms.methods.some(isReversible)) return undefined;
  if (terms.isTest) return OF_TESTS;
  const bounds = await openBounds(db, store.businessId);
  if (!bounds || store.businessId === undefined) return undefined;
  const left = await receiptsLeft(db, { businessId: store.businessId, maxUsd: bounds.receiptsUsd }, now);
  return { invoiceUsd: bounds.invoiceUsd, leftUsd: left.parts };
}
