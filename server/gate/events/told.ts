// Shapes of events on their way to stores.

import type { GreenfieldEvent } from '@kurs/contract';
import type { News } from '../invoices/draft.ts';
import type { Invoice } from '../invoices/invoice.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import type { EventData, MovedEventData, RefundEventData } from './store-event.ts';

/** Events of one step. `before`: the invoice before the step. `invoice`: its row after the step. */
export interface Told {
  readonly invoice: StoredInvoice;
  readonly before: Invoice;
  readonly news: readonly News[];
}

/** Body of a published event of an invoice with the body `kurs`. */
export interface InvoiceEventBody {
  readonly data: EventData;
  /** JSON of the shop. */
  readonly metadata: string;
}

/** Body of a published event of a refund or a settlement with the body `kurs`. */
export interface OtherEventBody {
  readonly data: RefundEventData | MovedEventData;
  readonly metadata?: undefined;
}

/** Body of a published event with the body `kurs`. */
export type StoreEventBody = InvoiceEventBody | OtherEventBody;

/** Body of a published event with the body `greenfield`. */
export interface GreenfieldBody {
  readonly storeId: string;
  readonly invoiceId: string;
  /** True for a test invoice; absent for one with money. */
  readonly isOfTestStore?: true;
  readonly fields: GreenfieldNews['fields'];
  /** JSON of the shop. */
  readonly metadata: string;
}

/** An event of the Greenfield API, with the fields of its type. */
export interface GreenfieldNews {
  readonly type: GreenfieldEvent;
  readonly fields: Readonly<Record<string, unknown>>;
}
