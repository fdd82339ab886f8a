// Publishes events to the webhooks of stores. Those of invoices are stored here, too.

import { type Published, ownersWithEndpoints, publish } from '../../deliveries/index.ts';
import { type Tx, newId } from '../../platform/index.ts';
import type { News } from '../invoices/draft.ts';
import { insertEvents } from '../rows/event-rows.ts';
import { greenfieldOf, isStateEvent } from './greenfield.ts';
import { ownerOf } from './owners.ts';
import { type EventData, type EventKind, eventData, typeOf } from './store-event.ts';
import type { GreenfieldBody, InvoiceEventBody, OtherEventBody, Told } from './told.ts';

interface NewEvent {
  readonly id: string;
  readonly told: Told;
  readonly news: News;
  readonly data: EventData;
}

/** Stores events of invoices, and publishes them to the webhooks of their stores. */
export async function tellStores(tx: Tx, all: readonly Told[]): Promise<void> {
  const events = all.flatMap((told) =>
    told.news.map((news): NewEvent => ({ id: newId(), told, news, data: eventData(told.invoice, news) })),
  );
  if (events.length === 0) return;
  await insertEvents(
    tx,
    events.map(({ id, told: { invoice }, news, data }) => ({
      ...{ ...news, id, data, invoiceId: invoice.view.id, storeId: invoice.view.store.id, state: invoice.view.state },
    })),
  );
  const possible = events.flatMap((event) => [...inOurs(event), ...inGreenfield(event)]);
  const listening = await ownersWithEndpoints(tx, [...new Set(possible.map(({ owner }) => owner))]);
  await publish(tx, ...possible.filter(({ owner }) => listening.has(owner)));
}

/** A stored event that is about no invoice. `thread`: its place among those that arrive in order. */
export interface OtherTold {
  readonly id: string;
  readonly storeId: string;
  readonly kind: EventKind;
  readonly data: OtherEventBody['data'];
  readonly thread?: { readonly name: string; readonly place: number };
}

/** Publishes an event of a refund or a settlement, if it is one for stores. The body `greenfield` has no such events. */
export async function publishTold(tx: Tx, { id, storeId, kind, data, thread }: OtherTold): Promise<void> {
  const type = typeOf(kind);
  const owner = ownerOf('kurs', storeId);
  if (type === undefined || !(await ownersWithEndpoints(tx, [owner])).has(owner)) return;
  const body: OtherEventBody = { data };
  await publish(tx, { id, owner, type, body, ...(thread && { thread }) });
}

/** Places in an invoice's thread for one of our events, which may cause many in the Greenfield API: one for each late payment. */
const PLACES = 1_000;

function inOurs({ id, told: { invoice }, news, data }: NewEvent): Published[] {
  const { view, metadata } = invoice;
  const type = typeOf(news.kind);
  if (type === undefined) return [];
  const body: InvoiceEventBody = { data, metadata };
  return [{ id, owner: ownerOf('kurs', view.store.id), type, body, thread: { name: view.id, place: news.version * PLACES } }];
}

function inGreenfield({ told, news }: NewEvent): Published[] {
  const { view, metadata } = told.invoice;
  const head = { storeId: view.store.id, invoiceId: view.id, ...(view.terms.isTest && { isOfTestStore: true as const }) };
  return greenfieldOf(told, news).map(({ type, fields }, at): Published => {
    const body: GreenfieldBody = { ...head, fields, metadata };
    const thread = { name: view.id, place: news.version * PLACES + at, isOvertaking: isStateEvent(type) };
    return { id: newId(), owner: ownerOf('greenfield', view.store.id), type, body, thread };
  });
}
