// An invoice as its store sees it.

import type { Output, Routes } from '@kurs/contract';
import { sitePath } from '@kurs/contract';
import type { Statements } from '../../platform/index.ts';
import { shownBounds } from '../businesses/open-bounds.ts';
import type { Invoice, InvoicePayment } from '../invoices/invoice.ts';
import { type Release, releasesOf } from '../reserve/release.ts';
import { eventsOf } from '../rows/event-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { percentageOf } from '../stores/tolerance.ts';
import { unitMoney } from '../wire/amounts.ts';
import { invoiceRow } from '../wire/invoice-row.ts';
import { confirmationsOfInvoice } from './confirmations.ts';
import { type DecisionKind, decisionWire } from './decision-wire.ts';
import { currentOptionWire } from './option-wire.ts';
import { settledSums } from './settled-sums.ts';
import { storePaymentWire } from '../wire/payment-wire.ts';

type InvoiceWire = Output<Routes['storeInvoice']>;
type StorePayment = InvoiceWire['payments'][number];
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
  const [events, releases, confirmations, decision] = await Promise.all([
    eventsOf(db, view.id),
    releasesOfPayments(db, view),
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
    payments: view.payments.map((payment) => ({
      ...storePaymentWire(terms, payment, confirmations),
      ...releasesWire(payment, releases.get(payment.id)),
    })),
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

/** Returns the parts of an invoice's payments that stand in the store's reserve, by the payments' ids. */
async function releasesOfPayments(
  db: Statements,
  { store: { businessId }, payments }: Invoice,
): Promise<ReadonlyMap<string, readonly Release[]>> {
  const found = payments.filter(({ inReserve = 0n }) => inReserve > 0n);
  if (found.length === 0 || businessId === undefined) return new Map();
  const terms = await shownBounds(db, businessId);
  return new Map(found.map((payment) => [payment.id, releasesOf(payment, terms)]));
}

function releasesWire({ booked }: InvoicePayment, releases: readonly Release[] = []): Pick<StorePayment, 'in_reserve'> {
  if (!booked || releases.length === 0) return {};
  return { in_reserve: releases.map(({ at, parts }) => ({ until: at.toISOString(), sum: unitMoney(booked.unit, parts) })) };
}
