// Invoices, their payments and their options, in the form of the API.

import { z } from 'zod';
import { line } from '../../fields/free-text.ts';
import { amount, currencyCode, id, money, orderId, time, unitCode } from '../../wire.ts';

/** Id of an invoice: 128 random bits. Everybody who knows it may open the invoice's page and pay. */
export const invoiceId = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, { error: 'id_format' })
  .meta({ id: 'InvoiceId', examples: ['7c9e6679-7425-40de-944b-e07fc1f90ae7'] });

export const invoiceState = z
  .enum(['open', 'confirming', 'settled', 'short', 'expired', 'cancelled', 'invalid'], { error: 'wrong_value' })
  .meta({
    id: 'InvoiceState',
    description:
      '`open`: waits for payments · `confirming`: covered by payments that are not all final · `settled`: paid · `short`: partly paid, and its time is over · `expired`: its time is over without payment · `cancelled` · `invalid`',
  });

export const invoiceMarkWord = z.enum(['settled', 'invalid'], { error: 'wrong_value' }).meta({
  id: 'InvoiceMarkWord',
  description: 'What a store marked an invoice as, in place of a settlement by money',
});

/** Maximum number of lines of an invoice. */
export const MAX_LINES = 100;

export const invoiceLine = z
  .object({
    name: line().min(1, { error: 'required' }).max(200, { error: 'too_long' }),
    quantity: amount.meta({ description: 'Number of pieces; at most 6 decimals' }),
    unit_price: amount,
  })
  .meta({ id: 'InvoiceLine' });

export const shopOrder = line().min(1, { error: 'required' }).max(100, { error: 'too_long' }).meta({
  description: 'The shop’s own number of the order. Several invoices may have the same',
});

/** Fields that an invoice has in every list and on every page. */
const invoiceRow = {
  id: invoiceId,
  /** Number that people use for the invoice. */
  number: orderId,
  state: invoiceState,
  /** Absent unless the store marked the invoice; a settlement by money ends the mark. */
  mark: invoiceMarkWord.optional(),
  archived: z.boolean().meta({ description: 'True if the store’s list hides the invoice' }),
  currency: unitCode,
  /** Absent for a top-up, whose first payment decides the amount. */
  amount: amount.optional(),
  /** Sum of final payments, in the invoice's currency, less what was reversed or given back. */
  credited: amount,
  /** Sum of payments that are on their way in time, in the invoice's currency. */
  pending: amount,
  /** Sum that is still to be paid; absent for a top-up. */
  due: amount.optional(),
  order_id: line().optional(),
  email: z.string().optional(),
  created_at: time,
  /** Time until which the invoice can be paid. */
  expires_at: time,
  test: z.boolean().meta({ description: 'True for an invoice of a test store, which moves no money' }),
  /** Version of the invoice, which increases with each change. */
  version: z.int(),
};

const decisionKind = z.enum(['short', 'late']).meta({
  description: '`short`: it was paid in part, and its time is over · `late`: a payment came after it had ended',
});

export const invoiceInList = z
  .object({
    ...invoiceRow,
    /** Decision that the invoice waits for; absent if there is none. */
    decision: decisionKind.optional(),
  })
  .meta({ id: 'InvoiceInList' });

/** Decision of members about money that came short or late, at the current prices. */
const invoiceDecision = z
  .object({
    kind: decisionKind,
    /** For a short invoice: what happens at `until` if nobody decides. */
    preset: z.enum(['accept', 'give_back']).optional(),
    /** Time until which a late payment may be accepted, or from which the preset decides. */
    until: time.optional(),
    /** Sum with which the invoice is settled if it is accepted, in its currency. */
    sum: amount,
    /** Sums that the store receives if it is accepted, after the fee. */
    store_gets: z.array(money),
    /** Sums that the payers receive if it is not accepted: by giving a short invoice back, or the late payments themselves. */
    payers_get: z.array(money),
    /** False while there is no price for some of the money: a late payment can’t be accepted, and giving back follows later. */
    has_price: z.boolean(),
  })
  .meta({ id: 'InvoiceDecision' });

export const invoicePaymentStatus = z
  .enum(['seen', 'held', 'waiting', 'credited', 'unallocated', 'returning', 'given_back', 'dropped', 'reversed'], {
    error: 'wrong_value',
  })
  .meta({
    id: 'InvoicePaymentStatus',
    description:
      '`seen`: on its rail, not final · `held`: final, and checked by the desk · `waiting`: final, and waits for a price · `credited` · `unallocated`: came too late, or was not needed, and belongs to its payer · `returning`: goes back to its payer, and waits for a price or the coin · `given_back`: its payer has its worth · `dropped`: vanished before it was final · `reversed`: taken back by its rail',
  });

/** A payment to an invoice, without anything about its payer. */
const paymentRow = {
  id,
  currency: currencyCode,
  network: z.string(),
  /** Amount that arrived. */
  paid: money,
  status: invoicePaymentStatus,
  /** Sum that the invoice is credited with, or will be, in the invoice's currency. */
  credit: amount,
  /** True if the payment was not made in time, so that its rate is that of the moment when it is final. */
  late: z.boolean(),
  /** True for an `unallocated` payment that the desk checked and did not accept. */
  refused: z.boolean().optional(),
  /** Part of the payment that the invoice did not need; it belongs to the payer. */
  over: money.optional(),
  /** Worth of the payment that its payer has, after the invoice was given back. */
  given_back: money.optional(),
  txid: z.string().optional(),
  confirmations: z.int(),
  needed: z.int(),
  at: time,
};

export const invoicePayment = z.object(paymentRow).meta({ id: 'InvoicePayment' });

/** A payment as the store sees it. */
export const storePayment = invoicePayment
  .extend({
    /** Sum in the settlement unit, or in the coin itself if it was not converted; absent until the payment is credited. */
    settled: money.optional(),
    /** Parts of `settled` that stand in the store's reserve, by the time from which each may come to the balance. Absent if none does. */
    in_reserve: z.array(z.object({ until: time, sum: money })).optional(),
    /** Costs and spread that were taken from the payment, in the currency paid. */
    costs: money.optional(),
    /** True if the payment was settled in the coin itself, because the desk had no money for the conversion. */
    in_kind: z.boolean(),
  })
  .meta({ id: 'StorePayment' });

/** An event of an invoice. `version`: the invoice's version after it. */
const invoiceEvent = z
  .object({
    version: z.int(),
    at: time,
    event: z.enum([
      'created',
      'option_chosen',
      'option_ready',
      'option_refused',
      'email_left',
      'payment_seen',
      'payment_final',
      'payment_dropped',
      'payment_reversed',
      'processing',
      'settled',
      'short',
      'expired',
      'late',
      'over',
      'held',
      'given_back',
      'hold_over',
      'refused',
      'cancelled',
      'invalid',
      'marked',
    ]),
    /** Payment that the event is about. */
    payment: id.optional(),
    /** For `marked`: what the invoice was marked as. */
    mark: invoiceMarkWord.optional(),
    state: invoiceState,
  })
  .meta({ id: 'InvoiceEvent' });

/** Data that a shop stores with an invoice. It is returned with the same values, and no buyer sees it. */
export const metadata = z.record(z.string(), z.unknown()).meta({
  id: 'Metadata',
  description:
    'Data of the shop, returned as JSON with the same values. Keys like `7` may come first, and numbers are written in their shortest form: `1.10` becomes `1.1`. A number with more digits than a double keeps, like `9007199254740993`, is refused: send it as text',
});

/** Address and amount of a payment by one method, at a price that is locked for a while. */
export const invoiceOption = z
  .object({
    method: currencyCode,
    network: z.string(),
    /** `preparing`: the payment system prepares the payment · `refused`: it refused, so another method is needed. */
    status: z.enum(['preparing', 'refused', 'open', 'over']),
    kind: z.enum(['address', 'redirect']),
    /** Amount to send, in the method's currency; absent for a top-up on a chain. */
    amount: amount.optional(),
    currency: z.string(),
    /** Sum in the invoice's currency that this amount pays; absent for a top-up. */
    pays: amount.optional(),
    address: z.string().optional(),
    memo: z.string().optional(),
    /** Link that opens a payer's wallet app. */
    uri: z.string().optional(),
    /** Text for a QR code. */
    code: z.object({ text: z.string(), holds: z.enum(['address', 'address_and_amount']) }).optional(),
    /** The payment system's page, for the kind `redirect`. */
    url: z.string().optional(),
    url_method: z.enum(['GET', 'POST']).optional(),
    fields: z.record(z.string(), z.string()).optional(),
    /** Time until which the price holds. */
    expires_at: time,
  })
  .meta({ id: 'InvoiceOption' });

export const invoice = z
  .object({
    ...invoiceRow,
    store: id,
    /** Address of the page where the invoice is paid. */
    url: z.string(),
    lines: z.array(invoiceLine),
    tax: amount.optional(),
    description: z.string().optional(),
    metadata,
    return_url: z.string().optional(),
    methods: z.array(currencyCode),
    settlement_currency: currencyCode,
    /** Percentage of the amount that may be missing. */
    tolerance: z.string(),
    /** Bearer of spread and costs. */
    costs_bearer: z.enum(['buyer', 'store']),
    payments: z.array(storePayment),
    /** Sums that the store received, by unit, after the fee. */
    received: z.array(money),
    /** The desk's fee, by unit. */
    fees: z.array(money),
    /** Payment option that the buyer has now. */
    option: invoiceOption.optional(),
    decision: invoiceDecision.optional(),
    events: z.array(invoiceEvent),
    updated_at: time,
  })
  .meta({ id: 'Invoice' });
