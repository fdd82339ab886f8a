// Calls about a store's bookkeeping.

import { z } from 'zod';
import { line } from '../../fields/free-text.ts';
import { route } from '../../route.ts';
import { amount, inOrder, orderId, page, time, unitCode } from '../../wire.ts';
import { invoiceId } from './invoice-wire.ts';
import { invoiceFilter } from './invoices.ts';
import { refundFilter } from './refunds.ts';
import { ofStore, storeId } from './stores.ts';

const ofReports = { ...ofStore, tag: 'Reports', allows: ['user: reports.read', 'key: reports.read'] } as const;

/** A month, such as `2026-11`. */
const month = z
  .string()
  .regex(/^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])$/, { error: 'month_format' })
  .meta({ description: 'A month in the store’s time zone, such as `2026-11`; by default the current one' });

export const entryKind = z
  .enum(
    [
      'sale',
      'spread',
      'cost',
      'fee',
      'refund',
      'refund_back',
      'reserve_in',
      'reserve_out',
      'settlement',
      'moved_back',
      'reversal',
      'reversal_undone',
      'debt_repaid',
      'other',
    ],
    { error: 'wrong_value' },
  )
  .meta({
    id: 'EntryKind',
    description:
      '`sale`: a payment of a settled invoice · `spread`, `cost`: what the store bore of it · `fee`: the desk’s · `refund`, `refund_back`: a refund, and what came back of it · `reserve_in`, `reserve_out`: held back, and released · `settlement`, `moved_back`: to the owner’s wallet, and back · `reversal`, `reversal_undone`: taken back by the payment’s rail, and given again · `debt_repaid`: to the desk',
  });

/** Sum that may be below zero. */
const signed = z.string().meta({ description: 'A decimal string, below zero for money that left' });

const entry = z
  .object({
    id: z.string(),
    at: time,
    kind: entryKind,
    account: z.enum(['balance', 'reserve']).meta({ description: 'The account that the entry changes' }),
    /** Unit of the sums. */
    currency: z.string(),
    gross: signed.meta({
      description:
        'A sale before spread and costs, even if the buyer bears them; a reversal with its debt; otherwise the same as `net`',
    }),
    net: signed.meta({ description: 'Change of the account' }),
    /** Balance after the entry. */
    balance: signed,
    /** Reserve after the entry. */
    reserve: signed,
    invoice: z.object({ id: invoiceId, number: orderId }).optional(),
    order_id: line().optional(),
    invoice_amount: amount.optional(),
    invoice_currency: z.string().optional(),
    tax: amount.optional(),
    /** Price of one unit in the invoice's currency when the payment was credited, or when the refund was made. */
    rate: z.string().optional(),
    /** `net` in the invoice's currency, at that price. */
    worth: signed.optional(),
  })
  .meta({ id: 'StoreEntry' });

const entryFilter = {
  month: month.optional(),
  currency: unitCode.optional(),
};

export const storeEntries = route({
  ...ofReports,
  method: 'GET',
  path: '/store/:store/entries',
  summary:
    'Entries of a store’s balance and reserve in a month, newest first. `per_page` counts movements: a sale has an entry for each of its parts. With `kind` a page may have fewer while `next` is there',
  input: z.object({
    ...storeId,
    ...entryFilter,
    kind: z.array(entryKind, { error: 'wrong_value' }).max(14).optional(),
    per_page: page.per_page,
    after: z
      .string()
      .max(2_000, { error: 'too_long' })
      .regex(/^[A-Z][A-Z0-9_]{1,19}(?:\.\d{1,18}){2}(?:~[A-Z][A-Z0-9_]{1,19}(?:\.\d{1,18}){2})*$/, { error: 'wrong_value' })
      .optional()
      .meta({ description: '`next` of the previous page' }),
  }),
  output: z.object({
    month,
    timezone: z.string(),
    entries: z.array(entry),
    /** Value of `after` for the entries before these; absent at the end. */
    next: z.string().optional(),
  }),
  problems: [],
});

const sums = z.object({ opening: signed, net: signed, closing: signed });

const unitFigures = z
  .object({
    currency: z.string(),
    balance: sums,
    reserve: sums,
    /** Number of movements in the books. */
    movements: z.int(),
    /** Sums by account and kind, which add up to `net`; null if there are too many movements to add up. */
    kinds: z.array(z.object({ account: z.enum(['balance', 'reserve']), kind: entryKind, gross: signed, net: signed })).nullable(),
    /** Sums that sales brought, less fees, by day in the store's time zone; null if there are too many movements to add up. */
    days: z.array(z.object({ day: z.string(), received: signed })).nullable(),
  })
  .meta({ id: 'StoreUnitFigures' });

export const storeReport = route({
  ...ofReports,
  method: 'GET',
  path: '/store/:store/report',
  summary: 'A store’s month, by unit: balance and reserve before and after it, and what moved',
  input: z.object({ ...storeId, month: month.optional() }),
  output: z.object({
    month,
    timezone: z.string(),
    /** The current month in the store's time zone. */
    now: month,
    /** The month in which the store was made. */
    since: month,
    units: z.array(unitFigures),
  }),
  problems: [],
});

const format = z.enum(['csv', 'xlsx'], { error: 'wrong_value' }).default('csv');
const ofExports = {
  ...ofStore,
  tag: 'Reports',
  allows: 'user: reports.read',
  method: 'POST',
  output: z.object({ url: z.string(), expires_in: z.int() }),
  problems: [],
} as const;

export const storeEntryExportTicket = route({
  ...ofExports,
  path: '/store/:store/entries/export',
  summary:
    'A one-use link, valid for 60 s, that downloads a store’s month: for a browser, whose links carry no session. The member must still have the role when the download begins',
  input: z.object({ ...storeId, ...entryFilter, format }),
});

export const storeInvoiceExportTicket = route({
  ...ofExports,
  path: '/store/:store/invoices/export',
  summary: 'A one-use link, valid for 60 s, that downloads the store’s invoices that match a filter',
  input: z.object({ ...storeId, ...invoiceFilter, format }).refine(...inOrder),
});

export const storePaymentExportTicket = route({
  ...ofExports,
  path: '/store/:store/payments/export',
  summary: 'A one-use link, valid for 60 s, that downloads the payments of the store’s invoices that match a filter',
  input: z.object({ ...storeId, ...invoiceFilter, format }).refine(...inOrder),
});

export const storeRefundExportTicket = route({
  ...ofExports,
  path: '/store/:store/refunds/export',
  summary: 'A one-use link, valid for 60 s, that downloads the store’s refunds that match a filter',
  input: z.object({ ...storeId, ...refundFilter, format }),
});
