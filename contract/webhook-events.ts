// Types of events that webhooks of stores report. The site's forms offer them.

/** Types of events about invoices. */
export const INVOICE_EVENTS = [
  'invoice.created',
  'invoice.payment_seen',
  'invoice.payment_final',
  'invoice.payment_dropped',
  'invoice.payment_reversed',
  'invoice.processing',
  'invoice.settled',
  'invoice.short',
  'invoice.expired',
  'invoice.late',
  'invoice.over',
  'invoice.held',
  'invoice.cancelled',
  'invoice.invalid',
  'invoice.marked',
] as const;

/** Types of events about refunds. */
export const REFUND_EVENTS = ['refund.created', 'refund.claimed', 'refund.paid', 'refund.returned', 'refund.failed'] as const;

/** Types of events about moves between a store's balance and its owner's wallet. */
export const SETTLEMENT_EVENTS = ['settlement.moved'] as const;

/** Types of events that stores receive. */
export const STORE_EVENTS = [...INVOICE_EVENTS, ...REFUND_EVENTS, ...SETTLEMENT_EVENTS] as const;
export type StoreEvent = (typeof STORE_EVENTS)[number];

/** Types of events in the body of the Greenfield API. */
export const GREENFIELD_EVENTS = [
  'InvoiceCreated',
  'InvoiceReceivedPayment',
  'InvoicePaymentSettled',
  'InvoiceProcessing',
  'InvoiceSettled',
  'InvoicePaidAfterExpiration',
  'InvoiceExpired',
  'InvoiceExpiredPaidPartial',
  'InvoiceInvalid',
] as const;
export type GreenfieldEvent = (typeof GREENFIELD_EVENTS)[number];
