// Exclusive rights, each held by one process at a time, such as the right to be the signer of a database. The right is an
// advisory lock of a database session, so it ends with the session.

import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../base/clock.ts';
import { ConfigError } from '../base/config.ts';
import { log } from '../base/log.ts';

/** An exclusive right that this process holds or waits for. */
export interface Alone {
  /** True if this process holds the right now. False while the database doesn't answer, since the lock may be lost. */
  isHeld(): boolean;
  stop(): Promise<void>;
}

const AGAIN_MS = 500;
/** SQL: TCP keepalive settings. If the machine of this process crashes, the server ends the session after about 25 seconds. */
const KEEPALIVE = `set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3`;

/**
 * Acquires the right `name`, and acquires it again after each lost connection. If the database doesn't answer, returns at once
 * and retries in the background. Throws a `ConfigError` if another process holds the right for longer than `patienceMs`.
 */
export async function holdAlone(url: string, name: string, patienceMs: number): Promise<Alone> {
  let held: pg.Client | undefined;
  let isStopped = false;
  const lose = (client: pg.Client): void => {
    if (held === client) held = undefined;
  };
  /** Returns true if the right was acquired, false if another process holds it. Throws if the database does not answer. */
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
  const store = async (): Promise<void> => {
    let isReported = false;
    while (!isStopped) {
      const isOthers = held === undefined && !(await take().catch(() => true));
      if (isOthers && !isReported) log.alarm('another process holds an exclusive right', { name });
      isReported = isOthers;
      await sleep(AGAIN_MS, undefined, { ref: false });
    }
  };
  await begin(take, name, patienceMs);
  void store();
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
      log.warn('the database does not answer: this process waits for it', { name, error });
      return true;
    });
    if (taken) return;
    if (monotonicMs() > until) throw new ConfigError(`Another ${name} uses this database, and only one may.`);
    await sleep(AGAIN_MS);
  }
}
