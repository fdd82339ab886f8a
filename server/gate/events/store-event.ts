// Events of invoices for their stores: types and content.

import { type Output, type Routes, STORE_EVENTS, type StoreEvent } from '@kurs/contract';
import type { NewsKind } from '../invoices/draft.ts';
import { find } from '../invoices/steps.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { invoiceSums } from '../wire/invoice-row.ts';
import { paymentWire } from '../wire/payment-wire.ts';

type EventWire = Output<Routes['storeEvents']>['events'][number];
/** Content of an event without the invoice's metadata. */
export type EventData = Omit<EventWire['data'], 'metadata'>;

const KINDS = new Map(STORE_EVENTS.map((type) => [type.slice('invoice.'.length), type] as const));

/** Kinds of events that stores receive. */
export const TOLD_KINDS = [...KINDS.keys()] as readonly NewsKind[];

/** Returns the type of an event for its store; undefined for an event that is only the room's. */
export const typeOf = (kind: NewsKind): StoreEvent | undefined => KINDS.get(kind);

/** Returns the content of an event. `stored`: the invoice after the event's step. */
export function eventData(
  stored: StoredInvoice,
  { version, paymentId }: { readonly version: number; readonly paymentId?: string },
): EventData {
  const { view, number, orderId } = stored;
  const payment = paymentId === undefined ? undefined : find(view, paymentId);
  return {
    ...{ id: view.id, number, version, state: view.state },
    ...invoiceSums(stored),
    ...(orderId !== undefined && { order_id: orderId }),
    test: view.terms.isTest,
    ...(payment && { payment: paymentWire(view.terms, payment, new Map()) }),
  };
}

/**
 * Returns an event as JSON, with its fields in the order of the API's document. `metadata`: JSON of the shop, which is
 * written unchanged.
 */
export function eventJson(type: string, at: Date, stored: EventData, metadata: string): string {
  const { id, number, version, state, currency, amount, credited, pending, due, order_id, test, payment } = stored;
  const data: EventData = {
    ...{ id, number, version, state, currency, amount, credited, pending, due },
    ...{ order_id, test, payment },
  };
  return `${JSON.stringify({ type, timestamp: at.toISOString(), data }).slice(0, -2)},"metadata":${metadata}}}`;
}
