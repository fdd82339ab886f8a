import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Problem } from '@kurs/contract';
import { log, monotonicMs } from '../platform/index.ts';
import { POST, type PostAnswer, argumentsOf, forget, remember, statusesOf } from './call.ts';
import { type Journal, type JournalStatus, assertJournal } from './journal.ts';

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

/**
 * Opens a writer with one connection. While that is idle the next turn of the event loop drains the queue, so a batch
 * is as large as the load makes it and nobody waits for a timer. Twins of one id go in different batches. A crash or
 * time-out is followed by the same ids on a new connection: what had been written is then found as replayed.
 */
export function openWriter(options: WriterOptions): Writer {
  const { batch: most = 512, queue: capacity = 8_192, patience = 10_000 } = options;
  const connection = reconnecting(options);
  let queue: Waiting[] = [];
  let running = false;
  let idle = Promise.resolve();
  let closed = false;

  /** The oldest journals up to a batch, leaving twins of one id in the queue. */
  const take = (): Waiting[] => {
    const ids = new Set<string>();
    const taken: Waiting[] = [];
    const left: Waiting[] = [];
    for (const waiting of queue) {
      if (taken.length < most && !ids.has(waiting.journal.id)) {
        ids.add(waiting.journal.id);
        taken.push(waiting);
      } else left.push(waiting);
    }
    queue = left;
    return taken;
  };

  const run = async (): Promise<void> => {
    running = true;
    while (queue.length > 0) {
      // Callers that were just answered come back in this turn with their next journal.
      await new Promise((resolve) => setImmediate(resolve));
      await deliver(connection, take(), monotonicMs() + patience);
    }
    // In the same turn as the last look at the queue: whoever comes later starts anew.
    running = false;
  };

  return {
    post(journal) {
      if (closed || queue.length >= capacity) return Promise.reject(new Problem('unavailable'));
      try {
        assertJournal(journal);
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
      await connection.end();
    },
  };
}

/** Posts a batch until it is done or its time is over. A journal that the database can't take is found by halving. */
async function deliver(connection: Connection, batch: readonly Waiting[], deadline: number): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const statuses = await connection.post(batch.map(({ journal }) => journal));
      batch.forEach(({ resolve }, index) => resolve(statuses[index] as JournalStatus));
      return;
    } catch (error) {
      if (!isPassing(error)) return await isolate(connection, batch, deadline, error);
      log.warn('ledger writer retries', { attempt, journals: batch.length, error: String(error) });
      if (monotonicMs() > deadline) {
        for (const { reject } of batch) reject(new Problem('unavailable', { cause: error }));
        return;
      }
      await sleep(Math.min(20 * 2 ** attempt, 500));
    }
  }
}

async function isolate(connection: Connection, batch: readonly Waiting[], deadline: number, error: unknown) {
  if (batch.length === 1) return batch[0]?.reject(error);
  const half = batch.length >> 1;
  await deliver(connection, batch.slice(0, half), deadline);
  await deliver(connection, batch.slice(half), deadline);
}

// Data, constraint, syntax and program errors stay when tried again; all else (lost connection, deadlock, time-out,
// shutdown) passes. 23505 passes too: a twin from another process won the race and is found at the second look.
const LASTING = /^(?:22|23|42|0A|P0)/;

function isPassing(error: unknown): boolean {
  const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
  return code === '23505' || !LASTING.test(code);
}

interface Connection {
  post(journals: readonly Journal[]): Promise<JournalStatus[]>;
  end(): Promise<void>;
}

/** One connection at a time, made when needed and thrown away after any failure. */
function reconnecting({ url, name = 'kurs-ledger-writer' }: WriterOptions): Connection {
  let client: pg.Client | undefined;

  const connect = async (): Promise<pg.Client> => {
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
    return made;
  };

  return {
    async post(journals) {
      try {
        client ??= await connect();
        const values = argumentsOf(journals);
        const answer = await client.query<PostAnswer>({ ...POST, values });
        remember(journals);
        return statusesOf(answer.rows[0] as PostAnswer);
      } catch (error) {
        forget();
        const broken = client;
        client = undefined;
        broken?.end().catch(() => undefined);
        throw error;
      }
    },
    async end() {
      await client?.end();
      client = undefined;
    },
  };
}
