import { type Statements, type Tx, isMac, macOf } from '../../../platform/index.ts';
import type { Attempt } from '../../../rails/rail.ts';
import type { SendAttempt, Step } from '../machine/payout.ts';

/** An attempt as stored, with the signed attempt of the rail, whose bytes never change. */
export interface StoredAttempt extends SendAttempt {
  readonly rail: string;
  readonly signed: Attempt;
  /** Number of the receiving address that is swept or gets gas; null for other attempts. */
  readonly number: number | null;
  /** Currency of the sweep or the gas; null for other attempts. */
  readonly currency: string | null;
  /** Amount of the sweep or the gas; null for other attempts. */
  readonly parts: bigint | null;
  /** MAC of the bytes and of the payouts that they pay. Checked before the bytes are sent again. */
  readonly mac: string | null;
}

interface AttemptRow {
  id: string;
  rail: string;
  purpose: SendAttempt['purpose'];
  replaces: string | null;
  reference: string;
  items: string[];
  number: string | null;
  currency: string | null;
  parts: string | null;
  raw: string;
  spends: string[];
  nonce: string | null;
  change_index: string | null;
  fee_currency: string;
  fee: string;
  fee_known: 'sent' | 'mined';
  is_fee_posted: boolean;
  is_frozen: boolean;
  is_known: boolean;
  expires_at: Date | null;
  status: SendAttempt['status'];
  txid: string | null;
  height: string | null;
  confirmations: number;
  tries: number;
  stored_at: Date;
  last_sent_at: Date | null;
  accepted_at: Date | null;
  missing_since: Date | null;
  ended_at: Date | null;
  mac: string | null;
}

const contentOf = ({
  id,
  rail,
  purpose,
  signed: { reference, items, raw },
}: Pick<StoredAttempt, 'id' | 'rail' | 'purpose' | 'signed'>): string =>
  JSON.stringify([id, rail, purpose, reference, items, raw]);

/** True if an attempt's bytes and payouts are unchanged since they were stored. */
export const isAsStored = (attempt: StoredAttempt): boolean => isMac('attempt', contentOf(attempt), attempt.mac);

const count = (text: string): number => Number.parseInt(text, 10);

function attemptOf(row: AttemptRow): StoredAttempt {
  return {
    id: row.id,
    rail: row.rail,
    purpose: row.purpose,
    isReplacement: row.replaces !== null,
    isFrozen: row.is_frozen,
    isKnown: row.is_known,
    status: row.status,
    feeKnown: row.fee_known,
    isFeePosted: row.is_fee_posted,
    fee: BigInt(row.fee),
    txid: row.txid,
    height: row.height === null ? null : count(row.height),
    confirmations: row.confirmations,
    tries: row.tries,
    storedAt: row.stored_at,
    lastSentAt: row.last_sent_at,
    acceptedAt: row.accepted_at,
    missingSince: row.missing_since,
    endedAt: row.ended_at,
    number: row.number === null ? null : count(row.number),
    currency: row.currency,
    parts: row.parts === null ? null : BigInt(row.parts),
    mac: row.mac,
    signed: {
      reference: row.reference,
      items: row.items,
      raw: row.raw,
      spends: row.spends,
      fee: { currency: row.fee_currency, parts: BigInt(row.fee) },
      ...(row.txid !== null && { txid: row.txid }),
      ...(row.nonce !== null && { nonce: count(row.nonce) }),
      ...(row.change_index !== null && { changeIndex: count(row.change_index) }),
      ...(row.expires_at && { expiresAt: row.expires_at }),
    },
  };
}

export interface NewAttempt {
  readonly id: string;
  readonly rail: string;
  readonly purpose: SendAttempt['purpose'];
  readonly replaces?: string;
  readonly childOf?: string;
  readonly feeKnown: 'sent' | 'mined';
  readonly signed: Attempt;
  readonly number?: number;
  readonly currency?: string;
  readonly parts?: bigint;
}

/**
 * Stores signed attempts before they leave. The process that stores them sends them at once. Other processes may look them up
 * after `senderSeconds`.
 */
export async function insertAttempts(tx: Tx, attempts: readonly NewAttempt[], senderSeconds: number): Promise<void> {
  if (attempts.length === 0) return;
  // PostgreSQL's arrays of arrays must be rectangular, so lists are passed as JSON.
  await tx.run(
    `insert into payment_attempt (id, rail, purpose, replaces, reference, items, number, currency, parts, raw, spends,
       nonce, change_index, fee_currency, fee, fee_known, expires_at, child_of, mac, status, due_at, stored_at)
     select id, rail, purpose, replaces, reference, array(select jsonb_array_elements_text(items)::uuid), number, currency,
       parts, raw, array(select jsonb_array_elements_text(spends)), nonce, change_index, fee_currency, fee, fee_known,
       expires_at, child_of, mac, 'stored', $19::timestamptz + $20 * interval '1 second', $19
     from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::text[], $6::jsonb[], $7::bigint[], $8::text[],
       $9::numeric[], $10::text[], $11::jsonb[], $12::bigint[], $13::bigint[], $14::text[], $15::numeric[], $16::text[],
       $17::timestamptz[], $18::uuid[], $21::uuid[])
       as given (id, rail, purpose, replaces, reference, items, number, currency, parts, raw, spends, nonce, change_index,
                 fee_currency, fee, fee_known, expires_at, child_of, mac)`,
    [
      attempts.map(({ id }) => id),
      attempts.map(({ rail }) => rail),
      attempts.map(({ purpose }) => purpose),
      attempts.map(({ replaces }) => replaces ?? null),
      attempts.map(({ signed }) => signed.reference),
      attempts.map(({ signed }) => JSON.stringify(signed.items)),
      attempts.map(({ number }) => number ?? null),
      attempts.map(({ currency }) => currency ?? null),
      attempts.map(({ parts }) => parts ?? null),
      attempts.map(({ signed }) => signed.raw),
      attempts.map(({ signed }) => JSON.stringify(signed.spends)),
      attempts.map(({ signed }) => signed.nonce ?? null),
      attempts.map(({ signed }) => signed.changeIndex ?? null),
      attempts.map(({ signed }) => signed.fee.currency),
      attempts.map(({ signed }) => signed.fee.parts),
      attempts.map(({ feeKnown }) => feeKnown),
      attempts.map(({ signed }) => signed.expiresAt ?? null),
      attempts.map(({ childOf }) => childOf ?? null),
      tx.now,
      senderSeconds,
      attempts.map((attempt) => macOf('attempt', contentOf(attempt))),
    ],
    { name: 'payments.insert_attempts' },
  );
}

/**
 * Claims those of the given new attempts that may be sent now for the first time, because no other process has recorded anything
 * about them. For `seconds` no other process looks them up. A worker that was suspended learns here that another worker has taken
 * over.
 */
export async function claimSends(db: Statements, ids: readonly string[], seconds: number): Promise<Set<string>> {
  const rows = await db.rows<{ id: string }>(
    `update payment_attempt set due_at = (select clock_now()) + $2 * interval '1 second'
     where id = any ($1) and status = 'stored' and tries = 0 and not is_frozen returning id`,
    [ids, seconds],
    { name: 'payments.claim_sends' },
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Claims an attempt to be sent again. Returns false if another process has sent the attempt or recorded an outcome since it was
 * read. Also returns false if the attempt was stored more than `minutes` ago (null: no limit). For `seconds` no other process
 * looks the attempt up.
 */
export async function claimAgain(
  db: Statements,
  { id, tries }: Pick<StoredAttempt, 'id' | 'tries'>,
  { minutes, seconds }: { readonly minutes: number | null; readonly seconds: number },
): Promise<boolean> {
  const claimed = await db.run(
    `update payment_attempt set due_at = clock_now() + $4 * interval '1 second'
     where id = $1 and tries = $2 and not is_frozen and status in ('stored', 'doubtful', 'sent', 'final')
       and ($3::float8 is null or stored_at > clock_now() - $3 * interval '1 minute')`,
    [id, tries, minutes, seconds],
    { name: 'payments.claim_again' },
  );
  return claimed === 1;
}

/** Claims attempts that are due to be looked up, for `seconds`. Claims no attempts while their rail is down. */
export async function claimAttempts(db: Statements, rail: string, limit: number, seconds: number): Promise<StoredAttempt[]> {
  const rows = await db.rows<AttemptRow>(
    `with due as (
       select id from payment_attempt
       where rail = $1 and due_at <= clock_now() and exists (select from rail_state where rail = $1 and up)
       order by due_at limit $2 for update skip locked
     )
     update payment_attempt set due_at = (select clock_now()) + $3 * interval '1 second' from due
     where payment_attempt.id = due.id returning payment_attempt.*`,
    [rail, limit, seconds],
    { name: 'payments.claim_attempts' },
  );
  return rows.map(attemptOf).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Returns at most `max` attempts in the order of their ids, starting after the id `behind`. With `ids`, only those among them.
 */
export async function attemptsAfter(
  db: Statements,
  {
    behind,
    max,
    ids,
  }: { readonly behind: string | undefined; readonly max: number; readonly ids?: readonly string[] | undefined },
): Promise<StoredAttempt[]> {
  const rows = await db.rows<AttemptRow>(
    `select * from payment_attempt where ($1::uuid is null or id > $1) and ($3::uuid[] is null or id = any ($3))
     order by id limit $2`,
    [behind ?? null, max, ids ?? null],
  );
  return rows.map(attemptOf);
}

/**
 * Locks attempts by id, in the order of their ids. `rivals`: ids of other attempts that share inputs with the attempt, directly
 * or through further replacements, and that have happened or may still happen. While a `replaced` attempt is looked up, it may
 * still happen.
 */
export async function lockAttempts(tx: Tx, ids: readonly string[]): Promise<(StoredAttempt & { rivals: string[] })[]> {
  const rows = await tx.rows<AttemptRow & { rivals: string[] }>(
    `select a.*, array(
       with recursive kin as (
         select a.id, a.replaces, a.status, a.due_at
         union
         select r.id, r.replaces, r.status, r.due_at
         from kin join payment_attempt r on r.replaces = kin.id or r.id = kin.replaces
       )
       select id from kin
       where id <> a.id and (status in ('stored', 'doubtful', 'sent', 'final') or (status = 'replaced' and due_at is not null))
     ) as rivals
     from payment_attempt a where id = any ($1) order by id for update`,
    [ids],
    { name: 'payments.lock_attempts' },
  );
  return rows.map((row) => ({ ...attemptOf(row), rivals: row.rivals }));
}

/** Stores attempts after a step, with the times of their next look-ups. */
export async function saveAttempts(tx: Tx, steps: readonly Pick<Step, 'attempt' | 'nextPoll' | 'pollHeight'>[]): Promise<void> {
  await tx.run(
    `update payment_attempt set status = given.status, is_fee_posted = given.is_fee_posted, fee = given.fee, txid = given.txid,
       height = given.height, confirmations = given.confirmations, tries = given.tries,
       last_sent_at = given.last_sent_at, accepted_at = given.accepted_at, missing_since = given.missing_since,
       is_known = given.is_known, ended_at = given.ended_at, poll_height = given.poll_height,
       due_at = $11::timestamptz + given.look * interval '1 millisecond'
     from unnest($1::uuid[], $2::text[], $3::boolean[], $4::text[], $5::bigint[], $6::int[], $7::int[],
                 $8::timestamptz[], $9::timestamptz[], $10::timestamptz[], $12::float8[], $13::numeric[], $14::boolean[], $15::timestamptz[], $16::bigint[])
       as given (id, status, is_fee_posted, txid, height, confirmations, tries, last_sent_at, accepted_at, missing_since, look, fee,
                 is_known, ended_at, poll_height)
     where payment_attempt.id = given.id`,
    [
      steps.map(({ attempt }) => attempt.id),
      steps.map(({ attempt }) => attempt.status),
      steps.map(({ attempt }) => attempt.isFeePosted),
      steps.map(({ attempt }) => attempt.txid),
      steps.map(({ attempt }) => attempt.height),
      steps.map(({ attempt }) => attempt.confirmations),
      steps.map(({ attempt }) => attempt.tries),
      steps.map(({ attempt }) => attempt.lastSentAt),
      steps.map(({ attempt }) => attempt.acceptedAt),
      steps.map(({ attempt }) => attempt.missingSince),
      tx.now,
      steps.map(({ nextPoll }) => nextPoll),
      steps.map(({ attempt }) => attempt.fee),
      steps.map(({ attempt }) => attempt.isKnown),
      steps.map(({ attempt }) => attempt.endedAt),
      steps.map(({ pollHeight }) => pollHeight),
    ],
    { name: 'payments.save_attempts' },
  );
}

/** Marks an attempt as replaced by another with the same inputs. Both are looked up until one of them is mined. */
export async function markReplaced(tx: Tx, id: string): Promise<boolean> {
  const changed = await tx.run(`update payment_attempt set status = 'replaced' where id = $1 and status = 'sent'`, [id]);
  return changed === 1;
}

/**
 * Stores a signed attempt before it leaves. If there already is an attempt with the same bytes, revives that attempt instead: the
 * same transaction is never stored twice. Returns the stored attempt. Never called with the bytes of a final attempt.
 */
export async function storeOrRevive(tx: Tx, attempt: NewAttempt, seconds: number): Promise<Pick<StoredAttempt, 'id' | 'tries'>> {
  const known = await reviveAttempt(tx, attempt.rail, attempt.signed.reference, seconds);
  if (known) return known;
  await insertAttempts(tx, [attempt], seconds);
  return { id: attempt.id, tries: 0 };
}

/** Revives the attempt with this reference, which was given up. Returns undefined if there is no such attempt. */
async function reviveAttempt(
  tx: Tx,
  rail: string,
  reference: string,
  seconds: number,
): Promise<Pick<StoredAttempt, 'id' | 'tries'> | undefined> {
  return tx.row<{ id: string; tries: number }>(
    `update payment_attempt set status = 'stored', ended_at = null, stored_at = $3, due_at = $3::timestamptz + $4 * interval '1 second'
     where rail = $1 and reference = $2 and status <> 'final' returning id, tries`,
    [rail, reference, tx.now, seconds],
  );
}

/** Moves an attempt from one payout to another, and makes it due to be looked up. Its bytes don't change. */
export async function turnAttempt(tx: Tx, id: string, from: string, to: string): Promise<void> {
  const [attempt] = await lockAttempts(tx, [id]);
  if (!attempt) throw new Error(`There is no attempt ${id}`);
  const { signed } = attempt;
  const items = signed.items.map((item) => (item === from ? to : item));
  const mac = isAsStored(attempt) ? macOf('attempt', contentOf({ ...attempt, signed: { ...signed, items } })) : attempt.mac;
  await tx.run('update payment_attempt set items = $2, mac = $3, due_at = $4 where id = $1', [id, items, mac, tx.now]);
}

/** Freezes attempts: their bytes are never sent again. */
export async function freezeAttempts(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.run('update payment_attempt set is_frozen = true where id = any ($1)', [ids]);
}

/** Returns those of the given references that belong to a stored attempt. */
export async function knownReferences(tx: Tx, rail: string, references: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.rows<{ reference: string }>(
    'select reference from payment_attempt where rail = $1 and reference = any ($2)',
    [rail, references],
  );
  return new Set(rows.map(({ reference }) => reference));
}

/**
 * Returns those of the given names that are references of attempts on a rail; with `byTxid`, also those that are their
 * transactions. Ignores an attempt that fails its MAC.
 */
export async function namesOfAttempts(
  tx: Tx,
  rail: string,
  names: readonly string[],
  { byTxid = false } = {},
): Promise<ReadonlySet<string>> {
  const rows = await tx.rows<AttemptRow>(
    `select * from payment_attempt where id in (
       select id from payment_attempt where rail = $1 and reference = any ($2)
       union select id from payment_attempt where $3 and rail = $1 and txid = any ($2))`,
    [rail, names, byTxid],
    { name: 'payments.names_of_attempts' },
  );
  const known = rows.map(attemptOf).filter(isAsStored);
  return new Set(known.flatMap(({ txid, signed }) => (byTxid && txid !== null ? [signed.reference, txid] : signed.reference)));
}

/** True if there is a final attempt with this reference. */
export async function isFinal(tx: Tx, rail: string, reference: string): Promise<boolean> {
  const found = await tx.row(`select from payment_attempt where rail = $1 and reference = $2 and status = 'final'`, [
    rail,
    reference,
  ]);
  return found !== undefined;
}

/**
 * Returns sends, starting after the id `behind`, that were accepted more than `minutes` ago and are in no block. Leaves out sends
 * whose fee was raised within the last `minutes`.
 */
export async function stuckAttempts(
  db: Statements,
  rail: string,
  { minutes, behind, limit }: { readonly minutes: number; readonly behind: string | undefined; readonly limit: number },
): Promise<StoredAttempt[]> {
  const rows = await db.rows<AttemptRow>(
    `select a.* from payment_attempt a
     where rail = $1 and status = 'sent' and height is null and accepted_at < clock_now() - $2 * interval '1 minute'
       and ($3::uuid is null or id > $3)
       and not exists (
         select from payment_attempt r
         where (r.replaces = a.id or r.child_of = a.id) and r.stored_at > clock_now() - $2 * interval '1 minute')
     order by id limit $4`,
    [rail, minutes, behind ?? null, limit],
  );
  return rows.map(attemptOf);
}
