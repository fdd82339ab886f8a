// The outbox delivers the events that one room publishes to the rooms that subscribe to such events. Each event is delivered at
// least once, in a transaction of the subscriber.
//
// A room writes an event and its deliveries in the transaction of the change. A delivery is a row until its event is handled. A
// drain claims up to 256 due deliveries of a subscriber, removes their rows, handles the events as one group, and commits. Each
// subscriber has a lock, so that only one drain serves it at a time. So the events of a subject are never delivered
// concurrently or in another order. A process claims only the kinds of events that its own code subscribes to. If two versions
// of the product run at the same time, the older version leaves events of unknown kinds to the newer version. The older version
// also leaves all later events of the same subjects to the newer version.
//
// One poll a second serves all subscribers. A notification starts a poll at once. Events published in this process are
// delivered without a poll: `outbox.tx` hands the events of a transaction to the subscribers of this process before the commit.

import { EventEmitter } from 'node:events';
import { Problem } from '@kurs/contract';
import { type Db, type Statements, type Tx, mayBeCommitted } from '../db/db.ts';
import { log } from '../base/log.ts';
import { everyDue } from '../base/sweeper.ts';
import { jsonArray } from '../db/json-array.ts';
import { onWake, wake } from '../db/wakes.ts';
import { CLAIM, LEASE, RECORD, UNDELIVERED, UNDELIVERED_BODIES, WAITING, WHO_IS_DUE } from './outbox-statements.ts';

export type OutboxEvent = {
  /** uuid v7. Events are delivered in the order of their ids. Publishing an event with a known id has no effect. */
  id: string;
  /** `<room>.<what>`. The room's `index.ts` exports the type of the body. */
  kind: string;
  /** Subject of the event, such as `order:<id>`. */
  subject: string;
  body: unknown;
  /**
   * Days after which the event is deleted, provided that every subscriber has handled it. If `days` is absent, the event is
   * never deleted.
   */
  days?: number;
};
export type StoredEvent = OutboxEvent & {
  at: Date;
  /** Number of times that this subscriber failed to handle the event or delayed it. */
  tries: number;
};
/**
 * Result of a handler that delays events: reasons by event id, for events that can't be handled yet. An alarm is raised, and
 * these events are delivered again later.
 */
export type Left = { leave: ReadonlyMap<string, string> };

export type Subscription = {
  subscriber: string;
  kinds: readonly string[];
  /** Prefix of the subjects to deliver, such as `wallet:`; all subjects if absent. */
  about?: string;
  /**
   * Handles a group of events in one transaction. If the handler throws, the transaction is rolled back. Then each half of the
   * group is tried separately, until the failing event is found.
   */
  handle(tx: Tx, events: StoredEvent[]): Promise<void | Left>;
};

/** A removed subscriber. With `kind`: a subscriber that no longer handles this kind. */
export type Retired = { subscriber: string; kind?: string };

const GROUP = 256;
const POLL_MS = 1_000;
const LONGEST_BACKOFF_S = 300;

const hints = new EventEmitter().setMaxListeners(0);
/** Subscriptions that this process drains, by database. */
const drained = new WeakMap<Db, readonly Subscription[]>();
/** Subscribers with events published in a transaction of `outbox.tx`. */
const reported = new WeakMap<Tx, Set<string>>();
/**
 * Subscribers with due events whose lock another transaction of this process holds. When that transaction ends, they are
 * drained.
 */
const missed = new Set<string>();
/**
 * Maximum wait for a lock while events are handed over, in ms. The lock's holder may itself be waiting for this transaction, so
 * the value is below PostgreSQL's `deadlock_timeout`.
 */
const HAND_OVER_MS = 200;

export const outbox = {
  /**
   * Writes events, and one delivery for each subscriber of their kinds, in one statement of the caller's transaction. Throws
   * synchronously if a body can't be serialised, before anything is sent.
   */
  publish(tx: Tx, list: readonly OutboxEvent[]): Promise<void> {
    if (list.length === 0) return Promise.resolve();
    return record(tx, [
      list.map((event) => event.id),
      list.map((event) => event.kind),
      list.map((event) => event.subject),
      jsonArray(list.map((event) => JSON.stringify(event.body))),
      list.map((event) => event.days ?? null),
      tx.now,
    ]);
  },

  /**
   * Runs a transaction as `Db.tx` does, and hands its events to the subscribers of this process before the commit. One commit
   * then stores the change and its consequences. If a subscriber fails, the transaction is repeated without subscribers, and
   * drains deliver its events. If `work` posts, it must call `later`, since a transaction may contain only one posting. Then
   * drains deliver the events, too.
   */
  async tx<T>(db: Db, work: (tx: Tx, later: () => void) => Promise<T>): Promise<T> {
    const subscriptions = drained.get(db);
    const byItself = (): Promise<T> => db.tx((tx) => work(tx, () => {}));
    if (!subscriptions) return byItself();
    let failed: unknown;
    try {
      return await db.tx(async (tx) => {
        const published = new Set<string>();
        reported.set(tx, published);
        let isLater = false;
        const value = await work(tx, () => void (isLater = true));
        if (!isLater) {
          await handOver(tx, subscriptions, published).catch((error: unknown) => {
            failed = error;
            throw error;
          });
        }
        return value;
      });
    } catch (error) {
      if (error !== failed || mayBeCommitted(error)) throw error;
      log.warn('a subscriber failed in the transaction of its events: they are delivered separately', { error: String(error) });
      return byItself();
    }
  },

  /**
   * Stores the subscriptions, in addition to the stored ones: an older version may still run. Subscriptions in `retired` are
   * removed, together with their open deliveries. A subscriber doesn't get events that were published before its subscription.
   * The worker calls it once when a system starts, before anything publishes.
   */
  async subscribe(db: Db, subscriptions: readonly Subscription[], retired: readonly Retired[] = []): Promise<void> {
    const pairs = subscriptions.flatMap(({ subscriber, kinds, about }) => kinds.map((kind) => ({ subscriber, kind, about })));
    await db.tx(async (tx) => {
      await tx.run('lock table event_subscription in share row exclusive mode');
      for (const { subscriber, kind } of retired) {
        await tx.run('delete from event_subscription where subscriber = $1 and kind = coalesce($2, kind)', [subscriber, kind]);
        await tx.run('delete from event_delivery where subscriber = $1 and kind = coalesce($2, kind)', [subscriber, kind]);
      }
      await tx.run(
        `insert into event_subscription (subscriber, kind, about) select * from unnest($1::text[], $2::text[], $3::text[])
         on conflict (kind, subscriber) do update set about = excluded.about`,
        [pairs.map((pair) => pair.subscriber), pairs.map((pair) => pair.kind), pairs.map((pair) => pair.about ?? '')],
      );
    });
  },

  /** Returns those of `subjects` that have a committed event which the subscriber hasn't handled yet. */
  async undelivered(db: Statements, subscriber: string, subjects: readonly string[]): Promise<Set<string>> {
    const rows = await db.rows<{ subject: string }>(UNDELIVERED, [subscriber, subjects], { name: 'events.undelivered' });
    return new Set(rows.map(({ subject }) => subject));
  },

  /** Returns the bodies of events of a kind that some subscriber hasn't handled yet. */
  undeliveredBodies: async (db: Statements, kind: string): Promise<unknown[]> =>
    (await outbox.undeliveredHolding(db, { [kind]: {} }))(kind),

  /**
   * Like `undeliveredBodies`, for several kinds with one scan. `holding`: fields that the body must contain, by kind. Returns a
   * function that gives the bodies of a kind.
   */
  async undeliveredHolding(db: Statements, holding: Readonly<Record<string, object>>): Promise<(kind: string) => unknown[]> {
    const requests = [Object.keys(holding), Object.values(holding).map((has) => JSON.stringify(has))];
    const rows = await db.rows<{ kind: string; body: unknown }>(UNDELIVERED_BODIES, requests, {
      name: 'events.undelivered_bodies',
    });
    return (kind) => rows.flatMap((row) => (row.kind === kind ? [row.body] : []));
  },

  /**
   * Returns the ids of events whose delivery is delayed for longer than this code ever delays one. Such rows were altered
   * outside the product.
   */
  async putOffTooFar(db: Statements): Promise<string[]> {
    const rows = await db.rows<{ id: string }>(
      `select distinct event_id as id from event_delivery where due_at > clock_now() + $1 * interval '1 second' order by 1`,
      [2 * LONGEST_BACKOFF_S],
      { name: 'events.put_off' },
    );
    return rows.map(({ id }) => id);
  },

  /** Deletes events older than their `days` that every subscriber has handled. */
  async forget(db: Statements): Promise<void> {
    await db.run(
      'delete from event where forget_at < clock_now() and not exists (select from event_delivery where event_id = event.id)',
      [],
      { name: 'events.forget' },
    );
  },

  /**
   * Delivers all due events to a subscriber, in groups. Returns the number of events that were handled or delayed. If another
   * drain of the subscriber is running, ends early: that drain or the next poll delivers the rest.
   */
  async drain(db: Db, subscription: Subscription): Promise<number> {
    let total = 0;
    for (;;) {
      const count = await report(db, subscription);
      total += count;
      if (count < GROUP) return total;
    }
  },

  /** Returns the subscribers that have due deliveries of their subscribed kinds. */
  async due(db: Statements, subscriptions: readonly Subscription[]): Promise<string[]> {
    const pairs = subscriptions.flatMap(({ subscriber, kinds }) => kinds.map((kind) => [subscriber, kind] as const));
    const rows = await db.rows<{ subscriber: string }>(
      WHO_IS_DUE,
      [pairs.map(([subscriber]) => subscriber), pairs.map(([, kind]) => kind)],
      { name: 'events.who_is_due' },
    );
    return rows.map(({ subscriber }) => subscriber);
  },

  /** Registers the subscriptions to which `outbox.tx` hands events. Returns a function that ends the registration. */
  handOver(db: Db, subscriptions: readonly Subscription[]): () => void {
    drained.set(db, subscriptions);
    return () => void drained.delete(db);
  },

  /** Drains all subscriptions until stopped. */
  run(db: Db, subscriptions: readonly Subscription[]): { stop(): Promise<void> } {
    const drains = new Map(subscriptions.map((one) => [one.subscriber, () => outbox.drain(db, one)]));
    const takeBack = outbox.handOver(db, subscriptions);
    const sweeper = everyDue(POLL_MS, 'events', () => outbox.due(db, subscriptions), drains);
    const publishedHere = (subscribers: ReadonlySet<string>): void => sweeper.wakeOnly(subscribers);
    hints.on('published', publishedHere);
    const deaf = onWake('events', () => sweeper.wake());
    return {
      stop() {
        takeBack();
        hints.off('published', publishedHere);
        deaf();
        return sweeper.stop();
      },
    };
  },
};

/** Delivers the events of a transaction to the subscribers that this process drains, within the transaction. */
async function handOver(tx: Tx, subscriptions: readonly Subscription[], published: Set<string>): Promise<void> {
  const here = subscriptions.filter(({ subscriber }) => published.delete(subscriber));
  if (here.length > 0) await tx.run(`set local lock_timeout = ${HAND_OVER_MS}`);
  for (const subscription of here) if (!(await handleGroup(tx, subscription))) published.add(subscription.subscriber);
}

/**
 * Delivers one group of events to a subscriber in a transaction: events with the given ids, or the first due events. Returns
 * false if another drain is running, or if more events may be due. Calls `claimed` with the claimed events.
 */
async function handleGroup(
  tx: Tx,
  subscription: Subscription,
  ids: string[] | null = null,
  claimed: (group: StoredEvent[]) => void = () => {},
): Promise<boolean> {
  const { subscriber, kinds } = subscription;
  if ((await tx.row(LEASE, [subscriber], { name: 'events.lease' })) === undefined) {
    missed.add(subscriber);
    return false;
  }
  tx.afterCommit(() => void (missed.delete(subscriber) && hints.emit('published', new Set([subscriber]))));
  // The deliveries are removed first, so that the posting of `handle` stays the last statement of the transaction.
  const group = await tx.rows<StoredEvent>(CLAIM, [subscriber, tx.now, GROUP, ids, kinds], { name: 'events.claim' });
  claimed(group);
  const ready = group.length === 0 ? [] : await holdBack(tx, subscription, group);
  if (ready.length === 0) return true;
  const left = await subscription.handle(tx, ready);
  if (left && left.leave.size > 0) await putBack(tx, subscriber, group, left.leave);
  return group.length < GROUP;
}

/**
 * Delivers one group of events to a subscriber: events with the given ids, or the first due events. If the handler throws,
 * delivers each half of the group separately, until the failing event is alone. Returns the number of events.
 */
async function report(db: Db, subscription: Subscription, ids: string[] | null = null): Promise<number> {
  let group: StoredEvent[] = [];
  try {
    await db.tx((tx) => handleGroup(tx, subscription, ids, (claimed) => (group = claimed)));
    return group.length;
  } catch (error) {
    if (group.length === 0 || isAway(error)) throw error;
    if (group.length === 1) {
      await putOff(db, subscription.subscriber, group[0]!, error);
      return 1;
    }
    const all = group.map((event) => event.id);
    const middle = Math.ceil(all.length / 2);
    const first = await report(db, subscription, all.slice(0, middle));
    return first + (await report(db, subscription, all.slice(middle)));
  }
}

/**
 * Returns the events of a group that may be delivered now, and delays the others. The events of a subject are delivered in
 * order. So an event waits if an earlier event of its subject is delayed, or is of a kind that only a newer version knows.
 */
async function holdBack(tx: Tx, { subscriber, kinds }: Subscription, group: StoredEvent[]): Promise<StoredEvent[]> {
  const rows = await tx.rows<{ subject: string; id: string; due_at: Date }>(WAITING, [subscriber, tx.now, kinds], {
    name: 'events.waiting',
  });
  if (rows.length === 0) return group;
  const waiting = new Map(rows.map((row) => [row.subject, row]));
  const behind = group.filter(({ id, subject }) => (waiting.get(subject)?.id ?? id) < id);
  await tx.run(
    `insert into event_delivery (subscriber, event_id, kind, tries, due_at)
     select $1, id, kind, tries, due_at
     from unnest($2::uuid[], $3::text[], $4::int[], $5::timestamptz[]) as behind (id, kind, tries, due_at)`,
    [
      subscriber,
      behind.map(({ id }) => id),
      behind.map(({ kind }) => kind),
      behind.map(({ tries }) => tries),
      behind.map(({ subject }) => waiting.get(subject)!.due_at),
    ],
  );
  return group.filter((event) => !behind.includes(event));
}

/** Delays an event whose handler failed for this event alone, and raises an alarm. The delay grows with each failure. */
async function putOff(db: Db, subscriber: string, event: StoredEvent, error: unknown): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  await db.run(
    `update event_delivery set tries = tries + 1, due_at = clock_now() + $3 * interval '1 second', last_error = $4
     where subscriber = $1 and event_id = $2`,
    [subscriber, event.id, backoffSeconds(event.tries), reason.slice(0, 500)],
  );
  log.alarm('event could not be applied', {
    subscriber,
    eventId: event.id,
    subject: event.subject,
    kind: event.kind,
    tries: event.tries + 1,
    error,
  });
}

async function putBack(tx: Tx, subscriber: string, group: StoredEvent[], leave: Left['leave']): Promise<void> {
  const left = group.filter((event) => leave.has(event.id));
  await tx.run(
    `insert into event_delivery (subscriber, event_id, kind, tries, due_at, last_error)
     select $1, id, kind, tries, $2::timestamptz + seconds * interval '1 second', reason
     from unnest($3::uuid[], $4::text[], $5::int[], $6::float8[], $7::text[]) as left_fact(id, kind, tries, seconds, reason)`,
    [
      subscriber,
      tx.now,
      left.map((event) => event.id),
      left.map((event) => event.kind),
      left.map((event) => event.tries + 1),
      left.map((event) => backoffSeconds(event.tries)),
      left.map((event) => leave.get(event.id)!.slice(0, 500)),
    ],
  );
  tx.afterCommit(() => {
    for (const event of left) {
      log.alarm('a subscriber can’t handle an event yet', {
        subscriber,
        eventId: event.id,
        subject: event.subject,
        kind: event.kind,
        tries: event.tries + 1,
        reason: leave.get(event.id),
      });
    }
  });
}

const backoffSeconds = (tries: number): number => Math.min(LONGEST_BACKOFF_S, 2 ** Math.min(tries, 10));
const isAway = (error: unknown): boolean => error instanceof Problem && error.code === 'unavailable';

async function record(tx: Tx, columns: readonly unknown[]): Promise<void> {
  const rows = await tx.rows<{ subscriber: string }>(RECORD, columns, { name: 'events.record' });
  if (rows.length === 0) return;
  const subscribers = reported.get(tx) ?? new Set<string>();
  for (const { subscriber } of rows) subscribers.add(subscriber);
  tx.afterCommit(() => {
    // Subscribers that got the events before the commit were already removed from `subscribers`.
    if (subscribers.size > 0 && !hints.emit('published', subscribers)) wake('events');
  });
}
