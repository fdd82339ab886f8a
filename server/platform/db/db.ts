// Access to PostgreSQL through `pg`: connections, transactions and time limits. Rooms write their statements in SQL.
//
// Budget: maximum time of one call of `tx`, `rows`, `row` or `run`, including the wait for a connection. The client enforces
// the budget, since a hanging database might never end a statement.

import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@kurs/contract';
import { monotonicMs } from '../base/clock.ts';
import { log } from '../base/log.ts';

export type Values = readonly unknown[];
/** Options of a statement. `name` makes a prepared statement, which is parsed once per connection: for frequent queries. */
export type StatementOptions = { name?: string };

/**
 * Runs single statements. `numeric` and `bigint` come back as strings (`BigInt(row.amount)`), `timestamptz` as Date, `jsonb`
 * parsed. Throws `Problem('unavailable')` if the database is unavailable, else the driver's error.
 */
export interface Statements {
  /** Returns all rows of a statement. */
  rows<R>(sql: string, values?: Values, options?: StatementOptions): Promise<R[]>;
  /** Returns the first row of a statement's result; undefined if there is none. */
  row<R>(sql: string, values?: Values, options?: StatementOptions): Promise<R | undefined>;
  /** Runs a statement and returns the number of affected rows. */
  run(sql: string, values?: Values, options?: StatementOptions): Promise<number>;
}

/**
 * One open transaction. Statements that are sent at the same moment share one network packet, and run in the order of sending.
 */
export interface Tx extends Statements {
  /** The database's clock, with the sandbox's offset, at the start of the transaction. */
  readonly now: Date;
  /** Marks that rooms set for the rest of the transaction, for example after posting. */
  readonly marks: Set<string>;
  /**
   * Sends a statement without waiting for its result. Later statements see its effect. If the statement fails, so does the
   * transaction, with the statement's error.
   */
  write(sql: string, values?: Values, options?: StatementOptions): void;
  /**
   * Runs `work` in this process after a successful commit. A crash may prevent the run, so use `afterCommit` only for hints.
   */
  afterCommit(work: () => void): void;
  /**
   * Runs the last statement and the commit in one round trip, and returns the statement's first row. After an error the
   * transaction has had no effect, unless `mayBeCommitted(error)` is true. No statement may follow. If the caller throws later,
   * nothing is rolled back.
   */
  last<R>(sql: string, values: readonly string[], options: StatementOptions): Promise<R | undefined>;
}

export type TxOptions = {
  /**
   * True for a read-only transaction that sees one consistent state of the whole database (REPEATABLE READ), for reports and
   * checks.
   */
  isSnapshot?: boolean;
  /** Time limit of this transaction, in ms; by default the budget of the Db. */
  budget?: number;
  /**
   * True if the commit need not wait for the disk. For data that may be lost when the database's machine crashes, such as
   * drafts. A later commit that waits for the disk makes this data durable, too, so durable data never depends on lost data.
   */
  isSoft?: boolean;
};

export interface Db extends Statements {
  /** Address of the database. */
  readonly url: string;
  /**
   * Runs `work` between BEGIN (READ COMMITTED) and COMMIT. If `work` throws, the transaction is rolled back and the error
   * rethrown. After a deadlock or a serialisation failure `work` runs again, three times at most, so it must have no effects
   * outside the transaction. Throws `Problem('unavailable')` within the budget if the database is down, overloaded or hangs.
   */
  tx<T>(work: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>;
  /** Returns the time of the database, with the sandbox's offset. */
  now(): Promise<Date>;
  /** Waits for running calls and closes the connections. */
  close(): Promise<void>;
}

export type DbOptions = {
  /** Address of the database: postgres://… */
  url: string;
  /** Name of the connections in pg_stat_activity. */
  name: string;
  /** Maximum number of connections; 10 by default. */
  max?: number;
  /** Budget in ms; 2 200 by default, so that a request is answered within 2.5 s. Workers use more. */
  budget?: number;
  /** Maximum wait for a connection, in ms; 2 000 by default. Tests wait longer on a busy machine. */
  connectMs?: number;
};

const ATTEMPTS = 4;
const LOCK_TIMEOUT_MS = 2_000;
/** Maximum number of callers that may wait for a connection. Further callers are refused immediately. */
const WAITERS = 1_000;

/** Opens a database. The first connection is made with the first statement. */
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
    // Sends concurrent statements without waiting for the result of one before sending the next.
    pipeline: true,
  });
  // Without these listeners, an error of a broken connection would end the process. The pool reports errors of idle connections.
  // Errors of borrowed connections need no report, since their running statements fail.
  pool.on('error', (error) => log.warn('database connection lost', { pool: name, error: error.message }));
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Borrows a connection from the pool. Throws `unavailable` if too many callers wait, or if no connection is free in time. */
async function acquire(pool: pg.Pool): Promise<pg.PoolClient> {
  if (pool.waitingCount >= WAITERS) throw unavailable(new Error('too many callers wait for the database'));
  try {
    return await pool.connect();
  } catch (error) {
    throw unavailable(error);
  }
}

/**
 * Borrows a connection and begins a transaction. A pooled connection may have died unnoticed, so a lost connection is replaced
 * once.
 */
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

/** Runs a transaction once, without retries, and then the work that it passed to `afterCommit`. */
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

/**
 * SQL: lets the commit return before the data is on the disk (`TxOptions.isSoft`). For the `from` clause of a statement outside
 * a transaction.
 */
export const SOFT = `set_config('synchronous_commit', 'off', true)`;

/** Returns the SQL that begins a transaction in one round trip. Its last statement returns the database's time. */
function beginning({ isSnapshot, budget, isSoft }: TxOptions): string {
  const begin = isSnapshot ? 'begin isolation level repeatable read read only' : 'begin';
  const limit = budget === undefined ? '' : `set local statement_timeout = ${Math.ceil(budget) + 300}; `;
  const wait = isSoft ? 'set local synchronous_commit = off; ' : '';
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

/** True if the transaction that failed with this error may have been committed: its connection was lost during the commit. */
export const mayBeCommitted = (error: unknown): boolean => typeof error === 'object' && error !== null && doubtful.has(error);

/** A borrowed connection, with the deadline by which its caller needs the result. */
class Session {
  readonly client: pg.PoolClient;
  readonly #deadline: number;
  /** True if the connection was lost. Then the connection is closed instead of being used again. */
  broken = false;
  #failed = false;
  /** True once the transaction is over: committed or rolled back. */
  #isOver = false;
  readonly #writes: Promise<unknown>[] = [];
  /** Error of the first failed `write`. */
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
      // `pg` supports `query_timeout` per statement, though its types don't declare it.
      const query = { text: sql, ...(values && { values: [...values] }), ...options, query_timeout: Math.ceil(left) };
      holdBack(this.client);
      return await this.client.query(query);
    } catch (error) {
      this.#failed = true;
      if (isLostConnection(error)) this.broken = true;
      throw this.broken || isOverload(error) ? unavailable(error) : error;
    }
  }

  /** Sends a statement without waiting for it; `commit` waits. */
  write(sql: string, values?: Values, options?: StatementOptions): void {
    if (this.#isOver) throw new Error('the transaction is over');
    const writing = this.ask(sql, values, options).catch((error: unknown) => void (this.#wrong ??= error));
    this.#writes.push(writing);
  }

  /**
   * Returns the cause of an error. After a failed `write` the server refuses all later statements; their cause is the error of
   * `write`.
   */
  causeOf(error: unknown): unknown {
    return codeOf(error) === IN_FAILED && this.#wrong !== undefined ? this.#wrong : error;
  }

  /** Waits for all writes and commits. Does nothing if `last` has committed. */
  async commit(): Promise<void> {
    if (this.#isOver) return;
    try {
      const [{ command }] = await Promise.all([this.ask('commit'), ...this.#writes]);
      if (this.#wrong !== undefined) throw this.#wrong;
      this.#isOver = true;
      // If the caller ignored a statement's error, the server answers COMMIT with a rollback, and reports no error.
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
    // If the server refused the statement, COMMIT rolled back. If the connection was lost before an answer, the outcome is
    // unknown.
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

/** Connections whose statements are buffered until the end of the current tick. */
const heldBack = new WeakSet<object>();

/** Sends the statements of the current tick together. Sent separately, each statement would wake the server. */
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
// SQLSTATEs of an overloaded server: too many connections, out of memory or disk, lock or statement timeout, shutdown, startup.
const OVERLOADS = /^(53...|55P03|57014|57P0[1-5]|25P0[34]|58030)$/;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** True for a deadlock or a serialisation failure, after which the same transaction may succeed. */
export const isConflict = (error: unknown): boolean => CONFLICTS.has(codeOf(error));

/** True for a violated unique constraint: any constraint, or the given one. */
export function isDuplicate(error: unknown, constraint?: string): boolean {
  return codeOf(error) === '23505' && (constraint === undefined || (error as pg.DatabaseError).constraint === constraint);
}

const isOverload = (error: unknown): boolean => OVERLOADS.test(codeOf(error));

/**
 * True for an error of the connection (it has no five-character SQLSTATE), and for an error of the server that ends the
 * connection.
 */
function isLostConnection(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return error instanceof Error && !(error instanceof TypeError);
  return error.severity === 'FATAL' || error.severity === 'PANIC' || codeOf(error).startsWith('08');
}

function unavailable(cause: unknown): Problem {
  return cause instanceof Problem ? cause : new Problem('unavailable', { cause });
}
