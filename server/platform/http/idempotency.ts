// Idempotency-Key: a repeated call has its effect once and gets the same bytes again.
//
// A row claims the key before the work begins and holds the answer after it. Answers may hold secrets of the caller
// (an order's token), so they are sealed with the server's key. What failed for the caller's own reason (4xx) had no
// effect and is forgotten; what ended unclear (5xx, a killed process) is worked on again, with `repeated` set, where
// the room's own uniqueness decides: a calculation gives one order.

import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@kurs/contract';
import { monotonicMs } from '../base/clock.ts';
import { type Db, SOFT } from '../db/db.ts';
import type { Sealer } from '../secrets/secrets.ts';

export type KeyedCall = {
  /** Whose key it is and for what: keys of different callers or calls never meet. */
  scope: string;
  key: string;
  /** What is asked, for noticing the same key with another request. */
  request: unknown;
};

/** Runs each keyed call once; gives its answer, or the first one's when it is a repetition. */
export type Once = (call: KeyedCall, work: (repeated: boolean) => Promise<string>) => Promise<string>;

const WAIT_MS = 2_000;
/** A claim older than this belongs to a process that died: calls are answered or given up long before. */
const LEASE_SECONDS = 5;
const KEEP_DAYS = 7;

type Row = { request_hash: Buffer; answer: Buffer | null; stale: boolean };

/** Opens the record of keyed calls over a database. */
export function openIdempotency(db: Db, sealer: Sealer): Once {
  /** Calls in work in this process, so that their twins wait for them instead of asking the database. */
  const working = new Map<string, { hash: Buffer; answer: Promise<string | undefined> }>();

  return async function once(call, work) {
    const hash = createHash('sha256').update(canonical(call.request)).digest();
    const place = JSON.stringify([call.scope, call.key]);
    const deadline = monotonicMs() + WAIT_MS;
    while (monotonicMs() < deadline) {
      const twin = working.get(place);
      if (twin && !twin.hash.equals(hash)) throw new Problem('idempotency_mismatch');
      const answer = twin ? await within(deadline, twin.answer) : await begin(place, hash, call, work);
      if (answer !== undefined) return answer;
      await sleep(50);
    }
    throw new Problem('idempotency_in_flight', { retryAfter: 1 });
  };

  async function begin(place: string, hash: Buffer, call: KeyedCall, work: Parameters<Once>[1]): Promise<string | undefined> {
    const answer = attempt(db, sealer, call, hash, work);
    working.set(place, { hash, answer });
    return answer.finally(() => working.delete(place));
  }
}

/** The answer, or undefined when it takes longer. */
async function within<T>(deadline: number, answer: Promise<T>): Promise<T | undefined> {
  const late = new AbortController();
  const wait = sleep(Math.max(0, deadline - monotonicMs()), undefined, { signal: late.signal }).catch(() => undefined);
  return Promise.race([answer, wait]).finally(() => late.abort());
}

/** One look at the row: does the work, or gives the stored answer, or undefined while another process works on it. */
async function attempt(
  db: Db,
  sealer: Sealer,
  { scope, key }: KeyedCall,
  hash: Buffer,
  work: (repeated: boolean) => Promise<string>,
): Promise<string | undefined> {
  if (await claim(db, scope, key, hash)) return perform(db, sealer, scope, key, () => work(false));
  const row = await db.row<Row>(FIND, [scope, key, LEASE_SECONDS], { name: 'idempotency.find' });
  if (!row) return undefined;
  if (!row.request_hash.equals(hash)) throw new Problem('idempotency_mismatch');
  if (row.answer) return sealer.open(row.answer).toString('utf8');
  if (!row.stale) return undefined;
  const taken = await db.run(TAKE_OVER, [scope, key, LEASE_SECONDS], { name: 'idempotency.take_over' });
  return taken > 0 ? perform(db, sealer, scope, key, () => work(true)) : undefined;
}

async function perform(db: Db, sealer: Sealer, scope: string, key: string, work: () => Promise<string>): Promise<string> {
  let answer: string;
  try {
    answer = await work();
  } catch (error) {
    const hadNoEffect = error instanceof Problem && error.status < 500;
    const end = hadNoEffect
      ? 'delete from idempotency where scope = $1 and key = $2'
      : `update idempotency set claimed_at = '-infinity' where scope = $1 and key = $2`;
    // When this fails too, the claim's lease ends by itself.
    await db.run(end, [scope, key]).catch(() => {});
    throw error;
  }
  await db.run(STORE, [scope, key, sealer.seal(Buffer.from(answer))], { name: 'idempotency.store' });
  return answer;
}

async function claim(db: Db, scope: string, key: string, hash: Buffer): Promise<boolean> {
  return (await db.run(CLAIM, [scope, key, hash], { name: 'idempotency.claim' })) > 0;
}

/** Forgets answers after 7 days (of real time); gives how many. */
export function forgetAnswers(db: Db): Promise<number> {
  return db.run(`delete from idempotency where at < now() - $1 * interval '1 day'`, [KEEP_DAYS]);
}

/** JSON with sorted keys: the same request, however its fields are ordered. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

// Neither a claim nor an answer waits for the disk. What the work commits does and takes its claim along; an answer that a
// dying machine forgets is one that a killed process never stored.
// Leases are of real time: a moved sandbox clock must not end them.
const CLAIM = `
  insert into idempotency (scope, key, request_hash, claimed_at, at)
  select $1::text, $2::text, $3::bytea, clock_timestamp(), now() from ${SOFT} on conflict do nothing`;
const FIND = `
  select request_hash, answer, claimed_at < clock_timestamp() - $3 * interval '1 second' as stale
  from idempotency where scope = $1 and key = $2`;
const TAKE_OVER = `
  update idempotency set claimed_at = clock_timestamp()
  where scope = $1 and key = $2 and answer is null and claimed_at < clock_timestamp() - $3 * interval '1 second'`;
const STORE = `update idempotency set answer = $3 from ${SOFT} where scope = $1 and key = $2`;
