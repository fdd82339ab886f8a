// Webhooks and their deliveries in the form of the API.

import type { Input, Output, Routes } from '@kurs/contract';
import {
  type DeliveryRow,
  type Health,
  type KnownEndpoint,
  attemptsOf,
  eventOfDelivery,
  formerSecretEnds,
  healthOf,
  listDeliveries,
} from '../../deliveries/index.ts';
import { type Statements, listMeta } from '../../platform/index.ts';
import { bodyOfOwner, kindOf } from '../events/owners.ts';
import { formOf } from './kinds.ts';
import { readDelivery, readWebhook } from './webhooks.ts';

type WebhookWire = Output<Routes['storeWebhook']>;
type DeliveryWire = Output<Routes['storeWebhookDeliveries']>[number];

/** Returns webhooks with their states. */
export async function webhookViews(db: Statements, endpoints: readonly KnownEndpoint[]): Promise<WebhookWire[]> {
  const ids = endpoints.map(({ id }) => id);
  const health = await healthOf(db, ids);
  const formerEnds = await formerSecretEnds(db, ids);
  return endpoints.map((endpoint) => {
    const { id, url, owner, types, createdAt } = endpoint;
    const formerEnd = formerEnds.get(id);
    return {
      ...{ id, url, body: bodyOfOwner(owner), created_at: createdAt.toISOString() },
      ...(types && { events: [...types] as NonNullable<WebhookWire['events']> }),
      ...stateOf(health.get(id)),
      ...(formerEnd && { former_secret_until: formerEnd.toISOString() }),
    };
  });
}

/** Returns one webhook with its state. */
export const webhookView = async (db: Statements, endpoint: KnownEndpoint): Promise<WebhookWire> =>
  (await webhookViews(db, [endpoint]))[0] as WebhookWire;

function stateOf(health: Health | undefined): Pick<WebhookWire, 'state' | 'since' | 'reason' | 'status' | 'said' | 'missed'> {
  if (!health) return { state: 'on', missed: 0 };
  const { state, since, because, missed } = health;
  return {
    ...{ state, missed },
    ...(since && { since: since.toISOString() }),
    ...(because && { reason: because }),
    ...(state !== 'on' && answerOf(health)),
  };
}

const answerOf = ({ status, said }: { readonly status: number | null; readonly said: string | null }) => ({
  ...(status !== null && { status }),
  ...(said !== null && said !== '' && { said }),
});

function deliveryWire({ id, at, type, thread, state, tries, next, ...row }: DeliveryRow): DeliveryWire {
  return {
    ...{ id, at: at.toISOString(), type, state, tries },
    ...(thread !== null && { [type.startsWith('refund.') ? 'refund' : 'invoice']: thread }),
    ...(next && { next: next.toISOString() }),
    ...answerOf(row),
  };
}

/** Returns a page of a webhook's deliveries, the newest first. Throws `not_found`. */
export async function deliveriesView(db: Statements, input: Input<Routes['storeWebhookDeliveries']>) {
  const { id } = await readWebhook(db, input);
  const { rows, total, next } = await listDeliveries(db, { ...input, endpoint: id });
  return { data: rows.map(deliveryWire), meta: listMeta(input, total, { rows: rows.length, next }) };
}

/** Returns a delivery with the body of its first attempt, and its attempts. Throws `not_found`. */
export async function deliveryView(
  db: Statements,
  input: Input<Routes['storeWebhookDelivery']>,
): Promise<Output<Routes['storeWebhookDelivery']>> {
  const row = await readDelivery(db, input);
  const event = await eventOfDelivery(db, row.id);
  const form = formOf(kindOf(bodyOfOwner(row.owner)));
  const first = { id: row.id, delivery: row.id, endpoint: row.endpoint, isRepeated: false };
  return {
    ...deliveryWire(row),
    webhook: row.endpoint,
    body: event ? form.bodyOf(event, first) : '',
    attempts: (await attemptsOf(db, row.id)).map(({ at, status, latency_ms, answer, error }) => ({
      ...{ at: at.toISOString(), latency_ms },
      ...answerOf({ status, said: error ?? answer }),
    })),
  };
}
