// Calls of buyers: the page of an invoice, its methods, and a choice of one. Everybody who knows an
// invoice's id may call them.

import { z } from 'zod';
import { confirmingCodes } from '../../confirming.ts';
import { line, lines } from '../../fields/free-text.ts';
import { route } from '../../route.ts';
import { accountFields, amount, currencyCode, email, orderId, time, token, unitCode } from '../../wire.ts';
import { accountField } from '../pricing.ts';
import { HOLDER_STOPS } from '../account/money-out.ts';
import { invoiceId, invoiceMarkWord, invoiceOption, invoicePayment, invoiceState } from './invoice-wire.ts';
import { testCase } from './invoices.ts';

const ofBuyer = { allows: 'public', tag: 'Payment' } as const;
const theInvoice = { id: invoiceId };
const PROBLEMS = ['invoice_unknown', 'record_altered'] as const;

const closedReason = z.enum(['off', 'rates', 'costs', 'too_small', 'addresses', 'invoice_limit', 'receipts_limit']).meta({
  description:
    '`off`: the desk takes no such payments now · `rates`: there is no price now · `costs`: its costs are too large a part of the sum · `too_small`: the sum is below the smallest payment · `addresses`: the store has too many unpaid addresses today · `invoice_limit`: the invoice is too large for it · `receipts_limit`: the store can receive no more by it at the moment',
});

/** A method by which an invoice can be paid. */
export const payMethod = z
  .object({
    method: currencyCode,
    /** Name of the currency or the payment system. */
    name: z.string(),
    network: z.string(),
    currency: z.string(),
    /** `address`: sent on a chain · `redirect`: paid on the payment system's own page. */
    kind: z.enum(['address', 'redirect']),
    /** Amount that pays what is due; absent for a top-up, and while there is no price. */
    amount: amount.optional(),
    /**
     * Spread and costs within this amount, in the invoice's currency; for a top-up those of the smallest payment. Absent if the store
     * bears them.
     */
    cost: amount.optional(),
    /** Smallest payment, in the method's currency. Less is not credited. */
    least: amount.optional(),
    /** Confirmations that make a payment final, in words; empty if it is final at once. */
    confirmations: z.string(),
    /** Minutes until a payment by this method was usually final in the last 30 days; absent without enough orders. */
    minutes: z.int().optional(),
    /** Fields of the payer's account that the payment system requires. */
    payer_fields: z.array(accountField),
    closed: closedReason.optional(),
  })
  .meta({ id: 'PayMethod' });

/** A wallet of the caller from which the invoice can be paid. */
const walletMethod = z
  .object({
    unit: unitCode,
    /** Sum that pays what is due; absent for a top-up. */
    amount: amount.optional(),
    available: amount,
    closed: closedReason.optional(),
  })
  .meta({ id: 'PayWallet' });

/** A payment as the buyer sees it. */
const payPayment = invoicePayment
  .extend({
    /** The unallocated payment of the part that belongs to the payer: only for a caller with the payer's secret. */
    order: z.object({ id: orderId, token }).optional(),
  })
  .meta({ id: 'PayPayment' });

/** A store as its buyers see it. */
export const buyersStore = z.object({
  name: line(),
  /** Address of the store's picture. */
  mark: z.string().optional(),
  /** The store's colour, as `#rrggbb`. */
  colour: z.string().optional(),
});

export const payInvoice = z
  .object({
    id: invoiceId,
    number: orderId,
    state: invoiceState,
    /** Absent unless the store marked the invoice: it then asks for no payment. */
    mark: invoiceMarkWord.optional(),
    store: buyersStore,
    currency: unitCode,
    /** Absent for a top-up. */
    amount: amount.optional(),
    credited: amount,
    pending: amount,
    due: amount.optional(),
    /** Sum that the buyer stated on a link: methods ask for it, and its payment has the rate of the moment when it is final. */
    stated: amount.optional(),
    lines: z.array(z.object({ name: line(), quantity: amount, unit_price: amount })),
    tax: amount.optional(),
    description: lines().optional(),
    order_id: line().optional(),
    created_at: time,
    expires_at: time,
    test: z.boolean(),
    /** True if an e-mail address is known to which a receipt goes. */
    has_email: z.boolean(),
    return_url: z.string().optional(),
    /** Bearer of spread and costs. */
    costs_bearer: z.enum(['buyer', 'store']),
    /** Methods in the order of their costs; empty once no payment is expected. */
    methods: z.array(payMethod),
    /** The caller's wallets; absent for callers who are not signed in. */
    wallets: z.array(walletMethod).optional(),
    option: invoiceOption.optional(),
    /** True while only the store has chosen a method: the first buyer who chooses one, even the same, gets the payer’s secret. */
    chosen_by_store: z.boolean(),
    payments: z.array(payPayment),
    /** A payment was dropped, so that more is due than before. */
    dropped: z.boolean(),
    /** A payment came too late and may still count: the page names it, and asks before it offers another option. */
    late: z.boolean(),
    version: z.int(),
    confirmations: z.int().optional(),
  })
  .meta({ id: 'PayInvoice' });

export const paymentInvoice = route({
  ...ofBuyer,
  mayKnowUser: true,
  method: 'GET',
  path: '/payment/invoice',
  summary: 'An invoice as its buyer sees it, with the methods by which it can be paid',
  input: z.object({
    ...theInvoice,
    secret: token.optional().meta({
      description: 'The payer’s secret. With it the answer has the keys of unallocated payments; a wrong one is ignored',
    }),
  }),
  output: payInvoice,
  problems: PROBLEMS,
});

export const paymentInvoiceStatus = route({
  ...ofBuyer,
  method: 'GET',
  path: '/payment/invoice/status',
  summary:
    'The state of an invoice; as a stream of server-sent events (`event: invoice`; resumable by id) with `Accept: text/event-stream`',
  input: z.object(theInvoice),
  output: z.object({ state: invoiceState, version: z.int(), confirmations: z.int().optional() }),
  problems: PROBLEMS,
  hasStream: true,
});

export const paymentMethod = route({
  ...ofBuyer,
  method: 'POST',
  path: '/payment/invoice/method',
  summary: 'Choose a method. The price is locked for some minutes; a former choice ends, and its address stays watched',
  input: z.object({
    ...theInvoice,
    method: currencyCode,
    amount: amount.optional().meta({
      description: 'Sum in the invoice’s currency: of a top-up, or a part of what is due; by default all that is due',
    }),
    payer: accountFields.optional(),
  }),
  output: payInvoice.extend({
    secret: token.optional().meta({
      description:
        'The payer’s secret: only in the answer to the first choice of a method by a buyer. Its holder decides about money that belongs to the payer, so keep it in the payer’s browser',
    }),
  }),
  problems: [
    ...PROBLEMS,
    'invoice_not_open',
    'method_closed',
    'too_many_choices',
    'link_used_up',
    'unpaid_options',
    'rates_unavailable',
    'account_refused',
  ],
});

export const paymentEmail = route({
  ...ofBuyer,
  method: 'POST',
  path: '/payment/invoice/email',
  summary:
    'Leave an e-mail address for the receipt. Money that belongs to the payer is mailed there, too, unless a method has been chosen and `secret` is missing',
  input: z.object({
    ...theInvoice,
    email,
    secret: token.optional().meta({
      description: 'The payer’s secret. With it the address replaces one that was left without it; a wrong one is ignored',
    }),
  }),
  output: payInvoice,
  problems: [...PROBLEMS, 'invoice_not_open'],
});

export const paymentTest = route({
  ...ofBuyer,
  method: 'POST',
  path: '/payment/invoice/test',
  summary: 'Play a payment to the invoice of a test store, or a refund of it. No money moves',
  input: z.object({ ...theInvoice, case: testCase }),
  output: payInvoice,
  problems: [...PROBLEMS, 'not_a_test', 'invoice_not_open', 'method_closed', 'rates_unavailable', 'refund_too_large'],
});

export const paymentFromWallet = route({
  method: 'POST',
  path: '/payment/invoice/pay-from-wallet',
  allows: 'user',
  tag: 'Payment',
  summary: 'Pay an invoice from a wallet of the caller. The payment is final at once',
  input: z.object({
    ...theInvoice,
    unit: unitCode,
    /** Amount to pay, in the wallet's unit: what the page showed. */
    amount,
    ...confirmingCodes('the invoice’s `id`'),
  }),
  output: payInvoice,
  problems: [
    ...PROBLEMS,
    'invoice_not_open',
    'link_used_up',
    'method_closed',
    'rates_unavailable',
    'review_changed',
    'not_enough_money',
    ...HOLDER_STOPS,
    'code_required',
    'code_wrong',
    'code_expired',
    'two_factor_required',
    'two_factor_wrong',
  ],
  isIdempotent: true,
});
