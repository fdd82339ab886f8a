// Makes deliveries. A due delivery is claimed by moving its due time, attempted without an open transaction, and its outcome is
// stored. If a process dies in between, another one repeats the attempt: sending a letter or a webhook twice is better than
// losing it.

import { type Db, every, log, onWake } from '../platform/index.ts';
import { type StoredEndpoint, type StoredEvent, isAsPublished, isAsPut } from './delivery-macs.ts';
import type { Channel } from './kind.ts';
import { storeOutcome } from './outcome.ts';
import { type Outcome, altered, isTaken } from './post.ts';

const POLL_MS = 1_000;
const CALM_MS = 50;
/** Maximum number of endpoints that are served at a time; failing endpoints come last. */
const MAX_ENDPOINTS = 200;
/** Time for which a claimed delivery belongs to its process, in seconds; it exceeds the longest attempt. */
const CLAIM_SECONDS = 60;

/**
 * Options of deliveries. `channels`: the channels of this process. Deliveries of any other kind wait for a process that has its
 * channel.
 */
export interface DeliveriesOptions {
  readonly db: Db;
  readonly channels: readonly Channel[];
}

/** A loop that makes deliveries until it is stopped. */
export interface Deliveries {
  /** Aborts running attempts and begins no others. The aborted deliveries are attempted again a minute later. */
  stop(): Promise<void>;
}

interface DueEndpoint extends StoredEndpoint {
  readonly mac: string | null;
}

interface Claimed extends StoredEvent {
  readonly mac: string | null;
  readonly delivery: string;
  readonly tries: number;
  /** Body of the event, if the channel stores it elsewhere. */
  readonly text?: unknown;
}

/** Makes deliveries when requested. */
interface RequestedDeliveries extends Deliveries {
  /**
   * Starts delivering to each endpoint that has due deliveries and is not being served. Each promise resolves to the number of
   * deliveries that the endpoint accepted.
   */
  begin(): Promise<Promise<number>[]>;
  /** Makes the deliveries that are due now and waits for them. Returns the number of accepted deliveries. */
  deliver(): Promise<number>;
}

/** Opens deliveries that are made only when requested. */
export function openDeliveries(options: DeliveriesOptions): RequestedDeliveries {
  const { db, channels } = options;
  const known = channels.map(({ kind }) => kind);
  const busy = new Map<string, Promise<number>>();
  let isStopped = false;
  const work = async (endpoint: DueEndpoint): Promise<number> => {
    try {
      return await deliverTo({ ...options, isStopped: () => isStopped }, endpoint);
    } catch (error) {
      // The claimed deliveries become due again when their claim expires.
      log.warn('deliveries to an endpoint failed', { endpointId: endpoint.id, error });
      return 0;
    } finally {
      busy.delete(endpoint.id);
    }
  };
  const begin: RequestedDeliveries['begin'] = async () => {
    const due = await db.rows<DueEndpoint>(DUE, [known, [...busy.keys()], Math.max(0, MAX_ENDPOINTS - busy.size)], {
      name: 'deliveries.due',
    });
    return due.map((endpoint) => {
      const working = work(endpoint);
      busy.set(endpoint.id, working);
      return working;
    });
  };
  return {
    begin,
    deliver: async () => (await Promise.all(await begin())).reduce((sum, taken) => sum + taken, 0),
    async stop() {
      isStopped = true;
      await Promise.all(channels.map((channel) => channel.close()));
      await Promise.all(busy.values());
    },
  };
}

/** Makes due deliveries until stopped. No endpoint waits for another. */
export function runDeliveries(options: DeliveriesOptions): Deliveries {
  const deliveries = openDeliveries(options);
  const sweeper = every(POLL_MS, 'deliveries', () => deliveries.begin(), { calmMs: CALM_MS });
  const deaf = onWake('deliveries', () => sweeper.wake());
  return {
    async stop() {
      deaf();
      await sweeper.stop();
      await deliveries.stop();
    },
  };
}

type Work = DeliveriesOptions & { readonly isStopped: () => boolean };

async function deliverTo(options: Work, endpoint: DueEndpoint): Promise<number> {
  const { db, channels, isStopped } = options;
  const channel = channels.find(({ kind }) => kind === endpoint.kind)!;
  let taken = 0;
  while (!isStopped()) {
    const claimed = await claim(db, channel, endpoint);
    if (claimed.length === 0) break;
    const outcomes = await Promise.all(claimed.map((one) => attempt(options, channel, endpoint, one)));
    taken += outcomes.filter(isTaken).length;
    if (claimed.length < channel.maxAtOnce) break;
  }
  return taken;
}

/**
 * Claims due deliveries to an endpoint and returns them with their content. If a crash of the database's machine loses a claim,
 * the delivery is claimed again.
 */
function claim(db: Db, channel: Channel, endpoint: DueEndpoint): Promise<Claimed[]> {
  return db.tx(
    async (tx) => {
      const claimed = await tx.rows<Claimed>(CLAIM, [endpoint.id, channel.maxAtOnce, CLAIM_SECONDS], {
        name: 'deliveries.claim',
      });
      if (!channel.bodiesOf || claimed.length === 0) return claimed;
      const bodies = await channel.bodiesOf(
        tx,
        claimed.map(({ id }) => id),
      );
      return claimed.map((one) => ({ ...one, text: bodies.get(one.id) }));
    },
    { isSoft: true },
  );
}

async function attempt(
  { db, isStopped }: Work,
  channel: Channel,
  endpoint: DueEndpoint,
  { delivery, tries, ...event }: Claimed,
): Promise<Outcome> {
  const outcome = await attemptAsWritten(channel, endpoint, event);
  // An attempt that was aborted when stopping says nothing about the endpoint, so its outcome isn't stored.
  if (isStopped() && !isTaken(outcome)) return outcome;
  await storeOutcome(db, { pace: channel, endpoint, delivery, tries }, outcome);
  return outcome;
}

/**
 * Attempts a delivery if event and endpoint have valid MACs. If SQL changed one of them, the delivery is refused without an
 * attempt.
 */
async function attemptAsWritten(
  channel: Channel,
  endpoint: DueEndpoint,
  { mac, text, ...event }: Omit<Claimed, 'delivery' | 'tries'>,
): Promise<Outcome> {
  if (!isAsPublished(event, mac)) return altered('the event was altered by SQL');
  if (event.owner !== endpoint.owner) return altered('event and endpoint have different owners');
  if (channel.hasAddresses && !isAsPut(endpoint, endpoint.mac)) return altered('the endpoint was altered by SQL');
  return channel.attempt(channel.bodiesOf ? { ...event, body: text } : event, endpoint);
}

/** SQL: active endpoints with due deliveries, failing ones last. */
const DUE = `
  select id, owner, kind, url, types, mac from delivery_endpoint
  where switched_off_at is null and kind = any($1) and not id = any($2::uuid[])
    and exists (select from delivery where endpoint_id = delivery_endpoint.id and due_at <= clock_now())
  order by failing_since nulls first, id limit $3`;

const CLAIM = `
  with claimed as (
    update delivery set tries = tries + 1, due_at = clock_now() + $3 * interval '1 second'
    where id in (
      select id from delivery where endpoint_id = $1 and due_at <= clock_now()
      order by event_id limit $2 for update skip locked
    )
    returning id as delivery, event_id, tries
  )
  select delivery, tries, id, owner, type, body, at, mac from claimed join delivery_event on id = event_id order by id`;
