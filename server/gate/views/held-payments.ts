// Held payments to invoices, for the desk.

import type { Statements } from '../../platform/index.ts';
import { type HeldPayment, heldOf } from '../invoices/held.ts';
import { sumText } from '../wire/sum-text.ts';
import { holdingWith, readInvoice } from '../rows/invoice-rows.ts';
import { invoiceOfPayment } from '../rows/payment-rows.ts';
import { type StoredInvoice, emailOfPayer } from '../rows/stored-invoice.ts';
import { storesById } from '../stores/store-rows.ts';

/** A held payment, with its invoice as the desk knows it. */
export interface HeldForDesk {
  readonly payment: HeldPayment;
  readonly number: string;
  readonly store: string;
  /** Address of the payer, if they or the shop gave one. */
  readonly email: string | undefined;
  /** Sum that counts towards the invoice meanwhile, and its currency. */
  readonly counts: { readonly amount: string; readonly currency: string };
}

/** Returns at most `max` payments that the desk must check, those held longest first. */
export async function heldPayments(db: Statements, max: number): Promise<HeldForDesk[]> {
  const invoices = await holdingWith(db, 'held', max);
  const stores = await storesById(db, [...new Set(invoices.map(({ view }) => view.store.id))]);
  return invoices
    .flatMap((stored) => heldOf(stored.view).map((payment) => forDesk(stored, payment, stores.get(stored.view.store.id)?.name)))
    .toSorted((a, b) => a.payment.hold.since.getTime() - b.payment.hold.since.getTime());
}

/** Returns a held payment by its id; undefined if it is not held. */
export async function heldPayment(db: Statements, id: string): Promise<HeldForDesk | undefined> {
  const invoiceId = await invoiceOfPayment(db, id);
  if (invoiceId === undefined) return undefined;
  const stored = await readInvoice(db, invoiceId);
  const payment = heldOf(stored.view).find((one) => one.id === id);
  return payment && forDesk(stored, payment);
}

const forDesk = (stored: StoredInvoice, payment: HeldPayment, store = ''): HeldForDesk => {
  const { terms } = stored.view;
  return {
    ...{ payment, number: stored.number, store, email: emailOfPayer(stored) },
    counts: { amount: sumText(terms, payment.pending), currency: terms.currency },
  };
};
