// Webhooks of a store: made, changed, removed and tested by members and API keys.

import { GREENFIELD_EVENTS, type Input, Problem, type Routes, STORE_EVENTS, fieldProblem } from '@kurs/contract';
import {
  type KnownEndpoint,
  addressFlaw,
  bringSecret,
  deliveryById,
  endFormerSecrets,
  endpointsOf,
  healthOf,
  putEndpoint,
  removeEndpoint,
  replay,
  rotateSecret,
  switchOn,
} from '../../deliveries/index.ts';
import { type Db, type KeepAnswer, type Sealer, type Statements, type Tx, newId } from '../../platform/index.ts';
import { type WebhookBody, bodyOfOwner, kindOf, ownerOf, ownersOf } from '../events/owners.ts';
import { type Store, hasMembers } from '../stores/store.ts';
import { lockStore } from '../stores/store-rows.ts';

/** Maximum number of webhooks of one store. */
const MAX_WEBHOOKS = 20;
const DAY_MS = 86_400_000;

/** Dependencies of calls about webhooks. `privateOrigin`: origin that may be private, in a sandbox; empty for none. */
export interface WebhookDeps {
  readonly db: Db;
  /** Encrypts and decrypts the secrets that sign webhooks. */
  readonly webhooks: Sealer;
  readonly privateOrigin: string;
}

/** `keep`: stores the answer of the call with the webhook. */
interface MakeDeps extends WebhookDeps {
  readonly keep?: KeepAnswer<WithSecret> | undefined;
}

/** A webhook with a secret that is shown once. */
export interface WithSecret {
  readonly endpoint: KnownEndpoint;
  readonly secret: string;
}

/** Returns the webhooks of a store, the oldest first. */
export const webhooksOf = (db: Statements, storeId: string): Promise<KnownEndpoint[]> => endpointsOf(db, ownersOf(storeId));

/** Returns a webhook of a store. Throws `not_found`. */
export async function readWebhook(db: Statements, { store, id }: WebhookId): Promise<KnownEndpoint> {
  const found = (await webhooksOf(db, store)).find((one) => one.id === id);
  if (!found) throw new Problem('not_found');
  return found;
}

/** A webhook, or a delivery, of a store. */
interface WebhookId {
  readonly store: string;
  readonly id: string;
}

/**
 * Makes a webhook. Returns it with its secret. Throws `store_without_members` for a personal store, `too_many_webhooks`,
 * `record_altered`, and `validation` on the address and the events.
 */
export async function makeWebhook(
  { db, webhooks, privateOrigin, keep }: MakeDeps,
  { store: storeId, url, body, events, secret }: Input<Routes['storeWebhookMake']>,
): Promise<WithSecret> {
  requireAddress(url, privateOrigin);
  requireEvents(body, events);
  return db.tx(async (tx) => {
    const store = await lockForWebhooks(tx, storeId);
    const known = await webhooksOf(tx, store.id);
    if (known.length >= MAX_WEBHOOKS) throw new Problem('too_many_webhooks');
    const id = newId();
    await putEndpoint(tx, { id, owner: ownerOf(body, store.id), kind: kindOf(body), url, ...(events && { types: events }) });
    const made = { endpoint: await readWebhook(tx, { store: store.id, id }), secret: await newSecret(tx, webhooks, id, secret) };
    await keep?.(tx, made);
    return made;
  });
}

/** Locks a store for a change of its webhooks. */
async function lockForWebhooks(tx: Tx, storeId: string): Promise<Store> {
  const store = await lockStore(tx, storeId);
  if (!hasMembers(store)) throw new Problem('store_without_members');
  return store;
}

function requireAddress(url: string, privateOrigin: string): void {
  const flaw = addressFlaw(url, privateOrigin);
  if (flaw) throw fieldProblem('url', flaw);
}

const EVENTS: Readonly<Record<WebhookBody, readonly string[]>> = { kurs: STORE_EVENTS, greenfield: GREENFIELD_EVENTS };

/** Throws `validation` if an event doesn't exist in the body of a webhook. */
function requireEvents(body: WebhookBody, events: readonly string[] | null | undefined): void {
  if (events?.some((one) => !EVENTS[body].includes(one))) throw fieldProblem('events', 'wrong_value');
}

/** Gives a webhook the secret that its owner brings, or a new one. The former ones of a new one sign for another day. */
async function newSecret(tx: Tx, sealer: Sealer, id: string, brought: string | undefined): Promise<string> {
  if (brought === undefined) return rotateSecret(tx, sealer, id, new Date(tx.now.getTime() + DAY_MS));
  await bringSecret(tx, sealer, id, brought);
  return brought;
}

/** Changes the address or the events of a webhook. Throws `not_found`, `record_altered` and `validation`. */
export async function changeWebhook(
  { db, privateOrigin }: WebhookDeps,
  { url, events, ...of }: Input<Routes['storeWebhookChange']>,
): Promise<KnownEndpoint> {
  if (url !== undefined) requireAddress(url, privateOrigin);
  return db.tx(async (tx) => {
    await lockForWebhooks(tx, of.store);
    const { types, ...endpoint } = await readWebhook(tx, of);
    requireEvents(bodyOfOwner(endpoint.owner), events);
    if (endpoint.isAltered && url === undefined) throw new Problem('record_altered');
    const wanted = events === undefined ? types : (events ?? undefined);
    await putEndpoint(tx, { ...endpoint, url: url ?? endpoint.url, ...(wanted && { types: wanted }) });
    return readWebhook(tx, of);
  });
}

/** Removes a webhook. Throws `not_found`. */
export const removeWebhook = (db: Db, of: WebhookId): Promise<void> =>
  db.tx(async (tx) => removeEndpoint(tx, (await readWebhook(tx, of)).id));

/** Gives a webhook a new secret, or the one that its owner brings. Returns both. Throws `not_found`. */
export const rotateWebhook = (
  { db, webhooks }: WebhookDeps,
  { secret, ...of }: Input<Routes['storeWebhookRotate']>,
): Promise<WithSecret> =>
  db.tx(async (tx) => {
    await lockForWebhooks(tx, of.store);
    const endpoint = await readWebhook(tx, of);
    return { endpoint, secret: await newSecret(tx, webhooks, endpoint.id, secret) };
  });

/** Ends the former secrets of a webhook at once. Throws `not_found`. */
export const endFormerOf = (db: Db, of: WebhookId): Promise<KnownEndpoint> =>
  db.tx(async (tx) => {
    const endpoint = await readWebhook(tx, of);
    await endFormerSecrets(tx, endpoint.id);
    return endpoint;
  });

/** Switches a webhook on again. `missed`: also sends the events that came meanwhile. Throws `not_found`. */
export const switchWebhookOn = (db: Db, { missed, ...of }: Input<Routes['storeWebhookOn']>): Promise<KnownEndpoint> =>
  db.tx(async (tx) => {
    const endpoint = await readWebhook(tx, of);
    await switchOn(tx, endpoint.id, { mayDeliverMissed: missed });
    return endpoint;
  });

/** Sends a delivery of a store again. Throws `not_found`, `webhook_off`, and `delivery_overtaken`. */
export const replayDelivery = (db: Db, of: WebhookId): Promise<void> =>
  db.tx(async (tx) => {
    const { endpoint, id } = await readDelivery(tx, of);
    await requireOn(tx, endpoint);
    if (!(await replay(tx, id))) throw new Problem('not_found');
  });

/** Returns a delivery of a store. Throws `not_found`. */
export async function readDelivery(db: Statements, { store, id }: WebhookId) {
  const found = await deliveryById(db, id);
  if (!found || !ownersOf(store).includes(found.owner)) throw new Problem('not_found');
  return found;
}

/** Throws `webhook_off` if nothing is sent to an endpoint. */
export async function requireOn(db: Statements, id: string): Promise<void> {
  if ((await healthOf(db, [id])).get(id)?.state === 'off') throw new Problem('webhook_off');
}
