// Notifications that wake background loops: when rows are written, the loops that handle them begin, in any process. A
// notification is only a hint: each loop also polls, less often, and so finds rows whose notification was lost.
//
// If loops of this process wait for a topic, only these loops are woken. Otherwise NOTIFY wakes the other processes. A NOTIFY
// is sent after the commit, for several topics at once, since transactions that contain a NOTIFY commit one at a time. For rows
// that change seldom (settings, directions, the clock) triggers of the database send the NOTIFY, so that changes by SQL are
// noticed, too.
//
// NOTIFY wakes every session that listens, so useless notifications are avoided. A process registers the topics that it waits
// for by advisory locks of its session. Nothing is sent for a topic that no process waits for (`is_awaited`).

import { EventEmitter } from 'node:events';
import pg from 'pg';
import { Problem } from '@kurs/contract';
import { log } from '../base/log.ts';
import { every } from '../base/sweeper.ts';

/** Topic of a notification, for which loops can wait. */
export type Topic = 'blocks' | 'clock' | 'deliveries' | 'events' | 'offers' | 'owners' | 'payments' | 'rates' | 'settings';

const CHANNEL = 'kurs_wakes';
/** Time in ms for which topics are collected before one statement sends them all. */
const GATHER_MS = 20;
const RECONNECT_MS = 5_000;
/**
 * SQL: settings of the session. With these TCP keepalive settings the server notices within about 25 seconds that this machine
 * has crashed.
 */
const SESSION = `set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3;
  set synchronous_commit = off; listen ${CHANNEL}`;

/** SQL: registers that this process waits for a topic. */
const MARK = `select pg_advisory_lock_shared(hashtext('wake'), hashtext($1))`;
/** SQL: ends the registration of a topic. */
const UNMARK = `select pg_advisory_unlock_shared(hashtext('wake'), hashtext($1))`;
/** SQL: notifies of the topics that some process waits for. */
const REPORT = `select pg_notify($1, string_agg(topic, ' ')) from unnest($2::text[]) as topic where is_awaited(topic) having count(*) > 0`;

const waiting = new EventEmitter().setMaxListeners(0);
let reportOthers: ((topic: Topic) => void) | undefined;
/** Runs `MARK` or `UNMARK` for a topic. */
type Mark = (topic: Topic, sql: typeof MARK | typeof UNMARK) => void;
let markFor: Mark | undefined;

/** Wakes the loops that wait for a topic: the loops of this process or, if none of them waits, those of the other processes. */
export function wake(topic: Topic): void {
  if (!waiting.emit(topic)) reportOthers?.(topic);
}

/**
 * Returns SQL that sends a notification of a topic when its transaction commits, if some process waits for the topic. For rows
 * that change seldom. Callers may append `and …` to the SQL, since it ends with a `where` condition.
 */
export const sendWake = (topic: Topic): string => `select pg_notify('${CHANNEL}', '${topic}') where is_awaited('${topic}')`;

/**
 * Calls `wakes` at each notification of a topic. Also calls `wakes` once the topic is registered, since earlier notifications
 * were lost. Returns a function that ends the calls.
 */
export function onWake(topic: Topic, wakes: () => void): () => void {
  waiting.on(topic, wakes);
  if (waiting.listenerCount(topic) === 1) markFor?.(topic, MARK);
  return () => {
    waiting.off(topic, wakes);
    if (waiting.listenerCount(topic) === 0) markFor?.(topic, UNMARK);
  };
}

/**
 * Sends notifications to other processes and receives those of others, over a separate connection, until stopped. Call it once
 * per process. Without the connection loops only poll. After each reconnection all waiting loops are woken.
 */
export function carryWakes(url: string, name: string): { stop(): Promise<void> } {
  let client: pg.Client | undefined;
  let isStopped = false;
  const gathered = new Set<Topic>();
  const lose = (lost: pg.Client): void => {
    if (client !== lost) return;
    client = undefined;
    if (!isStopped) log.warn('the connection for notifications between processes is lost');
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
  /**
   * Registers a topic, or ends its registration. After a registration wakes the topic's loops: earlier notifications were lost.
   */
  const mark: Mark = (topic, sql) =>
    void client?.query(sql, [topic]).then(
      () => sql === MARK && waiting.emit(topic),
      () => {},
    );
  const send = (): void => {
    const reported = [...gathered];
    gathered.clear();
    client?.query(REPORT, [CHANNEL, reported]).catch(() => {});
  };
  const keeper = every(RECONNECT_MS, 'wakes', async () => {
    if (!client && !isStopped) await connect();
  });
  markFor = mark;
  reportOthers = (topic) => {
    if (gathered.size === 0) setTimeout(send, GATHER_MS);
    gathered.add(topic);
  };
  return {
    async stop() {
      isStopped = true;
      reportOthers = undefined;
      markFor = undefined;
      await keeper.stop();
      await client?.end();
    },
  };
}

/**
 * Returns the id of the PostgreSQL process that serves a connection. By this id our process recognises its own notifications.
 */
const ownProcessOf = (client: pg.Client): number | null => (client as unknown as { processID: number | null }).processID;
