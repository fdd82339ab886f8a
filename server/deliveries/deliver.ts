// Makes deliveries. A due delivery is claimed by moving its due time, attempted without an open transaction, and its outcome is
// stored. If a process dies in between, another one repeats the attempt: sending a letter or a webhook twice is better than
// losing it.

import { type Db, every, log, newId, onWake } from '../platform/index.ts';
import { type StoredEndpoint, type StoredEvent, isAsPublished, isAsPut } from './delivery-macs.ts';
import type { AttemptFacts, Channel } from './kind.ts';
import { CLAIM, CLAIM_ORDERED, DUE, OVERTAKEN, PUT_OFF_BLOCKED } from './due.ts';
import { storeOutcome } from './outcome.ts';
import { type Outcome, altered, isTaken } from './post.ts';

const POLL_MS = 1_000;
const CALM_MS = 50;
/** Maximum number of endpoints that are served at a time; failing endpoints come last. */
const MAX_ENDPOINTS = 200;
/** Time in ms after which an attempt counts as slow: others begin beside it. */
const QUICK_MS = 250;
/** Pause in ms between looks for further deliveries beside slow attempts. */
const SLOW_MS = 1_000;
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
  /** Number of times that the delivery was made due once more. */
  readonly replays: number;
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

/**
 * Makes the due deliveries to an endpoint, and those that become due meanwhile. A slow attempt holds back no others, up to the
 * channel's maximum. Returns the number of accepted deliveries.
 */
async function deliverTo(options: Work, endpoint: DueEndpoint): Promise<number> {
  const { db, channels, isStopped } = options;
  const channel = channels.find(({ kind }) => kind === endpoint.kind)!;
  const running = new Set<Promise<void>>();
  let taken = 0;
  const begin = (claimed: Claimed): void => {
    const attempted = attempt(options, channel, endpoint, claimed).then((outcome) => {
      if (isTaken(outcome)) taken += 1;
    });
    running.add(attempted);
    void attempted.catch(() => {}).finally(() => running.delete(attempted));
  };
  while (!isStopped()) {
    const free = channel.maxAtOnce - running.size;
    const claimed = await claim(db, channel, endpoint, free);
    for (const one of claimed) begin(one);
    if (running.size === 0 || (claimed.length < free && !channel.isOrdered)) break;
    await settledOf(running, running.size < channel.maxAtOnce ? SLOW_MS : undefined);
  }
  await Promise.all(running);
  return taken;
}

/** Waits until all attempts have ended. Once an attempt is slow, until one has ended, or for a maximum time in ms. */
async function settledOf(running: ReadonlySet<Promise<void>>, maxMs: number | undefined): Promise<void> {
  const isQuick = await within(Promise.all(running), QUICK_MS);
  if (!isQuick && running.size > 0) await within(Promise.race(running), maxMs);
}

/** Waits for a promise, at most for a time in ms. Returns true if it was fulfilled. */
async function within(promise: Promise<unknown>, ms: number | undefined): Promise<boolean> {
  if (ms === undefined) return promise.then(() => true);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  return Promise.race([promise.then(() => true as const), late]).finally(() => clearTimeout(timer));
}

/**
 * Claims due deliveries to an endpoint, at most `max`, and returns them with their content. If a crash of the database's machine
 * loses a claim, the delivery is claimed again.
 */
function claim(db: Db, channel: Channel, endpoint: DueEndpoint, max: number): Promise<Claimed[]> {
  return db.tx(
    async (tx) => {
      const { isOrdered = false } = channel;
      if (isOrdered) await tx.run(OVERTAKEN, [endpoint.id], { name: 'deliveries.overtaken' });
      const claimed = await tx.rows<Claimed>(isOrdered ? CLAIM_ORDERED : CLAIM, [endpoint.id, max, CLAIM_SECONDS], {
        name: isOrdered ? 'deliveries.claim_ordered' : 'deliveries.claim',
      });
      if (isOrdered && claimed.length === 0) await tx.run(PUT_OFF_BLOCKED, [endpoint.id], { name: 'deliveries.put_off_blocked' });
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
  { delivery, tries, replays, ...event }: Claimed,
): Promise<Outcome> {
  const isRepeated = tries > 1 || replays > 0;
  // The first attempt has the delivery's own id.
  const facts = { id: isRepeated ? newId() : delivery, delivery, endpoint: endpoint.id, isRepeated };
  const outcome = await attemptAsWritten(channel, endpoint, event, facts);
  // An attempt that was aborted when stopping says nothing about the endpoint, so its outcome isn't stored.
  if (isStopped() && !isTaken(outcome)) return outcome;
  await storeOutcome(db, { pace: channel, endpoint, delivery, attempt: facts.id, tries }, outcome);
  return outcome;
}

/**
 * Attempts a delivery if event and endpoint have valid MACs. If SQL changed one of them, the delivery is refused without an
 * attempt.
 */
async function attemptAsWritten(
  channel: Channel,
  endpoint: DueEndpoint,
  { mac, text, ...event }: Omit<Claimed, 'delivery' | 'tries' | 'replays'>,
  attempt: AttemptFacts,
): Promise<Outcome> {
  if (!isAsPublished(event, mac)) return altered('the event was altered by SQL');
  if (event.owner !== endpoint.owner) return altered('event and endpoint have different owners');
  if (channel.hasAddresses && !isAsPut(endpoint, endpoint.mac)) return altered('the endpoint was altered by SQL');
  return channel.attempt(channel.bodiesOf ? { ...event, body: text } : event, endpoint, attempt);
}
