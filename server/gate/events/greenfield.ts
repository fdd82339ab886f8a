// Events of invoices in the words of the Greenfield API (BTCPay Server), for shop plug-ins.
//
// Plug-ins set an order's state by an event without asking for a later one. So money that came too late, and money that nobody
// accepted, is not told: plug-ins would fail an order that was paid, or ship one whose payer may take the money back.

import type { GreenfieldEvent } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { currencyOf } from '../../payments/index.ts';
import type { News } from '../invoices/draft.ts';
import {
  type Invoice,
  type InvoiceMark,
  type InvoicePayment,
  creditedOf,
  handedOf,
  hasEnded,
  isUnfinished,
  payersPart,
} from '../invoices/invoice.ts';
import { optionOf } from '../invoices/options.ts';
import { find } from '../invoices/steps.ts';
import type { GreenfieldNews, Told } from './told.ts';

/** Events that set an order's state: they replace earlier ones that failed. */
const STATE_EVENTS: ReadonlySet<GreenfieldEvent> = new Set([
  'InvoiceProcessing',
  'InvoiceSettled',
  'InvoiceExpired',
  'InvoiceInvalid',
]);

/** True if earlier events of the invoice are no news once this one is there. */
export const isStateEvent = (type: GreenfieldEvent): boolean => STATE_EVENTS.has(type);

/** The invoice before a step and after it. */
type Step = Pick<Told, 'before'> & { readonly invoice: Pick<Told['invoice'], 'view'> };

/** Returns the events of the Greenfield API for one of ours, in order. None for events that plug-ins would take wrongly. */
export function greenfieldOf({ invoice: { view }, before }: Step, { kind, paymentId, mark }: News): GreenfieldNews[] {
  if (kind === 'marked') return markedNews(view, mark);
  // The mark counts until money settles the invoice.
  if (view.mark !== undefined && kind !== 'created') return [];
  const payment = paymentId === undefined ? undefined : find(view, paymentId);
  switch (kind) {
    case 'created':
      return [{ type: 'InvoiceCreated', fields: {} }];
    case 'payment_seen': {
      const counts = payment && !payment.isLate && isUnfinished(view) && view.state !== 'short';
      return counts ? [{ type: 'InvoiceReceivedPayment', fields: paymentFields(view, payment) }] : [];
    }
    case 'payment_final':
      return payment?.stage === 'credited' ? [paymentSettled(view, payment)] : [];
    case 'processing':
      return [{ type: 'InvoiceProcessing', fields: { overPaid: isOverPaid(view) } }];
    case 'settled': {
      const settled: GreenfieldNews = { type: 'InvoiceSettled', fields: { manuallyMarked: false, overPaid: isOverPaid(view) } };
      const late = acceptedIn(before, view).map((one) => paymentSettled(view, one));
      return late.length > 0 ? [...late, { type: 'InvoicePaidAfterExpiration', fields: {} }, settled] : [settled];
    }
    case 'short':
      return [
        { type: 'InvoiceExpired', fields: { partiallyPaid: true } },
        { type: 'InvoiceExpiredPaidPartial', fields: {} },
      ];
    case 'expired':
      return [{ type: 'InvoiceExpired', fields: { partiallyPaid: creditedOf(view) > 0n } }];
    case 'cancelled':
    case 'invalid':
      return [{ type: 'InvoiceInvalid', fields: { manuallyMarked: false } }];
    default:
      return [];
  }
}

/** Returns the late payments that a step accepted after the invoice had ended. One that comes again is not among them. */
function acceptedIn(before: Invoice, after: Invoice): InvoicePayment[] {
  if (!hasEnded(before)) return [];
  return after.payments.filter(({ id, stage }) => stage === 'credited' && find(before, id)?.stage === 'unallocated');
}

const paymentSettled = (view: Invoice, payment: InvoicePayment): GreenfieldNews => ({
  type: 'InvoicePaymentSettled',
  fields: paymentFields(view, payment),
});

/** Returns the event by which plug-ins follow a mark. */
function markedNews(view: Invoice, mark: InvoiceMark | undefined): GreenfieldNews[] {
  if (mark === undefined) return [];
  if (mark === 'invalid') return [{ type: 'InvoiceInvalid', fields: { manuallyMarked: true } }];
  return [{ type: 'InvoiceSettled', fields: { manuallyMarked: true, overPaid: isOverPaid(view) } }];
}

/** True if an invoice has money that it doesn't need. */
const isOverPaid = ({ payments }: Invoice): boolean =>
  payments.some((payment) => payment.stage === 'credited' && payersPart(payment) + handedOf(payment) > 0n);

/** Fields of an event about a payment. `afterExpiration` is never told: plug-ins fail a paid order by it. */
function paymentFields(view: Invoice, payment: InvoicePayment): GreenfieldNews['fields'] {
  const { currency, unit, parts, seenAt } = payment;
  return {
    afterExpiration: false,
    paymentMethodId: currency,
    payment: {
      id: greenfieldPaymentId(view, payment),
      receivedDate: Math.floor(seenAt.getTime() / 1_000),
      value: format(money(unit, parts), currencyOf(currency)?.payDigits ?? 0),
      fee: '0',
      status: greenfieldStatus(payment),
      destination: optionOf(view, payment.optionId).to ?? '',
    },
  };
}

/**
 * Returns the id of a payment: its transaction, and its place among the invoice's payments by that transaction. It has no other
 * hyphen, since clients cut it at the first one. A payment without a transaction has its own id.
 */
function greenfieldPaymentId({ payments }: Invoice, { id, txid }: InvoicePayment): string {
  if (txid === '') return id.replaceAll('-', '');
  const ofTransaction = payments.filter((one) => one.txid === txid);
  return `${txid.replaceAll('-', '')}-${ofTransaction.findIndex((one) => one.id === id)}`;
}

const PROCESSING: ReadonlySet<InvoicePayment['stage']> = new Set(['seen', 'held', 'waiting']);

function greenfieldStatus({ stage }: InvoicePayment): 'Processing' | 'Settled' | 'Invalid' {
  if (PROCESSING.has(stage)) return 'Processing';
  return stage === 'credited' ? 'Settled' : 'Invalid';
}
