// Notifications between loops: a loop that waits for rows is woken when rows are written, in any process. A notification is only
// a hint. Each loop also polls, less often, and so finds what it was not notified of.
//
// A topic that this process waits for wakes only this process. Other topics go to the other processes by NOTIFY, bundled for a
// moment and sent after the commit: a transaction that notifies lets no other one commit beside it. For things that change seldom
// (settings, directions, the clock) triggers of the database notify, no matter what writes them.
//
// NOTIFY wakes every session that listens, each in a transaction of its own. So a process registers in the database what it waits
// for, by a lock of its session (`is_awaited`), and a topic that nobody else waits for is not sent.

import { EventEmitter } from 'node:events';
import pg from 'pg';
import { Problem } from '@kurs/contract';
import { log } from '../base/log.ts';
import { every } from '../base/sweeper.ts';

/** Topic that loops can wait for. */
export type Topic = 'blocks' | 'clock' | 'deliveries' | 'events' | 'offers' | 'owners' | 'payments' | 'rates' | 'settings';

const CHANNEL = 'kurs_wakes';
/** Time for which topics are collected before they are sent in one statement. */
const GATHER_MS = 20;
const RECONNECT_MS = 5_000;
/** SQL: settings of the session. By the keepalive the server notices a crashed machine after about 25 seconds. */
const SESSION = `set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3;
  set synchronous_commit = off; listen ${CHANNEL}`;

/** SQL: `MARK` registers a topic as one that this process waits for; `UNMARK` removes it. */
const MARK = `select pg_advisory_lock_shared(hashtext('wake'), hashtext($1))`;
const UNMARK = `select pg_advisory_unlock_shared(hashtext('wake'), hashtext($1))`;
const REPORT = `select pg_notify($1, string_agg(topic, ' ')) from unnest($2::text[]) as topic where is_awaited(topic) having count(*) > 0`;

const waiting = new EventEmitter().setMaxListeners(0);
let reportOthers: ((topic: Topic) => void) | undefined;
/** Registers or removes a topic that this process waits for, so that other processes see it. */
type Mark = (topic: Topic, sql: typeof MARK | typeof UNMARK) => void;
let markFor: Mark | undefined;

/** Wakes the loops that wait for a topic: those of this process if there are any, else those of the others. */
export function wake(topic: Topic): void {
  if (!waiting.emit(topic)) reportOthers?.(topic);
}

/**
 * Returns SQL that notifies of a topic with the commit of its transaction, if a process waits for it: for things that change
 * seldom. More conditions may follow.
 */
export const sendWake = (topic: Topic): string => `select pg_notify('${CHANNEL}', '${topic}') where is_awaited('${topic}')`;

/**
 * Calls `wakes` at each notification of a topic, and once other processes know that this one waits for it. Returns a function
 * that ends this.
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
 * Carries notifications between this process and the others, over a separate connection, until stopped. Call it once per process.
 * Without a connection loops rely on their polls; after each reconnection all loops are woken.
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
  /** Registers a topic, then wakes its loops: notifications sent before were lost. */
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

/** Id of the server process that serves a connection: by it a process recognises its own notifications. */
const ownProcessOf = (client: pg.Client): number | null => (client as unknown as { processID: number | null }).processID;
