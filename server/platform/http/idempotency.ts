// Idempotency-Key: a repeated call has its effect once and gets the same bytes again.
//
// A row claims the key before the work begins and holds the answer after it. Answers may hold secrets of the caller
// (an order's token), so they are sealed with the server's key. What failed for the caller's own reason (4xx) had no
// effect and is forgotten; what ended unclear (5xx, a killed process) is worked on again, with `repeated` set, where
// the room's own uniqueness decides: a calculation gives one order. A room may also keep the answer in the very transaction
// of its work (`keepAnswers`): then whatever was done has its answer, however this process ends.
//
// Claims that come at the same moment are one statement, and so are answers.

import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@kurs/contract';
import { monotonicMs } from '../base/clock.ts';
import { gather } from '../base/gather.ts';
import { type Db, SOFT, type Statements } from '../db/db.ts';
import { type Sealer, Unopened } from '../secrets/secrets.ts';
import { log } from '../base/log.ts';

export type KeyedCall = {
  /** Whose key it is and for what: keys of different callers or calls never meet. */
  scope: string;
  key: string;
  /** What is asked, for noticing the same key with another request. */
  request: unknown;
};

/** An answer as it is kept under the key of its call, sealed. */
export interface KeptAnswer {
  readonly scope: string;
  readonly key: string;
  readonly answer: Buffer;
}

/** The work of a keyed call. What it is given for its answer has to be kept by its own transaction (`keepAnswers`). */
export type KeyedWork = (repeated: boolean, kept: (answer: string) => KeptAnswer) => Promise<string>;

/** Runs each keyed call once; gives its answer, or the first one's when it is a repetition. */
export type Once = (call: KeyedCall, work: KeyedWork) => Promise<string>;

const WAIT_MS = 2_000;
/** A claim older than this belongs to a process that died: calls are answered or given up long before. */
const LEASE_SECONDS = 5;
const KEEP_DAYS = 7;

type Row = { request_hash: Buffer; answer: Buffer | null; stale: boolean };

/** What is asked of the record of keyed calls. */
interface KeyedRecord {
  /** Claims a key; false where it is taken. */
  readonly claim: (claim: Claim) => Promise<boolean>;
  readonly keep: (kept: KeptAnswer) => Promise<void>;
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
    keep: gather(async (kept: readonly KeptAnswer[]) => {
      await db.run(`${KEEP}, ${SOFT} ${THEIRS}`, valuesOf(kept), { name: 'idempotency.store' });
      return kept.map(() => undefined);
    }),
  };
  /** Calls in work in this process, so that their duplicates wait for them instead of asking the database. */
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

/** The answer, or undefined when it takes longer. */
async function within<T>(deadline: number, answer: Promise<T>): Promise<T | undefined> {
  const late = new AbortController();
  const wait = sleep(Math.max(0, deadline - monotonicMs()), undefined, { signal: late.signal }).catch(() => undefined);
  return Promise.race([answer, wait]).finally(() => late.abort());
}

/** One look at the row: does the work, or gives the stored answer, or undefined while another process works on it. */
async function attempt(
  record: KeyedRecord,
  { scope, key }: KeyedCall,
  hash: Buffer,
  work: KeyedWork,
): Promise<string | undefined> {
  const { db, sealer } = record;
  if (await record.claim({ scope, key, hash })) return perform(record, { scope, key, hash }, work, false);
  const row = await db.row<Row>(FIND, [scope, key, LEASE_SECONDS], { name: 'idempotency.find' });
  if (!row) return undefined;
  if (!row.request_hash.equals(hash)) throw new Problem('idempotency_mismatch');
  if (row.answer) return openedAnswer(sealer, row.answer, { scope, key, hash });
  if (!row.stale) return undefined;
  const taken = await db.run(TAKE_OVER, [scope, key, LEASE_SECONDS], { name: 'idempotency.take_over' });
  return taken > 0 ? perform(record, { scope, key, hash }, work, true) : undefined;
}

/** What an answer is sealed to: under another caller's key, or for another request, it opens nothing. */
const rowOf = ({ scope, key, hash }: Claim): string[] => ['idempotency', scope, key, hash.toString('hex')];

/** Opens a stored answer. Throws `record_altered`, with an alarm, for one that stands in another row than its own. */
function openedAnswer(sealer: Sealer, answer: Buffer, claim: Claim): string {
  try {
    return sealer.open(answer, rowOf(claim)).toString('utf8');
  } catch (cause) {
    if (!(cause instanceof Unopened)) throw cause;
    log.alarm('a stored answer can’t be opened: was its row changed, or is a key of the server missing?', { scope: claim.scope });
    throw new Problem('record_altered', { cause });
  }
}

async function perform(
  { db, sealer, keep }: KeyedRecord,
  { scope, key, hash }: Claim,
  work: KeyedWork,
  repeated: boolean,
): Promise<string> {
  const sealed = (text: string): KeptAnswer => ({
    scope,
    key,
    answer: sealer.seal(Buffer.from(text), rowOf({ scope, key, hash })),
  });
  let answer: string;
  /** What the work's own transaction has kept. */
  let kept: string | undefined;
  try {
    answer = await work(repeated, (text) => {
      kept = text;
      return sealed(text);
    });
  } catch (error) {
    const hadNoEffect = error instanceof Problem && error.status < 500;
    const end = hadNoEffect
      ? 'delete from idempotency where scope = $1 and key = $2'
      : `update idempotency set claimed_at = '-infinity' where scope = $1 and key = $2`;
    // When this fails too, the claim's lease ends by itself.
    await db.run(end, [scope, key]).catch(() => {});
    throw error;
  }
  if (answer !== kept) await keep(sealed(answer));
  return answer;
}

async function claimAll(db: Db, claims: readonly Claim[]): Promise<boolean[]> {
  const values = [claims.map(({ scope }) => scope), claims.map(({ key }) => key), claims.map(({ hash }) => hash)];
  const rows = await db.rows<{ place: number }>(CLAIM, values, { name: 'idempotency.claim' });
  const claimed = new Set(rows.map(({ place }) => place));
  return claims.map((_, at) => claimed.has(at + 1));
}

const valuesOf = (kept: readonly KeptAnswer[]): unknown[] => [
  kept.map(({ scope }) => scope),
  kept.map(({ key }) => key),
  kept.map(({ answer }) => answer),
];

/**
 * Keeps answers in the transaction of what they tell of: a repeated call gets its answer wherever that was done, though the
 * process that did it ended before it told.
 */
export async function keepAnswers(tx: Statements, kept: readonly KeptAnswer[]): Promise<void> {
  if (kept.length > 0) await tx.run(`${KEEP} ${THEIRS}`, valuesOf(kept), { name: 'idempotency.keep' });
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
// Leases are of real time: a moved sandbox clock must not end them. In their order, so that two processes never wait for each
// other; which were claimed is told by their places.
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
  select request_hash, answer, claimed_at < clock_timestamp() - $3 * interval '1 second' as stale
  from idempotency where scope = $1 and key = $2`;
const TAKE_OVER = `
  update idempotency set claimed_at = clock_timestamp()
  where scope = $1 and key = $2 and answer is null and claimed_at < clock_timestamp() - $3 * interval '1 second'`;
const KEEP = `update idempotency kept set answer = given.answer
  from unnest($1::text[], $2::text[], $3::bytea[]) as given (scope, key, answer)`;
const THEIRS = 'where kept.scope = given.scope and kept.key = given.key';
