// Idempotency-Key: a repeated call has its effect once and gets the same bytes again.
//
// A row claims the key before the handler runs, and holds the answer after it. Answers may hold secrets of the caller (an order's
// token), so they are sealed with the server's key. A call that failed for the caller's reasons (4xx) had no effect: its key is
// free again. A call with an unclear end (5xx, a killed process) runs again, with `isRepeated` set; then the room's own uniqueness
// decides: a calculation gives one order. A room may also store the answer in the transaction of its change: then
// everything done has its answer, however this process ends.
//
// Claims of the same moment share one statement, and so do answers.

import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@kurs/contract';
import { monotonicMs } from '../base/clock.ts';
import { gather } from '../base/gather.ts';
import { type Db, SOFT, type Statements } from '../db/db.ts';
import { type Sealer, Unopened } from '../secrets/secrets.ts';
import { log } from '../base/log.ts';

export type KeyedCall = {
  /** Owner and call of the key: keys of different callers or calls never collide. */
  scope: string;
  key: string;
  /** The request, to detect the same key with another request. */
  request: unknown;
};

/** An answer as stored under the key of its call, sealed. */
export interface StoredAnswer {
  readonly scope: string;
  readonly key: string;
  readonly answer: Buffer;
}

/**
 * Handler of a keyed call. Its second argument converts an answer into the stored form, for handlers that store it in their own
 * transaction.
 */
export type KeyedWork = (isRepeated: boolean, stored: (answer: string) => StoredAnswer) => Promise<string>;

/** Runs each keyed call once; returns its answer, or the first call's answer for a repetition. */
export type Once = (call: KeyedCall, work: KeyedWork) => Promise<string>;

const WAIT_MS = 2_000;
/** Age from which a claim belongs to a process that died, in seconds: calls are answered or given up long before. */
const LEASE_SECONDS = 5;
const RETENTION_DAYS = 7;

type KeyedRow = { request_hash: Buffer; answer: Buffer | null; is_stale: boolean };

/** Operations on the record of keyed calls. */
interface KeyedRecord {
  /** Claims a key; returns false if it is taken. */
  readonly claim: (claim: Claim) => Promise<boolean>;
  readonly store: (stored: StoredAnswer) => Promise<void>;
  readonly db: Db;
  readonly sealer: Sealer;
}

type Claim = Pick<KeyedCall, 'scope' | 'key'> & { readonly hash: Buffer };

/** Opens the record of keyed calls over a database. */
export function openIdempotency(db: Db, sealer: Sealer): Once {
  const record: KeyedRecord = {
    db,
    sealer,
    claim: gather((claims: readonly Claim[]) => claimAll(db, claims)),
    store: gather(async (stored: readonly StoredAnswer[]) => {
      await db.run(`${STORE_ANSWER}, ${SOFT} ${THEIRS}`, valuesOf(stored), { name: 'idempotency.store' });
      return stored.map(() => undefined);
    }),
  };
  /** Running calls of this process. Their duplicates wait for them instead of querying the database. */
  const working = new Map<string, { hash: Buffer; answer: Promise<string | undefined> }>();

  return async function once(call, work) {
    const hash = createHash('sha256').update(canonical(call.request)).digest();
    const place = JSON.stringify([call.scope, call.key]);
    const deadline = monotonicMs() + WAIT_MS;
    while (monotonicMs() < deadline) {
      const duplicate = working.get(place);
      if (duplicate && !duplicate.hash.equals(hash)) throw new Problem('idempotency_mismatch');
      const answer = duplicate ? await within(deadline, duplicate.answer) : await begin(place, hash, call, work);
      if (answer !== undefined) return answer;
      await sleep(50);
    }
    throw new Problem('idempotency_in_flight', { retryAfter: 1 });
  };

  async function begin(place: string, hash: Buffer, call: KeyedCall, work: KeyedWork): Promise<string | undefined> {
    const answer = attempt(record, call, hash, work);
    working.set(place, { hash, answer });
    return answer.finally(() => working.delete(place));
  }
}

/** Returns the answer, or undefined after the deadline. */
async function within<T>(deadline: number, answer: Promise<T>): Promise<T | undefined> {
  const late = new AbortController();
  const wait = sleep(Math.max(0, deadline - monotonicMs()), undefined, { signal: late.signal }).catch(() => undefined);
  return Promise.race([answer, wait]).finally(() => late.abort());
}

/** Checks the row once: runs the handler, or returns the stored answer, or undefined while another process runs the call. */
async function attempt(
  record: KeyedRecord,
  { scope, key }: KeyedCall,
  hash: Buffer,
  work: KeyedWork,
): Promise<string | undefined> {
  const { db, sealer } = record;
  if (await record.claim({ scope, key, hash })) return perform(record, { scope, key, hash }, work, false);
  const row = await db.row<KeyedRow>(FIND, [scope, key, LEASE_SECONDS], { name: 'idempotency.find' });
  if (!row) return undefined;
  if (!row.request_hash.equals(hash)) throw new Problem('idempotency_mismatch');
  if (row.answer) return openedAnswer(sealer, row.answer, { scope, key, hash });
  if (!row.is_stale) return undefined;
  const taken = await db.run(TAKE_OVER, [scope, key, LEASE_SECONDS], { name: 'idempotency.take_over' });
  return taken > 0 ? perform(record, { scope, key, hash }, work, true) : undefined;
}

/** Identity that an answer is sealed to: moved to another caller's key or another request, it can't be opened. */
const rowOf = ({ scope, key, hash }: Claim): string[] => ['idempotency', scope, key, hash.toString('hex')];

/** Opens a stored answer. Throws `record_altered`, with an alarm, for one that belongs to another row. */
function openedAnswer(sealer: Sealer, answer: Buffer, claim: Claim): string {
  try {
    return sealer.open(answer, rowOf(claim)).toString('utf8');
  } catch (cause) {
    if (!(cause instanceof Unopened)) throw cause;
    log.alarm('a stored answer can’t be opened: its row was changed, or a key of the server is missing', { scope: claim.scope });
    throw new Problem('record_altered', { cause });
  }
}

async function perform(
  { db, sealer, store }: KeyedRecord,
  { scope, key, hash }: Claim,
  work: KeyedWork,
  isRepeated: boolean,
): Promise<string> {
  const sealed = (text: string): StoredAnswer => ({
    scope,
    key,
    answer: sealer.seal(Buffer.from(text), rowOf({ scope, key, hash })),
  });
  let answer: string;
  /** Answer that the handler's own transaction has stored. */
  let stored: string | undefined;
  try {
    answer = await work(isRepeated, (text) => {
      stored = text;
      return sealed(text);
    });
  } catch (error) {
    const hadNoEffect = error instanceof Problem && error.status < 500;
    const end = hadNoEffect
      ? 'delete from idempotency where scope = $1 and key = $2'
      : `update idempotency set claimed_at = '-infinity' where scope = $1 and key = $2`;
    // If this fails too, the claim expires.
    await db.run(end, [scope, key]).catch(() => {});
    throw error;
  }
  if (answer !== stored) await store(sealed(answer));
  return answer;
}

async function claimAll(db: Db, claims: readonly Claim[]): Promise<boolean[]> {
  const values = [claims.map(({ scope }) => scope), claims.map(({ key }) => key), claims.map(({ hash }) => hash)];
  const rows = await db.rows<{ place: number }>(CLAIM, values, { name: 'idempotency.claim' });
  const claimed = new Set(rows.map(({ place }) => place));
  return claims.map((_, at) => claimed.has(at + 1));
}

const valuesOf = (stored: readonly StoredAnswer[]): unknown[] => [
  stored.map(({ scope }) => scope),
  stored.map(({ key }) => key),
  stored.map(({ answer }) => answer),
];

/**
 * Stores answers in the transaction of the changes that they report: a repeated call gets its answer even if the process died
 * after the commit.
 */
export async function storeAnswers(tx: Statements, stored: readonly StoredAnswer[]): Promise<void> {
  if (stored.length > 0) await tx.run(`${STORE_ANSWER} ${THEIRS}`, valuesOf(stored), { name: 'idempotency.keep' });
}

/** Deletes answers after 7 days of real time and returns their number. */
export function forgetAnswers(db: Db): Promise<number> {
  return db.run(`delete from idempotency where at < now() - $1 * interval '1 day'`, [RETENTION_DAYS]);
}

/** Returns JSON with sorted keys, so that the order of fields doesn't matter. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

// Neither claims nor answers wait for the disk. The handler's commit does, and saves its claim too. An answer that a crash of the
// database's machine loses counts like one that a killed process never stored.
//
// Leases use real time: moving the sandbox's clock must not end them. Claims are inserted in order, so that two processes never
// wait for each other; positions tell which were claimed.
const CLAIM = `
  with given as (
    select * from unnest($1::text[], $2::text[], $3::bytea[]) with ordinality as given (scope, key, hash, place)
  ), claimed as (
    insert into idempotency (scope, key, request_hash, claimed_at, at)
    select scope, key, hash, clock_timestamp(), now() from given, ${SOFT} order by scope, key on conflict do nothing
    returning scope, key
  )
  select place::int from given join claimed using (scope, key)`;
const FIND = `
  select request_hash, answer, claimed_at < clock_timestamp() - $3 * interval '1 second' as is_stale
  from idempotency where scope = $1 and key = $2`;
const TAKE_OVER = `
  update idempotency set claimed_at = clock_timestamp()
  where scope = $1 and key = $2 and answer is null and claimed_at < clock_timestamp() - $3 * interval '1 second'`;
const STORE_ANSWER = `update idempotency kept set answer = given.answer
  from unnest($1::text[], $2::text[], $3::bytea[]) as given (scope, key, answer)`;
const THEIRS = 'where kept.scope = given.scope and kept.key = given.key';
