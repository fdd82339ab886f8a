// The outbox: what happened in one room, delivered to the rooms that subscribed, at least once and in their own transaction.
//
// An event and its deliveries are written in the transaction it happened in. Each subscriber drains its deliveries in
// groups: claim and remove up to 256 due rows, hand them over once, commit. A delivery is a row until then.
// One drain at a time serves a subscriber and holds the subscriber's lock, so that two workers never deliver the
// events of one subject at once or in another order. A worker claims only the kinds that its own code states: of two
// versions beside each other the older leaves what it doesn't know, and what comes after it, to the newer.
//
// One look for all subscribers each second; a wake makes it look at once, and what was published in this process is
// delivered without a look. `outbox.tx` hands what it publishes to the subscribers of this process before it commits.

import { EventEmitter } from 'node:events';
import { Problem } from '@kurs/contract';
import { type Db, type Statements, type Tx, mayBeCommitted } from '../db/db.ts';
import { log } from '../base/log.ts';
import { everyDue } from '../base/sweeper.ts';
import { jsonArray } from '../db/json-array.ts';
import { onWake, wake } from '../db/wakes.ts';
import { CLAIM, LEASE, RECORD, UNDELIVERED, UNDELIVERED_BODIES, WAITING, WHO_IS_DUE } from './outbox-statements.ts';

export type OutboxEvent = {
  /** uuid v7: events are delivered in the order of their ids. Publishing an id again does nothing. */
  id: string;
  /** `<room>.<what>`; the type of the body stands in the room's door. */
  kind: string;
  /** What it is about, `order:<id>`. */
  subject: string;
  body: unknown;
  /** Days after which it is forgotten, once every subscriber has handled it; kept for ever without. */
  days?: number;
};
export type StoredEvent = OutboxEvent & {
  at: Date;
  /** How often this subscriber has failed on it or left it. */
  tries: number;
};
/** Events the subscriber could not act upon now, with the reason: they come again later, and a person is alarmed. */
export type Left = { leave: ReadonlyMap<string, string> };

export type Subscription = {
  subscriber: string;
  kinds: readonly string[];
  /** Only events whose subject begins so: `wallet:`. Absent: all of the kinds. */
  about?: string;
  /** Handles a group in one transaction. An error abandons the group, which is then halved to find the culprit. */
  handle(tx: Tx, events: StoredEvent[]): Promise<void | Left>;
};

/** A subscriber that was removed, or one kind that it no longer takes. */
export type Retired = { subscriber: string; kind?: string };

const GROUP = 256;
const POLL_MS = 1_000;
const LONGEST_BACKOFF_S = 300;

const hints = new EventEmitter().setMaxListeners(0);
/** The subscriptions that a process drains, by database. */
const drained = new WeakMap<Db, readonly Subscription[]>();
/** Who was published to in transactions that hand over what they publish. */
const told = new WeakMap<Tx, Set<string>>();
/** Subscribers that were due while another transaction of this process held their lock: its end wakes them. */
const missed = new Set<string>();
/** Somebody else's lock is waited for no longer than this: they may be waiting for ours (less than `deadlock_timeout`). */
const HAND_OVER_MS = 200;

export const outbox = {
  /**
   * Writes events and one delivery per subscriber of their kinds, in one statement of the caller's transaction. What can't be
   * written down throws at once, so that anyone who sends the next statement along knows that this one was sent.
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
   * A transaction as `Db.tx`, which hands what `work` publishes to the subscribers of this process at its end: one commit for
   * what happened and for what came of it. Where they fail, `work` is done again by itself and its events wait for their
   * drains. `later` leaves them to those at once: after `work` has posted nobody else may in its transaction.
   */
  async tx<T>(db: Db, work: (tx: Tx, later: () => void) => Promise<T>): Promise<T> {
    const subscriptions = drained.get(db);
    const byItself = (): Promise<T> => db.tx((tx) => work(tx, () => {}));
    if (!subscriptions) return byItself();
    let failed: unknown;
    try {
      return await db.tx(async (tx) => {
        const published = new Set<string>();
        told.set(tx, published);
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
      log.warn('what happened could not be handed over at once', { error: String(error) });
      return byItself();
    }
  },

  /**
   * Stores which subscriber takes which kinds, beside what is stored already: a version that starts beside another takes
   * nothing from it. What is retired is removed by name, with its open deliveries. Events published before a
   * subscription aren't delivered to it. Called once when a system starts, by the worker, before anything publishes.
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

  /** Which of these subjects have a committed event that this subscriber hasn't handled. */
  async undelivered(db: Statements, subscriber: string, subjects: readonly string[]): Promise<Set<string>> {
    const rows = await db.rows<{ subject: string }>(UNDELIVERED, [subscriber, subjects], { name: 'events.undelivered' });
    return new Set(rows.map(({ subject }) => subject));
  },

  /** The bodies of events of a kind that some subscriber hasn't handled yet. */
  undeliveredBodies: async (db: Statements, kind: string): Promise<unknown[]> =>
    (await outbox.undeliveredHolding(db, { [kind]: {} }))(kind),

  /** The same of several kinds, of each those alone whose body has these: all that waits is looked through, once. */
  async undeliveredHolding(db: Statements, holding: Readonly<Record<string, object>>): Promise<(kind: string) => unknown[]> {
    const asked = [Object.keys(holding), Object.values(holding).map((has) => JSON.stringify(has))];
    const rows = await db.rows<{ kind: string; body: unknown }>(UNDELIVERED_BODIES, asked, { name: 'events.undelivered_bodies' });
    return (kind) => rows.flatMap((row) => (row.kind === kind ? [row.body] : []));
  },

  /** Ids of events whose delivery is put off for longer than any pause of ours: nothing of this code has written that. */
  async putOffTooFar(db: Statements): Promise<string[]> {
    const rows = await db.rows<{ id: string }>(
      `select distinct event_id as id from event_delivery where due_at > clock_now() + $1 * interval '1 second' order by 1`,
      [2 * LONGEST_BACKOFF_S],
      { name: 'events.put_off' },
    );
    return rows.map(({ id }) => id);
  },

  /** Forgets events whose days are over and that every subscriber has handled. */
  async forget(db: Statements): Promise<void> {
    await db.run(
      'delete from event where forget_at < clock_now() and not exists (select from event_delivery where event_id = event.id)',
      [],
      { name: 'events.forget' },
    );
  },

  /**
   * Delivers to a subscriber everything that is due, in groups; gives how many events were handed over or put off. Ends early
   * where another drain is at work: that one, or the next look, delivers the rest.
   */
  async drain(db: Db, subscription: Subscription): Promise<number> {
    let total = 0;
    for (;;) {
      const count = await tell(db, subscription);
      total += count;
      if (count < GROUP) return total;
    }
  },

  /** The subscribers that have deliveries due now, of the kinds that their code states. */
  async due(db: Statements, subscriptions: readonly Subscription[]): Promise<string[]> {
    const pairs = subscriptions.flatMap(({ subscriber, kinds }) => kinds.map((kind) => [subscriber, kind] as const));
    const rows = await db.rows<{ subscriber: string }>(
      WHO_IS_DUE,
      [pairs.map(([subscriber]) => subscriber), pairs.map(([, kind]) => kind)],
      { name: 'events.who_is_due' },
    );
    return rows.map(({ subscriber }) => subscriber);
  },

  /** From now on `outbox.tx` hands over to these. Gives the way to end that. */
  handOver(db: Db, subscriptions: readonly Subscription[]): () => void {
    drained.set(db, subscriptions);
    return () => void drained.delete(db);
  },

  /** Drains every subscription until stopped. */
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

/** Hands what a transaction has published to those of its subscribers that are drained here. */
async function handOver(tx: Tx, subscriptions: readonly Subscription[], published: Set<string>): Promise<void> {
  const here = subscriptions.filter(({ subscriber }) => published.delete(subscriber));
  if (here.length > 0) await tx.run(`set local lock_timeout = ${HAND_OVER_MS}`);
  for (const subscription of here) if (!(await handleGroup(tx, subscription))) published.add(subscription.subscriber);
}

/**
 * Has a subscriber handle one group (of the given ids, or the first due ones) in a transaction. False where another drain is
 * at work, or there is more than a group. `claimed` hears what is handed over.
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
  // Removed first: what `handle` does last (its one `post`) stays the last statement of the transaction.
  const group = await tx.rows<StoredEvent>(CLAIM, [subscriber, tx.now, GROUP, ids, kinds], { name: 'events.claim' });
  claimed(group);
  const ready = group.length === 0 ? [] : await holdBack(tx, subscription, group);
  if (ready.length === 0) return true;
  const left = await subscription.handle(tx, ready);
  if (left && left.leave.size > 0) await putBack(tx, subscriber, group, left.leave);
  return group.length < GROUP;
}

/** Delivers one group (of the given ids, or the first due ones); on an error halves it until the culprit stands alone. */
async function tell(db: Db, subscription: Subscription, ids: string[] | null = null): Promise<number> {
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
    const first = await tell(db, subscription, all.slice(0, middle));
    return first + (await tell(db, subscription, all.slice(middle)));
  }
}

/**
 * A subject's events are delivered in their order: those behind one that waits (left, failed, or of a kind that only a newer
 * version knows) wait with it. Gives the others.
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

/** An event that fails even alone: it stays due, later and later, and alarms. */
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
      log.alarm('event was left', {
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
  const subscribers = told.get(tx) ?? new Set<string>();
  for (const { subscriber } of rows) subscribers.add(subscriber);
  tx.afterCommit(() => {
    // Those that it was handed to before the commit are not among them any more.
    if (subscribers.size > 0 && !hints.emit('published', subscribers)) wake('events');
  });
}
