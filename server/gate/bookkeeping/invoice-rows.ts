// A store's invoices, or their payments, as a file.

import { format, money } from '@kurs/money';
import type { Cell, Statements } from '../../platform/index.ts';
import type { InvoicePayment } from '../invoices/invoice.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { openStore } from '../stores/store-rows.ts';
import { unitMoney } from '../wire/amounts.ts';
import type { InvoiceFilter } from '../views/invoice-filter.ts';
import { allInvoices } from '../views/invoice-list.ts';
import { invoiceRow } from '../wire/invoice-row.ts';
import { settledSums } from '../views/settled-sums.ts';
import { storePaymentWire } from '../wire/payment-wire.ts';
import { amountCell, clockIn, sumsText } from './cells.ts';

/** Number of invoices in memory at a time. */
const GROUP = 250;

const INVOICE_COLUMNS = [
  ...['invoice', 'order', 'state', 'created', 'created_utc', 'expires_utc', 'currency', 'amount', 'tax', 'credited'],
  ...['pending', 'due', 'received', 'fees', 'email', 'test'],
];

/** Yields the invoices that match a filter as rows, the newest first, after a header row. */
export async function* invoiceRows(db: Statements, filter: InvoiceFilter): AsyncGenerator<Cell[][]> {
  yield [INVOICE_COLUMNS];
  const { timezone } = await openStore(db, filter.store);
  const clock = clockIn(timezone);
  for await (const group of allInvoices(db, filter, timezone, GROUP)) yield group.map((one) => rowOfInvoice(one, clock));
}

function rowOfInvoice(stored: StoredInvoice, clock: (at: Date) => string): Cell[] {
  const wire = invoiceRow(stored);
  const { received, fees } = settledSums(stored.view);
  return [
    ...[wire.number, wire.order_id ?? '', wire.state, clock(stored.createdAt), wire.created_at, wire.expires_at],
    ...[wire.currency, amountCell(wire.amount), amountCell(stored.details.tax), amountCell(wire.credited)],
    ...[amountCell(wire.pending), amountCell(wire.due), sumsText(received), sumsText(fees), wire.email ?? ''],
    wire.test ? 'yes' : '',
  ];
}

const PAYMENT_COLUMNS = [
  ...['time', 'time_utc', 'invoice', 'order', 'status', 'method', 'network', 'paid', 'paid_currency', 'credit'],
  ...['invoice_currency', 'late', 'settled', 'fee', 'settled_currency', 'costs', 'costs_currency', 'in_kind'],
  ...['over', 'over_currency', 'txid', 'payment'],
];

/** Yields the payments of the invoices that match a filter as rows, after a header row. */
export async function* paymentRows(db: Statements, filter: InvoiceFilter): AsyncGenerator<Cell[][]> {
  yield [PAYMENT_COLUMNS];
  const { timezone } = await openStore(db, filter.store);
  const clock = clockIn(timezone);
  for await (const group of allInvoices(db, filter, timezone, GROUP))
    yield group.flatMap((stored) => stored.view.payments.map((payment) => rowOfPayment(stored, payment, clock)));
}

function rowOfPayment({ view, number, orderId }: StoredInvoice, payment: InvoicePayment, clock: (at: Date) => string): Cell[] {
  const wire = storePaymentWire(view.terms, payment, new Map());
  const { booked } = payment;
  const fee = booked?.fee === undefined ? undefined : format(money(booked.unit, booked.fee));
  const settled = booked && unitMoney(booked.unit, booked.set);
  return [
    ...[clock(payment.seenAt), wire.at, number, orderId ?? '', wire.status, wire.currency, wire.network],
    ...[amountCell(wire.paid.amount), wire.paid.currency, amountCell(wire.credit), view.terms.currency, wire.late ? 'yes' : ''],
    ...[amountCell(settled?.amount), amountCell(fee), settled?.currency ?? '', amountCell(wire.costs?.amount)],
    ...[wire.costs?.currency ?? '', wire.in_kind ? 'yes' : '', amountCell(wire.over?.amount), wire.over?.currency ?? ''],
    ...[wire.txid ?? '', wire.id],
  ];
}
