// Types of events that webhooks of stores report. The site's forms offer them.

/** Types of events that stores receive. */
export const STORE_EVENTS = [
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
