// Rows of events of invoices, for their stores.

import { type Statements, type Tx, newId } from '../../platform/index.ts';
import type { News, NewsKind } from '../invoices/draft.ts';
import type { InvoiceState } from '../invoices/invoice-machine.ts';

/** An event of an invoice, as stored. */
export interface InvoiceEventRow {
  readonly version: number;
  readonly at: Date;
  readonly kind: NewsKind;
  readonly state: InvoiceState;
  readonly paymentId: string | null;
}

/** Events of one invoice that a step has caused, in their order. `state`: the invoice's state after the step. */
export interface NewEvents {
  readonly invoiceId: string;
  readonly storeId: string;
  readonly state: InvoiceState;
  readonly news: readonly News[];
}

/** Adds events. */
export async function insertEvents(tx: Tx, all: readonly NewEvents[]): Promise<void> {
  const rows = all.flatMap(({ invoiceId, storeId, state, news }) =>
    news.map(({ kind, version, paymentId }) => ({
      ...{ id: newId(), invoice_id: invoiceId, store_id: storeId, version, kind, state },
      payment_id: paymentId ?? null,
    })),
  );
  if (rows.length === 0) return;
  await tx.run(
    `insert into invoice_event (id, invoice_id, store_id, version, at, kind, state, payment_id)
     select id, invoice_id, store_id, version, $2, kind, state, payment_id
     from jsonb_to_recordset($1::jsonb) as n (id uuid, invoice_id uuid, store_id uuid, version int, kind text, state text, payment_id uuid)`,
    [JSON.stringify(rows), tx.now],
    { name: 'gate.insert_events' },
  );
}

/** Returns the events of an invoice, the oldest first. */
export const eventsOf = (db: Statements, invoiceId: string): Promise<InvoiceEventRow[]> =>
  db.rows<InvoiceEventRow>(
    `select version, at, kind, state, payment_id as "paymentId" from invoice_event where invoice_id = $1 order by version`,
    [invoiceId],
    { name: 'gate.events_of' },
  );
