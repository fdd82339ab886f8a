import type { Statements, Tx } from '../../../platform/index.ts';
import { payoutMac } from '../../../rails/index.ts';
import type { Fields } from '../../../rails/rail.ts';
import type { Owner } from '../../rails/owner.ts';
import { type PayoutBooks, type StoredBooks, booksMac as macOfBooks, booksOf, storedBooks } from './payout-accounts.ts';
import type { Payout } from '../machine/payout.ts';

/** A payout as stored, with its receiving account. */
export interface StoredPayout extends Payout {
  readonly rail: string;
  readonly to: Fields;
  readonly tries: number;
  /** True if people have decided the payout's outcome. A rail's answers about its attempt then no longer change it. */
  readonly isResolved: boolean;
  /** MAC of the request, checked before a provider is called. */
  readonly mac: string | null;
}

interface PayoutRow {
  id: string;
  owner_kind: Owner['kind'];
  owner_id: string;
  purpose: Payout['purpose'];
  rail: string;
  currency: string;
  unit: string;
  parts: string;
  to_fields: Fields;
  status: Payout['status'];
  attempt_id: string | null;
  txid: string | null;
  reason: string | null;
  tries: number;
  confirmations: number;
  is_dedupe_over: boolean;
  is_found_late: boolean;
  isResolved: boolean;
  mac: string | null;
  books: StoredBooks | null;
  books_mac: string | null;
}

const PAYOUT = `payout.id, owner_kind, owner_id, purpose, rail, currency, unit, parts, to_fields, status, attempt_id, txid,
  reason, tries, confirmations, is_dedupe_over, is_found_late, evidence is not null as "isResolved", mac, books, books_mac`;

function payoutOf(row: PayoutRow): StoredPayout {
  const {
    owner_kind: kind,
    owner_id: id,
    to_fields: to,
    attempt_id: attemptId,
    is_dedupe_over: isDedupeOver,
    is_found_late: isFoundLate,
    books,
    books_mac: booksMac,
    ...rest
  } = row;
  return {
    ...{ ...rest, owner: { kind, id }, to, attemptId, isDedupeOver, isFoundLate, parts: BigInt(row.parts) },
    ...{ books: books ? booksOf(books) : undefined, booksMac },
  };
}

export interface NewPayout {
  readonly id: string;
  readonly owner: Owner;
  readonly purpose: Payout['purpose'];
  readonly rail: string;
  readonly currency: string;
  readonly unit: string;
  readonly parts: bigint;
  readonly to: Fields;
  readonly key: string;
  readonly party?: string;
  readonly customer?: string;
  readonly books?: PayoutBooks;
}

/** Inserts payouts as queued, and queues stopped ones again. Returns ids that exist already with other content. */
export async function insertPayouts(tx: Tx, payouts: readonly NewPayout[]): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(
    `with given as (
       select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
                            $8::numeric[], $9::jsonb[], $10::text[], $12::text[], $13::uuid[], $14::jsonb[], $15::uuid[], $16::text[])
         as given (id, owner_kind, owner_id, purpose, rail, currency, unit, parts, to_fields, to_key, party, mac, books, books_mac, customer)
     ), added as (
       insert into payout (id, owner_kind, owner_id, purpose, rail, currency, unit, parts, to_fields, to_key, party, mac, books,
                           books_mac, customer, status, due_at, created_at, status_at)
       select given.*, 'queued', $11, $11, $11 from given
       on conflict (id) do update set status = 'queued', due_at = excluded.due_at, status_at = excluded.status_at, tries = 0,
         reason = null
       where payout.status = 'stopped'
     )
     select given.id from given join payout using (id)
     where (payout.owner_kind, payout.owner_id, payout.purpose, payout.currency, payout.parts, payout.to_key)
       is distinct from (given.owner_kind, given.owner_id, given.purpose, given.currency, given.parts, given.to_key)`,
    [
      payouts.map(({ id }) => id),
      payouts.map(({ owner }) => owner.kind),
      payouts.map(({ owner }) => owner.id),
      payouts.map(({ purpose }) => purpose),
      payouts.map(({ rail }) => rail),
      payouts.map(({ currency }) => currency),
      payouts.map(({ unit }) => unit),
      payouts.map(({ parts }) => parts),
      payouts.map(({ to }) => JSON.stringify(to)),
      payouts.map(({ key }) => key),
      tx.now,
      payouts.map(({ party }) => party ?? null),
      payouts.map(payoutMac),
      payouts.map(({ books }) => (books ? JSON.stringify(storedBooks(books)) : null)),
      payouts.map(({ id, books }) => (books ? macOfBooks(id, books) : null)),
      payouts.map(({ customer }) => customer ?? null),
    ],
    { name: 'payments.insert_payouts' },
  );
  return rows.map(({ id }) => id);
}

/** True if a payout is still queued: nothing was ever signed for it, and it can be stopped. */
export async function isQueued(db: Statements, id: string): Promise<boolean> {
  return (await db.row(`select from payout where id = $1 and status = 'queued'`, [id])) !== undefined;
}

/** True if a payout was requested before a moment. */
export async function isRequestedBefore(db: Statements, id: string, at: Date): Promise<boolean> {
  return (await db.row('select from payout where id = $1 and created_at < $2', [id, at])) !== undefined;
}

/**
 * Stops a payout that is still queued, or that its owner refused at the last check (a stopped payout with a reason). Returns
 * false for any other payout.
 */
export async function stopQueued(tx: Tx, id: string): Promise<boolean> {
  const stopped = await tx.run(
    `update payout set status = 'stopped', due_at = null, status_at = $2, reason = null
     where id = $1 and (status = 'queued' or (status = 'stopped' and reason is not null))`,
    [id, tx.now],
  );
  return stopped === 1;
}

/** Locks due payouts of one status, the oldest first. Leaves out payouts that another worker has locked. */
export async function lockDue(tx: Tx, rail: string, status: 'queued' | 'preparing', limit: number): Promise<StoredPayout[]> {
  const rows = await tx.rows<PayoutRow>(
    `select ${PAYOUT} from payout where rail = $1 and status = $2 and due_at <= $3
     order by due_at, id limit $4 for update skip locked`,
    [rail, status, tx.now, limit],
    { name: `payments.lock_${status}` },
  );
  return rows.map(payoutOf);
}

/** Claims queued payouts. Until they are given back, they can't be stopped. */
export async function takePayouts(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.run(`update payout set status = 'preparing', status_at = $2 where id = any ($1)`, [ids, tx.now], {
    name: 'payments.take',
  });
}

/** Gives back claimed payouts for which nothing was signed: they are queued again, and can be stopped. */
export async function giveBack(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.run(
    `update payout set status = 'queued', status_at = $2 where id = any ($1) and status = 'preparing'`,
    [ids, tx.now],
    {
      name: 'payments.give_back',
    },
  );
}

/** Postpones payouts. Their status doesn't change, and they are tried again after `seconds`. `reason`: stored for people. */
export async function putOff(tx: Statements, off: readonly { id: string; seconds: number; reason: string }[]): Promise<void> {
  await tx.run(
    `update payout set tries = tries + 1, reason = given.reason, due_at = (select clock_now()) + seconds * interval '1 second'
     from unnest($1::uuid[], $2::float8[], $3::text[]) as given (id, seconds, reason)
     where payout.id = given.id and status in ('queued', 'preparing')`,
    [off.map(({ id }) => id), off.map(({ seconds }) => seconds), off.map(({ reason }) => reason.slice(0, 500))],
  );
}

/** Locks payouts by id, in the order of their ids. */
export async function lockPayouts(tx: Tx, ids: readonly string[]): Promise<StoredPayout[]> {
  if (ids.length === 0) return [];
  const rows = await tx.rows<PayoutRow>(`select ${PAYOUT} from payout where id = any ($1) order by id for update`, [ids], {
    name: 'payments.lock_payouts',
  });
  return rows.map(payoutOf);
}

/** Stores payouts after a step. */
export async function savePayouts(tx: Tx, payouts: readonly Payout[]): Promise<void> {
  if (payouts.length === 0) return;
  await tx.run(
    `update payout set status = given.status, attempt_id = given.attempt_id, txid = given.txid, reason = given.reason,
       confirmations = given.confirmations, is_dedupe_over = given.is_dedupe_over, is_found_late = given.is_found_late, due_at = null,
       status_at = case when payout.status = given.status then payout.status_at else $8 end
     from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::int[], $7::boolean[], $9::boolean[])
       as given (id, status, attempt_id, txid, reason, confirmations, is_dedupe_over, is_found_late)
     where payout.id = given.id`,
    [
      payouts.map(({ id }) => id),
      payouts.map(({ status }) => status),
      payouts.map(({ attemptId }) => attemptId),
      payouts.map(({ txid }) => txid),
      payouts.map(({ reason }) => reason?.slice(0, 500) ?? null),
      payouts.map(({ confirmations }) => confirmations),
      payouts.map(({ isDedupeOver }) => isDedupeOver),
      tx.now,
      payouts.map(({ isFoundLate }) => isFoundLate),
    ],
    { name: 'payments.save_payouts' },
  );
}

/** Marks payouts as being sent, each with its attempt, which was just stored. */
export async function beginSending(tx: Tx, pairs: readonly { payout: string; attempt: string }[]): Promise<void> {
  if (pairs.length === 0) return;
  await tx.run(
    `update payout set status = 'sending', attempt_id = given.attempt, due_at = null, reason = null, status_at = $3
     from unnest($1::uuid[], $2::uuid[]) as given (payout, attempt)
     where payout.id = given.payout and status = 'preparing'`,
    [pairs.map(({ payout }) => payout), pairs.map(({ attempt }) => attempt), tx.now],
    { name: 'payments.begin_sending' },
  );
}
