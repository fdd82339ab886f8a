// Idempotency-Keys: calls with the same key have their effect once, and all get the same bytes as their answer.
//
// Before the handler runs, a row for the key is inserted (a claim), in which the answer is stored later. Answers may contain
// the caller's secrets (an order's token), so they are sealed with the server's key. A call that failed for the caller's
// reasons (4xx) had no effect: its row is deleted. A call with an unknown outcome (5xx, a killed process) runs again with
// `isRepeated` set. Then unique constraints in the room's own tables prevent a second effect: one calculation gives one order.
// A room may also store the answer in the transaction of its change. Then every change has a stored answer, even if the process
// is killed.
//
// Concurrent claims share one statement. Concurrent answers share another.

import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@kurs/contract';
import { monotonicMs } from '../base/clock.ts';
import { gather } from '../base/gather.ts';
import { type Db, SOFT, type Statements, type Tx } from '../db/db.ts';
import { type Sealer, Unopened } from '../secrets/secrets.ts';
import { log } from '../base/log.ts';

export type KeyedCall = {
  /** Owner and call of the Idempotency-Key. Keys of different owners or calls never collide. */
  scope: string;
  key: string;
  /** The request. It is compared with the first request under the same key. */
  request: unknown;
};

/** A sealed answer, as it is stored under the Idempotency-Key of its call. */
export interface StoredAnswer {
  readonly scope: string;
  readonly key: string;
  readonly answer: Buffer;
}

/**
 * Handler of a call with an Idempotency-Key. `stored` converts an answer into its stored form, for handlers that store the
 * answer in their own transaction.
 */
export type KeyedWork = (isRepeated: boolean, stored: (answer: string) => StoredAnswer) => Promise<string>;

/** Runs a call with an Idempotency-Key once, and returns its answer. A repeated call gets the first call's answer. */
export type Once = (call: KeyedCall, work: KeyedWork) => Promise<string>;

const WAIT_MS = 2_000;
/** Age of a claim in seconds after which its process counts as dead. Calls end long before that age. */
const LEASE_SECONDS = 5;
const RETENTION_DAYS = 7;

type KeyedRow = { request_hash: Buffer; answer: Buffer | null; is_stale: boolean };

/** Stored calls with Idempotency-Keys, and operations on them. */
interface KeyedRecord {
  /** Claims an Idempotency-Key. Returns false if the key is already claimed. */
  readonly claim: (claim: Claim) => Promise<boolean>;
  readonly store: (stored: StoredAnswer) => Promise<void>;
  readonly db: Db;
  readonly sealer: Sealer;
}

type Claim = Pick<KeyedCall, 'scope' | 'key'> & { readonly hash: Buffer };

/** Returns a function that runs each call with an Idempotency-Key once, by rows in a database. */
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
  /** Running calls of this process. Duplicates wait for them instead of querying the database. */
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

/** Returns the answer; undefined if `answer` has not resolved by the deadline. */
async function within<T>(deadline: number, answer: Promise<T>): Promise<T | undefined> {
  const late = new AbortController();
  const wait = sleep(Math.max(0, deadline - monotonicMs()), undefined, { signal: late.signal }).catch(() => undefined);
  return Promise.race([answer, wait]).finally(() => late.abort());
}

/** Claims the key and runs the handler, or returns the stored answer. Returns undefined while another process runs the call. */
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

/** Identity to which a sealed answer is bound. In the row of another owner, key or request the answer can't be opened. */
const rowOf = ({ scope, key, hash }: Claim): string[] => ['idempotency', scope, key, hash.toString('hex')];

/** Opens a stored answer. If that fails, throws `record_altered` and raises an alarm. */
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
    // If this statement fails, too, the claim expires.
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
 * Stores answers in the transaction of the changes that they report. A repeated call then gets its answer even if the process
 * died after the commit.
 */
export async function storeAnswers(tx: Statements, stored: readonly StoredAnswer[]): Promise<void> {
  if (stored.length > 0) await tx.run(`${STORE_ANSWER} ${THEIRS}`, valuesOf(stored), { name: 'idempotency.keep' });
}

/** Called by a change, last in its transaction: stores the answer of its call there. */
export type KeepAnswer<T> = (tx: Tx, made: T) => Promise<void>;

/**
 * Runs a change whose own transaction stores the answer of its call. A repeated call then gets the answer and changes nothing, even
 * if the process died after the commit. `change`: makes the change, and calls `keep` last in its transaction. `shown`: the answer.
 */
export async function answeredChange<T, A>(
  db: Statements,
  { storedAnswer }: { readonly storedAnswer?: ((given: unknown) => StoredAnswer) | undefined },
  change: (keep: KeepAnswer<T>) => Promise<T>,
  shown: (db: Statements, made: T) => Promise<A>,
): Promise<A> {
  let answer: { readonly given: A } | undefined;
  const made = await change(async (tx, changed) => {
    if (!storedAnswer) return;
    answer = { given: await shown(tx, changed) };
    await storeAnswers(tx, [storedAnswer(answer.given)]);
  });
  return answer ? answer.given : shown(db, made);
}

/** Deletes answers that are older than 7 days of real time. Returns their number. */
export function forgetAnswers(db: Db): Promise<number> {
  return db.run(`delete from idempotency where at < now() - $1 * interval '1 day'`, [RETENTION_DAYS]);
}

/** Returns JSON with sorted keys, so that the order of fields makes no difference. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

// Claims and answers are committed without waiting for the disk. The handler's later commit waits for the disk, and makes the
// claim durable, too. If the database's machine crashes, an answer may be lost. Then the call is treated as one whose process
// was killed.
//
// Claims expire by real time, since moving the sandbox's clock must not end them. Claims are inserted in the order of their
// keys, so that two processes never wait for each other. `CLAIM` returns the positions of the claimed keys.
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
