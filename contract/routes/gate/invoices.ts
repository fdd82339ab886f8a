// Calls of members and API keys about a store's invoices.

import { z } from 'zod';
import { lines } from '../../fields/free-text.ts';
import { lifeMinutes } from '../../fields/life-minutes.ts';
import { returnUrl } from '../../fields/return-url.ts';
import { tolerance } from '../../fields/tolerance.ts';
import { route } from '../../route.ts';
import { amount, currencyCode, day, email, inOrder, longPage, unitCode } from '../../wire.ts';
import {
  MAX_LINES,
  invoice,
  invoiceId,
  invoiceInList,
  invoiceLine,
  invoiceMarkWord,
  invoiceState,
  metadata,
  shopOrder,
} from './invoice-wire.ts';
import { ofStore, storeId } from './stores.ts';

const ofInvoices = { ...ofStore, tag: 'Invoices' } as const;

export const invoiceMake = route({
  ...ofInvoices,
  allows: ['user: invoices.create', 'key: invoices.create'],
  method: 'POST',
  path: '/store/:store/invoices/make',
  summary:
    'Make an invoice. Fields that are left out are the store’s. With `method`, the answer has the payment option, for shops that show it themselves',
  input: z.object({
    ...storeId,
    amount: amount.optional().meta({ description: 'Absent for a top-up: its first payment decides' }),
    currency: unitCode.optional(),
    lines: z.array(invoiceLine).max(MAX_LINES, { error: 'too_many_lines' }).default([]),
    tax: amount.optional().meta({ description: 'Tax that the amount includes. It is shown and never computed with' }),
    description: lines().max(500, { error: 'too_long' }).optional(),
    order_id: shopOrder.optional(),
    metadata: metadata.default({}),
    email: email.optional().meta({ description: 'The buyer’s address' }),
    return_url: returnUrl.nullable().optional().meta({ description: 'Address to which the buyer returns; null for none' }),
    methods: z.array(currencyCode).min(1, { error: 'required' }).max(100, { error: 'wrong_value' }).optional(),
    tolerance: tolerance.optional().meta({
      description:
        'Percentage of the amount that may be missing, 0 to 5. More than the store’s own needs the permission `store.manage`, too',
    }),
    life_minutes: lifeMinutes.optional(),
    method: currencyCode.optional(),
  }),
  output: invoice,
  problems: [
    'business_not_approved',
    'store_closed',
    'business_limit',
    'record_altered',
    'invoice_too_small',
    'rates_unavailable',
    'method_closed',
    'unpaid_options',
  ],
  isIdempotent: true,
});

const yes = z.enum(['yes'], { error: 'wrong_value' }).optional();

/** Filters of the list of invoices. */
export const invoiceFilter = {
  marked: yes.meta({ description: 'Marked invoices only' }),
  archived: yes.meta({ description: 'Invoices of the archive, in place of all others. A search (`q`) finds both' }),
  state: z.array(invoiceState, { error: 'wrong_value' }).max(7).optional(),
  from: day.optional(),
  to: day.optional(),
  min: amount.optional().meta({ description: 'Smallest amount, in the invoice’s own currency' }),
  max: amount.optional().meta({ description: 'Largest amount, in the invoice’s own currency' }),
  q: z.string().max(120, { error: 'too_long' }).optional().meta({
    description: 'A number of an invoice, an `order_id`, an e-mail address or a transaction id',
  }),
};

export const invoices = route({
  ...ofInvoices,
  allows: ['user: invoices.read', 'key: invoices.read'],
  method: 'GET',
  path: '/store/:store/invoices',
  summary: 'A store’s invoices, newest first. `from` and `to` are days in the store’s time zone, both included',
  input: z.object({ ...storeId, ...invoiceFilter, ...longPage }).refine(...inOrder),
  output: z.array(invoiceInList),
  problems: [],
  isList: true,
});

export const storeInvoice = route({
  ...ofInvoices,
  allows: ['user: invoices.read', 'key: invoices.read'],
  method: 'GET',
  path: '/store/:store/invoice',
  summary: 'An invoice with its payments and events',
  input: z.object({ ...storeId, id: invoiceId }),
  output: invoice,
  problems: ['invoice_unknown', 'record_altered'],
});

/** A case of a payment to a test invoice. */
export const testCase = z.enum(['seen', 'final', 'short', 'over', 'late', 'held', 'dropped', 'reversed', 'refund_claimed']).meta({
  description:
    '`seen`: a payment of the amount is seen · `final`: the last seen payment, or a new one, is final · `short`: half is paid, and the time is over · `over`: half as much again is paid · `late`: the time is over, then the amount is paid · `held`: the last seen payment, or a new one, is final and flagged · `dropped`: the last seen payment, or a new one, vanishes · `reversed`: the last final payment, or a new one, is taken back · `refund_claimed`: what was paid, or a new payment, is refunded, claimed and paid out',
});

export const storeTestPay = route({
  ...ofInvoices,
  allows: ['user: invoices.manage', 'key: invoices.manage'],
  method: 'POST',
  path: '/store/:store/test/pay',
  summary: 'Play a payment to an invoice of a test store, or a refund of it. No money moves',
  input: z.object({ ...storeId, id: invoiceId, case: testCase }),
  output: invoice,
  problems: [
    'invoice_unknown',
    'not_a_test',
    'invoice_not_open',
    'method_closed',
    'rates_unavailable',
    'refund_too_large',
    'record_altered',
  ],
  isIdempotent: true,
});

export const invoiceCancel = route({
  ...ofInvoices,
  allows: ['user: invoices.manage', 'key: invoices.manage'],
  method: 'POST',
  path: '/store/:store/invoices/cancel',
  summary: 'Cancel an open invoice to which no payment has been seen',
  input: z.object({ ...storeId, id: invoiceId }),
  output: invoice,
  problems: ['invoice_unknown', 'invoice_not_open', 'record_altered'],
  isIdempotent: true,
});

const decided = z.object({
  ...storeId,
  id: invoiceId,
  version: z.int().min(1, { error: 'wrong_value' }).max(2_147_483_647, { error: 'wrong_value' }).meta({
    description: 'Version of the invoice that the member saw. A later version is refused as `invoice_changed`',
  }),
});

export const invoiceAccept = route({
  ...ofInvoices,
  allows: ['user: payments.decide'],
  method: 'POST',
  path: '/store/:store/invoices/accept',
  summary:
    'Accept a short invoice with what is credited, or the late payments of an invoice that has ended while their payers have not decided',
  input: decided,
  output: invoice,
  problems: [
    'invoice_unknown',
    'invoice_not_open',
    'invoice_changed',
    'payer_decided',
    'store_closed',
    'accept_over',
    'rates_unavailable',
    'record_altered',
  ],
  isIdempotent: true,
});

export const invoiceGiveBack = route({
  ...ofInvoices,
  allows: ['user: payments.decide'],
  method: 'POST',
  path: '/store/:store/invoices/give-back',
  summary:
    'Give a short invoice back: its payers get what their payments are worth now, less the exchange fee and the costs. What has no price, or what the desk lacks, follows later',
  input: decided,
  output: invoice,
  problems: ['invoice_unknown', 'invoice_not_open', 'invoice_changed', 'record_altered'],
  isIdempotent: true,
});

export const invoiceMark = route({
  ...ofInvoices,
  allows: ['user: invoices.manage', 'key: invoices.manage'],
  method: 'POST',
  path: '/store/:store/invoices/mark',
  summary:
    'Mark an invoice that money has not settled as settled, or one that has neither been cancelled nor become invalid as invalid. No money moves, and no new payment option is offered. Marking an open one invalid ends it',
  input: z.object({ ...storeId, id: invoiceId, as: invoiceMarkWord }),
  output: invoice,
  problems: ['invoice_unknown', 'mark_refused', 'record_altered'],
  isIdempotent: true,
});

export const invoiceArchive = route({
  ...ofInvoices,
  allows: ['user: invoices.manage', 'key: invoices.manage'],
  method: 'POST',
  path: '/store/:store/invoices/archive',
  summary: 'Move an invoice that is settled or has ended to the archive, or back with `archived: false`. No money moves',
  input: z.object({ ...storeId, id: invoiceId, archived: z.boolean().default(true) }),
  output: invoice,
  problems: ['invoice_unknown', 'invoice_unfinished', 'record_altered'],
  isIdempotent: true,
});
