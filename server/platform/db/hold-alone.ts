// A right over a database that one process at a time has: its session holds an advisory lock, which ends with the session.

import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../base/clock.ts';
import { ConfigError } from '../base/config.ts';
import { log } from '../base/log.ts';

/** A right that this process has, or waits for. */
export interface Alone {
  /** Whether it has it now. Without the database nobody knows, so it has not. */
  isHeld(): boolean;
  stop(): Promise<void>;
}

const AGAIN_MS = 500;
/** A machine that is gone without a word gives its session back after about 25 seconds. */
const KEEPALIVE = `set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3`;

/**
 * Takes the right named `name` and keeps it, anew after each lost connection. Begins without it where the database does not
 * answer. Throws a ConfigError where another process has it for longer than `patienceMs`.
 */
export async function holdAlone(url: string, name: string, patienceMs: number): Promise<Alone> {
  let held: pg.Client | undefined;
  let isStopped = false;
  const lose = (client: pg.Client): void => {
    if (held === client) held = undefined;
  };
  /** Whether the right was taken; false where another has it. Throws where the database does not answer. */
  const take = async (): Promise<boolean> => {
    const client = new pg.Client({
      connectionString: url,
      application_name: name,
      keepAlive: true,
      connectionTimeoutMillis: 2_000,
    });
    client.on('error', () => lose(client)).on('end', () => lose(client));
    try {
      await client.connect();
      await client.query(KEEPALIVE);
      const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock(hashtextextended($1, 0)) as taken', [
        name,
      ]);
      if (rows[0]?.taken && !isStopped) {
        held = client;
        return true;
      }
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
    await client.end();
    return false;
  };
  const keep = async (): Promise<void> => {
    let isTold = false;
    while (!isStopped) {
      const isOthers = held === undefined && !(await take().catch(() => true));
      if (isOthers && !isTold) log.alarm('another process has what one alone may have', { name });
      isTold = isOthers;
      await sleep(AGAIN_MS, undefined, { ref: false });
    }
  };
  await begin(take, name, patienceMs);
  void keep();
  return {
    isHeld: () => held !== undefined,
    async stop() {
      isStopped = true;
      await held?.end();
    },
  };
}

async function begin(take: () => Promise<boolean>, name: string, patienceMs: number): Promise<void> {
  const until = monotonicMs() + patienceMs;
  for (;;) {
    const taken = await take().catch((error: unknown) => {
      log.warn('the database does not answer: nothing is done before it does', { name, error });
      return true;
    });
    if (taken) return;
    if (monotonicMs() > until) throw new ConfigError(`Another ${name} works over this database, and only one may.`);
    await sleep(AGAIN_MS);
  }
}
