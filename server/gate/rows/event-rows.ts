// Rows of events of invoices, for their stores.

import type { Statements, Tx } from '../../platform/index.ts';
import type { News, NewsKind } from '../invoices/draft.ts';
import type { InvoiceMark } from '../invoices/invoice.ts';
import type { InvoiceState } from '../invoices/invoice-machine.ts';

/** An event of an invoice, as stored. */
export interface InvoiceEventRow {
  readonly version: number;
  readonly at: Date;
  readonly kind: NewsKind;
  readonly state: InvoiceState;
  readonly paymentId: string | null;
  readonly mark: InvoiceMark | null;
}

/** A new event. `data`: its content for the store, without the metadata of the invoice. */
export interface NewEvent extends News {
  readonly id: string;
  readonly invoiceId: string;
  readonly storeId: string;
  readonly state: InvoiceState;
  readonly data: unknown;
}

/** Adds events. */
export async function insertEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  const rows = events.map(({ id, invoiceId, storeId, version, kind, state, paymentId, mark, data }) => ({
    ...{ id, invoice_id: invoiceId, store_id: storeId, version, kind, state, payment_id: paymentId ?? null, data },
    mark: mark ?? null,
  }));
  await tx.run(
    `insert into invoice_event (id, invoice_id, store_id, version, at, kind, state, payment_id, data, mark)
     select id, invoice_id, store_id, version, $2, kind, state, payment_id, data, mark from jsonb_to_recordset($1::jsonb)
       as n (id uuid, invoice_id uuid, store_id uuid, version int, kind text, state text, payment_id uuid, data jsonb, mark text)`,
    [JSON.stringify(rows), tx.now],
    { name: 'gate.insert_events' },
  );
}

/** Kind of an event of a refund. */
export type RefundNews = 'created' | 'claimed' | 'paid' | 'returned' | 'failed' | 'expired' | 'cancelled';

/** An event of a refund, as stored. `state`: the refund's state after it. */
export interface RefundEventRow {
  readonly version: number;
  readonly at: Date;
  readonly kind: `refund.${RefundNews}`;
  readonly state: string;
  readonly claimId: string | null;
}

/** A new event of a refund. `state`, `data`: the refund's state after it, and its content for the store. */
export interface NewRefundEvent {
  readonly id: string;
  readonly refundId: string;
  readonly storeId: string;
  readonly version: number;
  readonly state: string;
  readonly news: RefundNews;
  readonly claimId: string | undefined;
  readonly data: unknown;
}

/** Adds an event of a refund. */
export async function insertRefundEvent(tx: Tx, { id, refundId, storeId, ...event }: NewRefundEvent): Promise<void> {
  const { version, state, news, claimId, data } = event;
  await tx.run(
    `insert into invoice_event (id, refund_id, store_id, version, at, kind, state, claim_id, data)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb)`,
    [id, refundId, storeId, version, tx.now, `refund.${news}`, state, claimId ?? null, JSON.stringify(data)],
    { name: 'gate.insert_refund_event' },
  );
}

/** A new event of a move between a store's balance and its owner's wallet. `data`: its content for the store. */
export interface NewMovedEvent {
  readonly id: string;
  readonly storeId: string;
  readonly at: Date;
  readonly settlementId: string;
  readonly data: unknown;
}

/** Adds an event of a move. */
export async function insertMovedEvent(tx: Tx, { id, storeId, at, settlementId, data }: NewMovedEvent): Promise<void> {
  await tx.run(
    `insert into invoice_event (id, store_id, at, kind, settlement_id, data) values ($1, $2, $3, 'settlement.moved', $4, $5::jsonb)`,
    [id, storeId, at, settlementId, JSON.stringify(data)],
    { name: 'gate.add_moved' },
  );
}

/** Returns the events of a refund, the oldest first. */
export const eventsOfRefund = (db: Statements, refundId: string): Promise<RefundEventRow[]> =>
  db.rows<RefundEventRow>(
    `select version, at, kind, state, claim_id as "claimId" from invoice_event where refund_id = $1 order by version`,
    [refundId],
    { name: 'gate.events_of_refund' },
  );

/** Returns the events of an invoice, the oldest first. */
export const eventsOf = (db: Statements, invoiceId: string): Promise<InvoiceEventRow[]> =>
  db.rows<InvoiceEventRow>(
    `select version, at, kind, state, payment_id as "paymentId", mark from invoice_event where invoice_id = $1 order by version`,
    [invoiceId],
    { name: 'gate.events_of' },
  );

/** An event as its store reads it. `xact`: the transaction that wrote it. `metadata`: JSON of the invoice, if it is about one. */
export interface ReadEvent {
  readonly id: string;
  readonly xact: string;
  readonly kind: string;
  readonly at: Date;
  readonly data: unknown;
  readonly metadata: string | null;
}

/** Position in a store's events: the last event that was read. */
export interface EventPosition {
  readonly xact: string;
  readonly id: string;
}

/**
 * Returns the events of a store after a position in the order in which their transactions began, of the last 30 days. Events that
 * an older transaction could still precede are left out until it has ended.
 */
export const eventsAfter = (
  db: Statements,
  {
    storeId,
    after,
    kinds,
    max,
  }: {
    readonly storeId: string;
    readonly after: EventPosition;
    readonly kinds: readonly string[];
    readonly max: number;
  },
): Promise<ReadEvent[]> =>
  db.rows<ReadEvent>(
    `select e.id, e.xact::text as xact, e.kind, e.at, e.data, i.metadata from invoice_event e
     left join invoice i on i.id = e.invoice_id
     where e.store_id = $1 and (e.xact, e.id) > ($2::xid8, $3::uuid) and e.xact < pg_snapshot_xmin(pg_current_snapshot())
       and e.xact >= (select first.xact from invoice_event first
         where first.store_id = $1 and first.at >= clock_now() - interval '30 days' order by first.at limit 1)
       and e.kind = any ($4) and e.data is not null
     order by e.xact, e.id limit $5`,
    [storeId, after.xact, after.id, kinds, max],
    { name: 'gate.events_after' },
  );

/** Number of a store's newest events that its change token covers: more than are committed at once in another order. */
const TOKEN_EVENTS = 20;

/** Returns a text for each store that differs after an event of one of its invoices. Stores without events are left out. */
export async function newestEventsOf(db: Statements, storeIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (storeIds.length === 0) return new Map();
  const rows = await db.rows<{ id: string; events: string }>(
    `select given.id, string_agg(newest.id::text, ',') as events
     from unnest($1::uuid[]) as given (id)
     cross join lateral (select id from invoice_event where store_id = given.id order by id desc limit ${TOKEN_EVENTS}) as newest
     group by given.id`,
    [storeIds],
    { name: 'gate.newest_events' },
  );
  return new Map(rows.map(({ id, events }) => [id, events]));
}
