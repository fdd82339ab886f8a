// Events for stores: types and content.

import { type Output, type Routes, STORE_EVENTS, type StoreEvent } from '@kurs/contract';
import type { News, NewsKind } from '../invoices/draft.ts';
import { find } from '../invoices/steps.ts';
import type { RefundNews } from '../rows/event-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { invoiceSums } from '../wire/invoice-row.ts';
import { paymentWire } from '../wire/payment-wire.ts';

type EventWire = Output<Routes['storeEvents']>['events'][number];
/** The event of this type, in the form of the API. */
type WireOf<T extends StoreEvent, One = EventWire> = One extends { readonly type: infer U } ? (T extends U ? One : never) : never;
/** Content of an invoice's event without the invoice's metadata. */
export type EventData = Omit<WireOf<'invoice.created'>['data'], 'metadata'>;
/** Content of an event of a refund. */
export type RefundEventData = WireOf<'refund.created'>['data'];
/** Content of an event of a settlement. */
export type MovedEventData = WireOf<'settlement.moved'>['data'];

/** Kind of an event, as stored. Kinds of invoices' events lack the prefix `invoice.`. */
export type EventKind = NewsKind | Exclude<StoreEvent, `invoice.${string}`> | `refund.${RefundNews}`;

const OF_INVOICES = 'invoice.';
const KINDS = new Map<string, StoreEvent>(
  STORE_EVENTS.map((type) => [type.startsWith(OF_INVOICES) ? type.slice(OF_INVOICES.length) : type, type]),
);

/** Kinds of events that stores receive. */
export const TOLD_KINDS: readonly string[] = [...KINDS.keys()];

/** Returns the type of an event for its store; undefined for an event that is only the room's. */
export const typeOf = (kind: EventKind): StoreEvent | undefined => KINDS.get(kind);

/** Returns the content of an event. `stored`: the invoice after the event's step. */
export function eventData(
  stored: StoredInvoice,
  { version, paymentId, mark }: Pick<News, 'version' | 'paymentId' | 'mark'>,
): EventData {
  const { view, number, orderId } = stored;
  const payment = paymentId === undefined ? undefined : find(view, paymentId);
  return {
    ...{ id: view.id, number, version, state: view.state },
    ...invoiceSums(stored),
    ...(orderId !== undefined && { order_id: orderId }),
    test: view.terms.isTest,
    ...(mark !== undefined && { mark }),
    ...(payment && { payment: paymentWire(view.terms, payment, new Map()) }),
  };
}

/** Fields of events about refunds and settlements in the order of the API's document. */
const FIELDS = [
  ...['id', 'number', 'state', 'invoice', 'direction', 'sum', 'usd', 'cause', 'at', 'amount', 'taken', 'left', 'returned'],
  ...['expires_at', 'version', 'order_id', 'test', 'claim'],
];

/**
 * Returns an event of an invoice as JSON, with its fields in the order of the API's document. `metadata`: JSON of the shop, which
 * is written unchanged.
 */
export function invoiceEventJson(type: string, at: Date, stored: EventData, metadata: string): string {
  const { id, number, version, state, currency, amount, credited, pending, due, order_id, test, mark, payment } = stored;
  const data: EventData = {
    ...{ id, number, version, state, currency, amount, credited, pending, due },
    ...{ order_id, test, mark, payment },
  };
  return `${JSON.stringify({ type, timestamp: at.toISOString(), data }).slice(0, -2)},"metadata":${metadata}}}`;
}

/** Returns an event of a refund or a settlement as JSON, with its fields in the order of the API's document. */
export function otherEventJson(type: string, at: Date, stored: RefundEventData | MovedEventData): string {
  const known = new Map(Object.entries(stored));
  const data = Object.fromEntries(FIELDS.filter((field) => known.has(field)).map((field) => [field, known.get(field)]));
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}
