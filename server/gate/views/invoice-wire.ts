// An invoice as its store sees it.

import type { Output, Routes } from '@kurs/contract';
import { sitePath } from '@kurs/contract';
import type { Statements } from '../../platform/index.ts';
import { eventsOf } from '../rows/event-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { percentageOf } from '../stores/tolerance.ts';
import { invoiceRow } from '../wire/invoice-row.ts';
import { confirmationsOfInvoice } from './confirmations.ts';
import { type DecisionKind, decisionWire } from './decision-wire.ts';
import { currentOptionWire } from './option-wire.ts';
import { settledSums } from './settled-sums.ts';
import { storePaymentWire } from '../wire/payment-wire.ts';

type InvoiceWire = Output<Routes['storeInvoice']>;
export type InvoiceInList = Output<Routes['invoices']>[number];

/** Returns an invoice as lists have it. */
export const invoiceInList = (stored: StoredInvoice, decision: DecisionKind | undefined): InvoiceInList => ({
  ...invoiceRow(stored),
  ...(decision && { decision }),
});

/** Returns an invoice with its payments and events. `site`: address of the site. */
export async function invoiceWire(db: Statements, stored: StoredInvoice, site: string, now: Date): Promise<InvoiceWire> {
  const { view, details, locale, metadata, updatedAt } = stored;
  const { terms } = view;
  const [events, confirmations, decision] = await Promise.all([
    eventsOf(db, view.id),
    confirmationsOfInvoice(db, view),
    decisionWire(db, view, now),
  ]);
  const option = currentOptionWire(view, now);
  return {
    ...invoiceRow(stored),
    ...{ store: view.store.id, url: `${site}${sitePath(locale, `pay/${view.id}`)}` },
    ...{ lines: details.lines.map((line) => ({ ...line })), metadata: JSON.parse(metadata) as InvoiceWire['metadata'] },
    ...(details.tax !== undefined && { tax: details.tax }),
    ...(details.description !== undefined && { description: details.description }),
    ...(details.returnUrl !== undefined && { return_url: details.returnUrl }),
    ...{ methods: [...terms.methods], settlement_currency: terms.settlement.currency },
    tolerance: percentageOf(terms.tolerance),
    costs_bearer: terms.isBorneByStore ? 'store' : 'buyer',
    payments: view.payments.map((payment) => storePaymentWire(terms, payment, confirmations)),
    ...settledSums(view),
    ...(option && { option }),
    ...(decision && { decision }),
    events: events.map(({ version, at, kind, state, paymentId, mark }) => ({
      ...{ version, at: at.toISOString(), event: kind, state },
      ...(paymentId !== null && { payment: paymentId }),
      ...(mark !== null && { mark }),
    })),
    updated_at: updatedAt.toISOString(),
  };
}
