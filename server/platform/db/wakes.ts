// Who wakes whom: a loop that waits for rows is told that there are some, in whichever process they were written. It is a hint
// and nothing hangs on it: each loop looks by itself as well, more seldom, and so finds what it was not told of.
//
// What a process waits for itself it tells nobody else; the rest goes to the others by NOTIFY, gathered for a moment and after
// the commit: a transaction that notifies would let no other one commit beside it. What changes seldom (settings, directions,
// the clock) is told by triggers of the database, no matter what writes it.
//
// NOTIFY wakes every session that listens, each in a transaction of its own. So a process marks in the database what it waits
// for, by a lock that its session holds (`is_awaited`), and what nobody else waits for is not told.

import { EventEmitter } from 'node:events';
import pg from 'pg';
import { Problem } from '@kurs/contract';
import { log } from '../base/log.ts';
import { every } from '../base/sweeper.ts';

/** Something to wait for: `payments`. */
export type Topic = 'blocks' | 'clock' | 'deliveries' | 'events' | 'offers' | 'owners' | 'payments' | 'rates' | 'settings';

const CHANNEL = 'kurs_wakes';
/** What is told within so long is told at once. */
const GATHER_MS = 20;
const RECONNECT_MS = 5_000;
/** A machine that is gone without a word is noticed after about 25 seconds. */
const SESSION = `set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3;
  set synchronous_commit = off; listen ${CHANNEL}`;

/** Marks a topic as one that is waited for, or no longer. */
const MARK = `select pg_advisory_lock_shared(hashtext('wake'), hashtext($1))`;
const UNMARK = `select pg_advisory_unlock_shared(hashtext('wake'), hashtext($1))`;
const TELL = `select pg_notify($1, string_agg(topic, ' ')) from unnest($2::text[]) as topic where is_awaited(topic) having count(*) > 0`;

const waiting = new EventEmitter().setMaxListeners(0);
let tellOthers: ((topic: Topic) => void) | undefined;
/** Says to the other processes that this one waits for a topic from now on, or no longer. */
type Mark = (topic: Topic, sql: typeof MARK | typeof UNMARK) => void;
let markFor: Mark | undefined;

/** Wakes what waits for a topic: in this process, or else in the others. */
export function wake(topic: Topic): void {
  if (!waiting.emit(topic)) tellOthers?.(topic);
}

/**
 * SQL that tells a topic with the commit of its transaction, if a process waits for it: that is for what changes seldom. More
 * conditions may follow.
 */
export const tellWake = (topic: Topic): string => `select pg_notify('${CHANNEL}', '${topic}') where is_awaited('${topic}')`;

/** Calls back whenever a topic is told, and once others know that this process waits for it. Gives the way to stop. */
export function onWake(topic: Topic, wakes: () => void): () => void {
  waiting.on(topic, wakes);
  if (waiting.listenerCount(topic) === 1) markFor?.(topic, MARK);
  return () => {
    waiting.off(topic, wakes);
    if (waiting.listenerCount(topic) === 0) markFor?.(topic, UNMARK);
  };
}

/**
 * Carries wakes between this process and the others, over a connection of its own, until stopped. One per process. While
 * there is no connection loops look by themselves; once there is one again all of them look.
 */
export function carryWakes(url: string, name: string): { stop(): Promise<void> } {
  let client: pg.Client | undefined;
  let isStopped = false;
  const gathered = new Set<Topic>();
  const lose = (lost: pg.Client): void => {
    if (client !== lost) return;
    client = undefined;
    if (!isStopped) log.warn('the connection that wakes come by is lost');
    keeper.wake();
  };
  const connect = async (): Promise<void> => {
    const opened = new pg.Client({
      connectionString: url,
      application_name: `${name}-wakes`,
      keepAlive: true,
      connectionTimeoutMillis: 2_000,
    });
    opened.on('error', () => lose(opened)).on('end', () => lose(opened));
    opened.on('notification', ({ processId, payload = '' }) => {
      if (processId !== ownProcessOf(opened)) for (const topic of payload.split(' ')) waiting.emit(topic);
    });
    try {
      await opened.connect();
      await opened.query(SESSION);
    } catch (error) {
      void opened.end().catch(() => {});
      throw new Problem('unavailable', { cause: error });
    }
    client = opened;
    for (const topic of waiting.eventNames()) mark(topic as Topic, MARK);
  };
  /** What was told before the mark nobody here has heard of: so all that waits looks. */
  const mark: Mark = (topic, sql) =>
    void client?.query(sql, [topic]).then(
      () => sql === MARK && waiting.emit(topic),
      () => {},
    );
  const send = (): void => {
    const told = [...gathered];
    gathered.clear();
    client?.query(TELL, [CHANNEL, told]).catch(() => {});
  };
  const keeper = every(RECONNECT_MS, 'wakes', async () => {
    if (!client && !isStopped) await connect();
  });
  markFor = mark;
  tellOthers = (topic) => {
    if (gathered.size === 0) setTimeout(send, GATHER_MS);
    gathered.add(topic);
  };
  return {
    async stop() {
      isStopped = true;
      tellOthers = undefined;
      markFor = undefined;
      await keeper.stop();
      await client?.end();
    },
  };
}

/** The number of the server's process that serves a connection: what it sends comes back under it. */
const ownProcessOf = (client: pg.Client): number | null => (client as unknown as { processID: number | null }).processID;
