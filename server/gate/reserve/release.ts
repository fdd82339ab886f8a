// Decides how much of a settled payment leaves the store's reserve now. Pure.

import { min, move } from '../../collecting/index.ts';
import { accounts } from '../../ledger/index.ts';
import { RESERVE_DAYS, type ReversibleBounds } from '../businesses/reversible.ts';
import type { InvoiceStep } from '../invoices/draft.ts';
import type { Invoice, InvoicePayment } from '../invoices/invoice.ts';
import { netOf } from '../settled/settled.ts';

const DAY_MS = 86_400_000;

/** Terms of a release: those that two people set for the business, or the usual ones. */
export type ReleaseTerms = Pick<ReversibleBounds, 'releaseDays' | 'lastShare'>;

/** Part of a settled payment in the reserve, and the time from which it may leave. */
export interface Release {
  readonly at: Date;
  readonly parts: bigint;
}

/**
 * Returns the parts of a settled payment in the reserve, the first to leave first: all but the last share after the days of its
 * business, and the rest after 180 days. The last share is rounded up.
 */
export function releasesOf(payment: InvoicePayment, terms: ReleaseTerms): Release[] {
  const { inReserve = 0n, settled } = payment;
  if (!settled) return [];
  const after = (days: number): Date => new Date(settled.at.getTime() + days * DAY_MS);
  const last = min(inReserve, (netOf(payment) * BigInt(terms.lastShare) + 99n) / 100n);
  const early = terms.releaseDays < RESERVE_DAYS ? inReserve - last : 0n;
  const releases = [
    { at: after(terms.releaseDays), parts: early },
    { at: after(RESERVE_DAYS), parts: inReserve - early },
  ];
  return releases.filter(({ parts }) => parts > 0n);
}

/** Returns the part of a settled payment that time lets leave the reserve, in parts. */
export const releasable = (payment: InvoicePayment, terms: ReleaseTerms, now: Date): bigint =>
  releasesOf(payment, terms).reduce((sum, { at, parts }) => (at.getTime() <= now.getTime() ? sum + parts : sum), 0n);

/** Returns the step by which a part of a payment leaves the reserve for the balance. `isOver`: true if its time there is over. */
export function release(
  invoice: Invoice,
  payment: InvoicePayment,
  { parts: wanted, isOver }: { readonly parts: bigint; readonly isOver: boolean },
): InvoiceStep | undefined {
  const { inReserve = 0n, booked } = payment;
  const parts = min(wanted, inReserve);
  if (parts === 0n || !booked) return undefined;
  const rest = inReserve - parts;
  // Money that a won dispute brings again comes to the reserve until the payment's time there is over.
  const changed: InvoicePayment = { ...payment, inReserve: rest === 0n && isOver ? undefined : rest };
  const { id: store } = invoice.store;
  return {
    invoice: { ...invoice, payments: invoice.payments.map((one) => (one.id === payment.id ? changed : one)) },
    legs: move(accounts.merchantReserve(store, booked.unit), accounts.merchant(store, booked.unit), parts),
    ...{ kind: 'merchant_released', news: [] },
  };
}
