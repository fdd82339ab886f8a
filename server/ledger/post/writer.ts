import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Problem } from '@kurs/contract';
import { log, monotonicMs } from '../../platform/index.ts';
import { POST, type PostAnswer, argumentsOf, forget, remember, statusesOf } from './call.ts';
import { type Journal, type JournalStatus, assertJournal } from '../chart/journal.ts';
import { assertLegal } from '../chart/legal-legs.ts';

/** The ledger's door for volume: many callers, few commits. */
export interface Writer {
  /**
   * Posts one journal in a transaction of the writer's own; resolves once it is committed. Throws
   * `Problem('unavailable')` when the queue is full (nothing was done) or the database stays away (perhaps it was
   * done: ask again with the same id), and a RangeError for a journal that no caller may make.
   */
  post(journal: Journal): Promise<JournalStatus>;
  /** Writes what is queued, then ends. */
  close(): Promise<void>;
}

export interface WriterOptions {
  /** postgres://… */
  readonly url: string;
  /** What its connection is called in pg_stat_activity. */
  readonly name?: string;
  /** Most journals in one transaction; 512 by default. */
  readonly batch?: number;
  /** Most journals that may wait; 8 192 by default. */
  readonly queue?: number;
  /** Milliseconds a journal may take from being drained, retries included; 10 000 by default. */
  readonly patience?: number;
}

interface Waiting {
  readonly journal: Journal;
  resolve(status: JournalStatus): void;
  reject(error: unknown): void;
}

const STATEMENT_TIMEOUT_MS = 5_000;
/** Batches that are made ready while another is written. */
const AHEAD = 1;

/**
 * Opens a writer with two connections. One writes batches and lets go of their accounts without waiting for the disk; the
 * other waits until what was written is durable, and only then callers are answered. (The log is one: anyone who commits
 * after a batch is durable only with it.) So the next batch is written while the disk works on the last.
 *
 * While nothing is being written the next turn of the event loop drains the queue, so a batch is as large as the load
 * makes it and nobody waits for a timer. Twins of one id go in different batches. A crash or time-out is followed by
 * the same ids on new connections: what had been written is then found as replayed.
 */
export function openWriter(options: WriterOptions): Writer {
  const { batch: most = 512, queue: capacity = 8_192, patience = 10_000 } = options;
  const connections = reconnecting(options);
  const underWay = new Set<Promise<void>>();
  /** The batches that are being written, oldest first. */
  const beingWritten: Promise<void>[] = [];
  let queue: Waiting[] = [];
  let running = false;
  let idle = Promise.resolve();
  let closed = false;

  /** The oldest journals up to a batch, leaving twins of one id in the queue. */
  const take = (): Waiting[] => {
    // With none on its way to the disk only half of them: the two halves take turns from then on.
    const share = Math.min(most, underWay.size > 0 ? queue.length : Math.ceil(queue.length / 2));
    const ids = new Set<string>();
    const taken: Waiting[] = [];
    const left: Waiting[] = [];
    for (const waiting of queue) {
      if (taken.length < share && !ids.has(waiting.journal.id)) {
        ids.add(waiting.journal.id);
        taken.push(waiting);
      } else left.push(waiting);
    }
    queue = left;
    return taken;
  };

  /** Resolves when a batch is written or has failed. */
  const write = (batch: readonly Waiting[]): Promise<void> =>
    new Promise((written) => {
      const delivery = deliver(connections, { batch, deadline: monotonicMs() + patience, written }).finally(() => {
        underWay.delete(delivery);
        written();
      });
      underWay.add(delivery);
    });

  const run = async (): Promise<void> => {
    running = true;
    while (queue.length > 0) {
      // Callers that were just answered come back in this turn with their next journal.
      await new Promise((resolve) => setImmediate(resolve));
      beingWritten.push(write(take()));
      if (beingWritten.length > AHEAD) await beingWritten.shift();
    }
    // In the same turn as the last look at the queue: anyone who comes later starts anew.
    running = false;
  };

  return {
    post(journal) {
      if (closed || queue.length >= capacity) return Promise.reject(new Problem('unavailable'));
      try {
        assertJournal(journal);
        assertLegal(journal);
      } catch (error) {
        return Promise.reject(error);
      }
      return new Promise((resolve, reject) => {
        queue.push({ journal, resolve, reject });
        if (!running) idle = run();
      });
    },
    async close() {
      closed = true;
      await idle;
      await Promise.all(underWay);
      await connections.end();
    },
  };
}

interface Delivery {
  readonly batch: readonly Waiting[];
  /** Monotonic milliseconds until which it is tried. */
  readonly deadline: number;
  /** Called when it is written and not durable yet. */
  written(): void;
}

/** Posts a batch until it is durable or its time is over. A journal that the database can't take is found by halving. */
async function deliver(connections: Connections, delivery: Delivery): Promise<void> {
  const { batch, deadline } = delivery;
  const journals = batch.map(({ journal }) => journal);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { statuses, flush } = await connections.write(journals);
      delivery.written();
      await flush();
      remember(journals);
      batch.forEach(({ resolve }, index) => resolve(statuses[index] as JournalStatus));
      return;
    } catch (error) {
      if (!isTransient(error)) return await isolate(connections, delivery, error);
      log.warn('ledger writer retries', { tries: attempt, journals: batch.length, error: String(error) });
      if (monotonicMs() > deadline) {
        for (const { reject } of batch) reject(new Problem('unavailable', { cause: error }));
        return;
      }
      await sleep(Math.min(20 * 2 ** attempt, 500));
    }
  }
}

async function isolate(connections: Connections, { batch, ...rest }: Delivery, error: unknown): Promise<void> {
  if (batch.length === 1) return batch[0]?.reject(error);
  const half = batch.length >> 1;
  await deliver(connections, { batch: batch.slice(0, half), ...rest });
  await deliver(connections, { batch: batch.slice(half), ...rest });
}

// Data, constraint, syntax and program errors stay when tried again; all else (lost connection, deadlock, time-out,
// shutdown) passes. 23505 passes too: a twin from another process won the race and is found at the second look.
const LASTING = /^(?:22|23|42|0A|P0)/;

function isTransient(error: unknown): boolean {
  const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
  return code === '23505' || !LASTING.test(code);
}

interface Connections {
  write(journals: readonly Journal[]): Promise<Written>;
  end(): Promise<void>;
}

/** Journals that are visible and perhaps not durable yet. */
interface Written {
  readonly statuses: readonly JournalStatus[];
  /** Resolves when they are durable. */
  flush(): Promise<void>;
}

/** A commit that means nothing and waits for the disk: one that has written nothing into the log wouldn't. */
const FLUSH = { name: 'ledger.flush', text: `select pg_logical_emit_message(true, 'ledger.flush', '')` };

/** Two connections at a time, made when needed and thrown away after any failure. */
function reconnecting(options: WriterOptions): Connections {
  const writing = oneAtATime(options, 'off', (client) => client);
  const waiting = oneAtATime(options, 'on', flusher);
  const failing = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      forget();
      writing.drop();
      waiting.drop();
      throw error;
    }
  };
  const write = async (journals: readonly Journal[]): Promise<Written> => {
    // The one that will wait is there before anything is written. A server that loses what is not durable loses its
    // connections too, so only the word of this very one proves that it has not.
    const [client, flush] = await Promise.all([writing.open(), waiting.open()]);
    const answer = await client.query<PostAnswer>({ ...POST, values: argumentsOf(journals) });
    return { statuses: statusesOf(answer.rows[0] as PostAnswer), flush: () => failing(flush()) };
  };
  return {
    write: (journals) => failing(write(journals)),
    async end() {
      await Promise.all([writing.end(), waiting.end()]);
    },
  };
}

/** Flushes by one connection, one at a time. One that has not begun is everybody's who comes before it does. */
function flusher(client: pg.Client): () => Promise<void> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= current
      .catch(() => undefined)
      .then(async () => {
        next = undefined;
        current = client.query(FLUSH);
        await current;
      });
    return next;
  };
}

/** A connection that is made when needed. */
interface OneAtATime<T> {
  /** What is made of the connection that there is, or of a new one. */
  open(): Promise<T>;
  drop(): void;
  end(): Promise<void>;
}

function oneAtATime<T>(
  { url, name = 'kurs-ledger-writer' }: WriterOptions,
  synchronous: 'on' | 'off',
  use: (client: pg.Client) => T,
): OneAtATime<T> {
  let opened: Promise<{ client: pg.Client; used: T }> | undefined;

  const connect = async (): Promise<{ client: pg.Client; used: T }> => {
    const made = new pg.Client({
      connectionString: url,
      application_name: name,
      keepAlive: true,
      connectionTimeoutMillis: 2_000,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: STATEMENT_TIMEOUT_MS + 500,
    });
    // A broken connection also fails the running call, where it is dealt with.
    made.on('error', () => undefined);
    await made.connect();
    // Not among the options of the connection: those of its address would take their place.
    await made.query(`set synchronous_commit = ${synchronous}`);
    return { client: made, used: use(made) };
  };
  const end = async (): Promise<void> => {
    const left = opened;
    opened = undefined;
    await (await left)?.client.end();
  };

  return {
    open: async () => (await (opened ??= connect())).used,
    drop: () => void end().catch(() => undefined),
    end,
  };
}
