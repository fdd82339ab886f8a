// PostgreSQL through `pg`: SQL is written as SQL, and this file owns connections, transactions and time limits.
//
// budget: how long one call of `tx`, `rows`, `row` or `run` may take, waiting for a connection included.
//         It is kept by the client: a database that hangs can't be trusted to end a statement itself.

import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@kurs/contract';
import { monotonicMs } from '../base/clock.ts';
import { log } from '../base/log.ts';

export type Values = readonly unknown[];
/** `name` makes the statement a prepared one, parsed once per connection: for hot queries. */
export type StatementOptions = { name?: string };

/**
 * Anything that runs one statement. `numeric` and `bigint` come back as strings (`BigInt(row.amount)`),
 * `timestamptz` as Date, `jsonb` parsed. Throws `Problem('unavailable')` when the database is away, else the driver's error.
 */
export interface Statements {
  /** All rows of a statement. */
  rows<R>(sql: string, values?: Values, options?: StatementOptions): Promise<R[]>;
  /** The first row, or undefined. */
  row<R>(sql: string, values?: Values, options?: StatementOptions): Promise<R | undefined>;
  /** Runs a statement and gives the number of rows it touched. */
  run(sql: string, values?: Values, options?: StatementOptions): Promise<number>;
}

/** One open transaction. Statements that are asked for at once travel together and run in the order they were asked in. */
export interface Tx extends Statements {
  /** The database's clock, with the sandbox's offset, at the start of the transaction. */
  readonly now: Date;
  /** Notes a room leaves for itself within one transaction, for example "posted already". */
  readonly marks: Set<string>;
  /**
   * Sends a statement whose answer nobody needs, without waiting for it: statements after it see what it did, and where it
   * fails so does the transaction, with its error.
   */
  write(sql: string, values?: Values, options?: StatementOptions): void;
  /** Runs `work` once the commit has succeeded, in this process only: a hint, never the truth. */
  afterCommit(work: () => void): void;
  /**
   * Runs the last statement, with the commit in the same round trip, and gives its first row. Where it fails the transaction
   * has done nothing, or `mayBeCommitted`. Nothing can be asked after it, and an error of the work after it undoes nothing.
   */
  last<R>(sql: string, values: readonly string[], options: StatementOptions): Promise<R | undefined>;
}

export type TxOptions = {
  /** One frozen, read-only view of the whole database (REPEATABLE READ), for reports and checks. */
  snapshot?: boolean;
  /** Milliseconds; replaces the budget of the Db for this transaction. */
  budget?: number;
  /**
   * The commit doesn't wait for the disk: for what may be forgotten where the database's machine dies, as drafts may.
   * Whatever commits after it and does wait takes it along, so nothing that lasts ever stands on what was forgotten.
   */
  soft?: boolean;
};

export interface Db extends Statements {
  /** The address this Db was opened with. */
  readonly url: string;
  /**
   * Runs `work` between BEGIN (READ COMMITTED) and COMMIT; an error of `work` rolls back and is thrown on.
   * Deadlocks and serialisation failures run `work` again, three times at most, so `work` must have no effects
   * outside the transaction. A dead, refusing or hanging database is `Problem('unavailable')` within the budget.
   */
  tx<T>(work: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>;
  /** The database's clock with the sandbox's offset. */
  now(): Promise<Date>;
  /** Waits for running calls and closes the connections. */
  close(): Promise<void>;
}

export type DbOptions = {
  /** postgres://… */
  url: string;
  /** What the connections are called in pg_stat_activity. */
  name: string;
  /** Most connections; 10 by default. */
  max?: number;
  /** Milliseconds; 2 200 by default, so that a request is answered within 2.5 s. Workers take more. */
  budget?: number;
  /** Milliseconds of the budget within which a connection must be had: 2 000 by default. Tests wait longer for a busy machine. */
  connectMs?: number;
};

const ATTEMPTS = 4;
const LOCK_TIMEOUT_MS = 2_000;
/** More callers than this waiting for a connection: the rest is refused at once instead of queueing up. */
const WAITERS = 1_000;

/** Opens a database. It connects when it is first used. */
export function openDb({ url, name, max = 10, budget = 2_200, connectMs = 2_000 }: DbOptions): Db {
  const pool = openPool({ url, name, max, budget, connectMs });
  const statement = async (sql: string, values?: Values, options?: StatementOptions): Promise<pg.QueryResult> => {
    const session = new Session(await acquire(pool), monotonicMs() + budget);
    try {
      return await session.ask(sql, values, options);
    } finally {
      session.release();
    }
  };
  return {
    url,
    async tx(work, options = {}) {
      const deadline = monotonicMs() + (options.budget ?? budget);
      for (let attempt = 1; ; attempt++) {
        try {
          return await runOnce(pool, work, deadline, beginning(options));
        } catch (error) {
          if (!isConflict(error)) throw error;
          log.warn('a transaction conflicts with another one and is run again', { sqlstate: codeOf(error), tries: attempt });
          if (attempt === ATTEMPTS) throw unavailable(error);
          await sleep(attempt * 5 * (1 + Math.random()));
        }
      }
    },
    ...statements(statement),
    async now() {
      const result = await statement('select clock_now() as now', [], { name: 'platform.now' });
      return (result.rows[0] as { now: Date }).now;
    },
    close: () => pool.end(),
  };
}

function openPool({ url, name, max, budget, connectMs }: Required<DbOptions>): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: name,
    max,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: Math.min(budget, connectMs),
    lock_timeout: LOCK_TIMEOUT_MS,
    statement_timeout: budget + 300,
    idle_in_transaction_session_timeout: budget + 10_000,
    keepAlive: true,
    // Statements of one moment travel together. A statement that needs the answer of another one is sent after it.
    pipeline: true,
  });
  // Without listeners a broken connection would end the process. The pool's listener hears idle connections, the client's
  // hears borrowed ones, whose running statement fails anyway.
  pool.on('error', (error) => log.warn('database connection lost', { pool: name, error: error.message }));
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Borrows a connection. Throws `unavailable` if too many callers wait, or none is free in time. */
async function acquire(pool: pg.Pool): Promise<pg.PoolClient> {
  if (pool.waitingCount >= WAITERS) throw unavailable(new Error('too many callers wait for the database'));
  try {
    return await pool.connect();
  } catch (error) {
    throw unavailable(error);
  }
}

/** Borrows a connection and begins a transaction. A pooled connection may have died unnoticed: then it tries another one. */
async function begin(pool: pg.Pool, deadline: number, sql: string): Promise<{ session: Session; now: Date }> {
  for (let attempt = 1; ; attempt++) {
    const session = new Session(await acquire(pool), deadline);
    try {
      const results = (await session.ask(sql)) as unknown as pg.QueryResult<{ now: Date }>[];
      return { session, now: results.at(-1)!.rows[0]!.now };
    } catch (error) {
      session.release();
      if (attempt === 2 || !session.broken || monotonicMs() > deadline - 1_000) throw error;
    }
  }
}

/** Runs a transaction without repeating it, then the effects that wait for its commit. */
async function runOnce<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>, deadline: number, sql: string): Promise<T> {
  const { session, now } = await begin(pool, deadline, sql);
  const committed: (() => void)[] = [];
  try {
    const result = await work(transaction(session, now, committed));
    await session.commit();
    for (const effect of committed) effect();
    return result;
  } catch (error) {
    await session.rollback();
    throw session.causeOf(error);
  } finally {
    session.release();
  }
}

/** In the `from` of a statement that is a transaction of its own: its commit is soft. */
export const SOFT = `set_config('synchronous_commit', 'off', true)`;

/** What opens a transaction, in one round trip; the last statement tells its time. */
function beginning({ snapshot, budget, soft }: TxOptions): string {
  const begin = snapshot ? 'begin isolation level repeatable read read only' : 'begin';
  const limit = budget === undefined ? '' : `set local statement_timeout = ${Math.ceil(budget) + 300}; `;
  const wait = soft ? 'set local synchronous_commit = off; ' : '';
  return `${begin}; ${limit}${wait}select clock_now() as now`;
}

type Ask = (sql: string, values?: Values, options?: StatementOptions) => Promise<pg.QueryResult>;

function statements(ask: Ask): Statements {
  return {
    rows: async <R>(sql: string, values?: Values, options?: StatementOptions) => (await ask(sql, values, options)).rows as R[],
    row: async <R>(sql: string, values?: Values, options?: StatementOptions) =>
      (await ask(sql, values, options)).rows[0] as R | undefined,
    run: async (sql, values, options) => (await ask(sql, values, options)).rowCount ?? 0,
  };
}

function transaction(session: Session, now: Date, committed: (() => void)[]): Tx {
  return {
    now,
    marks: new Set(),
    afterCommit: (work) => void committed.push(work),
    write: (sql, values, options) => session.write(sql, values, options),
    ...statements((sql, values, options) => session.ask(sql, values, options)),
    last: async <R>(sql: string, values: readonly string[], options: StatementOptions) =>
      (await session.last(sql, values, options)).rows[0] as R | undefined,
  };
}

const doubtful = new WeakSet<object>();

/** Whether a transaction that failed with this may be committed all the same: its connection was lost on the way to its end. */
export const mayBeCommitted = (error: unknown): boolean => typeof error === 'object' && error !== null && doubtful.has(error);

/** One borrowed connection with the time it may still take. */
class Session {
  readonly client: pg.PoolClient;
  readonly #deadline: number;
  /** The connection's state is unknown; it is thrown away instead of being used again. */
  broken = false;
  #failed = false;
  /** The transaction is over: committed, or rolled back in its place. */
  #isOver = false;
  readonly #writes: Promise<unknown>[] = [];
  /** What the first write that failed has failed with. */
  #wrong: unknown;

  constructor(client: pg.PoolClient, deadline: number) {
    this.client = client;
    this.#deadline = deadline;
  }

  async ask(sql: string, values?: Values, options?: StatementOptions): Promise<pg.QueryResult> {
    if (this.#isOver) throw new Error('the transaction is over');
    const left = this.#deadline - monotonicMs();
    if (left <= 0) throw unavailable(new Error('the time for this transaction is over'));
    try {
      // `query_timeout` is per statement in pg, though its types don't say so.
      const query = { text: sql, ...(values && { values: [...values] }), ...options, query_timeout: Math.ceil(left) };
      holdBack(this.client);
      return await this.client.query(query);
    } catch (error) {
      this.#failed = true;
      if (isLostConnection(error)) this.broken = true;
      throw this.broken || isOverload(error) ? unavailable(error) : error;
    }
  }

  /** Sends a statement and doesn't wait for it: `commit` does. */
  write(sql: string, values?: Values, options?: StatementOptions): void {
    if (this.#isOver) throw new Error('the transaction is over');
    const writing = this.ask(sql, values, options).catch((error: unknown) => void (this.#wrong ??= error));
    this.#writes.push(writing);
  }

  /** A write that failed has every statement after it refused: then its error is the one to tell. */
  causeOf(error: unknown): unknown {
    return codeOf(error) === IN_FAILED && this.#wrong !== undefined ? this.#wrong : error;
  }

  /** Commits, unless `last` has, together with what was written and not waited for. */
  async commit(): Promise<void> {
    if (this.#isOver) return;
    try {
      const [{ command }] = await Promise.all([this.ask('commit'), ...this.#writes]);
      if (this.#wrong !== undefined) throw this.#wrong;
      this.#isOver = true;
      // A failed statement whose error the work swallowed turns COMMIT into ROLLBACK without an error.
      if (command !== 'COMMIT') throw new Error('the transaction had failed before its commit');
    } catch (error) {
      if (this.broken) doubtful.add(error as object);
      throw error;
    }
  }

  /** Runs the last statement and commits in one round trip. */
  async last(sql: string, values: readonly string[], options: StatementOptions): Promise<pg.QueryResult> {
    const [said, end] = await Promise.allSettled([this.ask(sql, values, options), this.commit()]);
    if (said.status === 'fulfilled' && end.status === 'fulfilled') return said.value;
    const { reason } = said.status === 'rejected' ? said : (end as PromiseRejectedResult);
    // A statement that was refused takes the commit with it; what became of one that was not answered nobody knows.
    if (this.broken && !(reason instanceof pg.DatabaseError)) doubtful.add(reason as object);
    throw this.causeOf(reason);
  }

  async rollback(): Promise<void> {
    if (this.broken || this.#isOver) return;
    try {
      await this.client.query({ text: 'rollback', query_timeout: 300 } as pg.QueryConfig);
    } catch {
      this.broken = true;
    }
  }

  release(): void {
    this.client.release(this.broken && this.#failed);
  }
}

/** Connections whose statements of this moment are held back. */
const heldBack = new WeakSet<object>();

/** What is asked of a connection at one moment leaves in one write: each would wake the server by itself. */
function holdBack(client: pg.PoolClient): void {
  if (heldBack.has(client)) return;
  const { stream } = client.connection;
  heldBack.add(client);
  stream.cork();
  process.nextTick(() => {
    heldBack.delete(client);
    stream.uncork();
  });
}

const IN_FAILED = '25P02';
const CONFLICTS = new Set(['40001', '40P01']);
// Too many connections, out of memory or disk, lock or statement timeout, shutting down, starting up.
const OVERLOADS = /^(53...|55P03|57014|57P0[1-5]|25P0[34]|58030)$/;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Is it a deadlock or serialisation failure, after which the same transaction may succeed? */
export const isConflict = (error: unknown): boolean => CONFLICTS.has(codeOf(error));

/** Is it a violated unique constraint (of that name, when given)? */
export function isDuplicate(error: unknown, constraint?: string): boolean {
  return codeOf(error) === '23505' && (constraint === undefined || (error as pg.DatabaseError).constraint === constraint);
}

const isOverload = (error: unknown): boolean => OVERLOADS.test(codeOf(error));

/** An error that isn't the server's answer (no five-character SQLSTATE), or one that ends the connection. */
function isLostConnection(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return error instanceof Error && !(error instanceof TypeError);
  return error.severity === 'FATAL' || error.severity === 'PANIC' || codeOf(error).startsWith('08');
}

function unavailable(cause: unknown): Problem {
  return cause instanceof Problem ? cause : new Problem('unavailable', { cause });
}
