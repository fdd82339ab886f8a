// Rows of refunds. Each has a MAC: nothing is claimed of a refund whose row was changed by SQL.

import { Problem } from '@kurs/contract';
import {
  type Statements,
  type Tx,
  alarmOnce,
  fromExactJson,
  idsOfAltered,
  isMac,
  macOf,
  steady,
  toExactJson,
  wake,
} from '../../../platform/index.ts';
import type { RefundState } from '../machine/refund-machine.ts';
import { type Claim, type Refund, isWaiting } from '../machine/refund.ts';

type Body = Pick<
  Refund,
  'store' | 'currency' | 'digits' | 'amount' | 'taken' | 'rests' | 'back' | 'ended' | 'maker' | 'note' | 'locale' | 'isTest'
>;

interface RefundRow {
  readonly id: string;
  readonly number: string;
  readonly storeId: string;
  readonly invoiceId: string | null;
  readonly state: RefundState;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expiresAt: Date;
  readonly unit: string;
  readonly email: string | null;
  readonly body: string;
  readonly mac: string | null;
}

const COLUMNS = `id, number, store_id as "storeId", invoice_id as "invoiceId", state, version, created_at as "createdAt",
  updated_at as "updatedAt", expires_at as "expiresAt", unit, email, body::text, mac`;

const bodyOf = ({ store, currency, digits, amount, taken, rests, back, ended, maker, note, locale, isTest }: Refund): Body => ({
  ...{ store, currency, digits, amount, taken, rests, back, ended, maker, note, locale },
  ...(isTest && { isTest }),
});

const contentOf = (refund: Refund): string =>
  steady([
    ...[refund.id, refund.number, refund.invoiceId ?? null, refund.state, refund.version, refund.createdAt, refund.expiresAt],
    ...[refund.email ?? null, bodyOf(refund)],
  ]);

function fromRow({ mac, body, storeId, invoiceId, email, unit, ...row }: RefundRow): Refund {
  const sums = fromExactJson<Body>(body);
  const refund: Refund = {
    ...row,
    ...sums,
    ...{ invoiceId: invoiceId ?? undefined, email: email ?? undefined },
  };
  const isAsStored = isMac('store refund', contentOf(refund), mac) && unit === sums.taken.unit && storeId === sums.store.id;
  return isAsStored ? refund : { ...refund, isAltered: true };
}

export const reportAltered = alarmOnce('a refund’s row was changed outside the product: nothing is claimed of it');

/** Returns the refund. Throws `record_altered`, and raises an alarm, if its row was changed outside the product. */
export function requireUnaltered(refund: Refund): Refund {
  if (!refund.isAltered) return refund;
  reportAltered(refund.id, { refundId: refund.id });
  throw new Problem('record_altered');
}

/** Returns refunds by their ids. */
export async function refundsById(db: Statements, ids: readonly string[]): Promise<Refund[]> {
  if (ids.length === 0) return [];
  const rows = await db.rows<RefundRow>(`select ${COLUMNS} from store_refund where id = any ($1::uuid[]) order by id`, [ids], {
    name: 'gate.refunds',
  });
  return rows.map(fromRow);
}

/** Returns a refund. Throws `refund_unknown` if there is none. */
export async function readRefund(db: Statements, id: string): Promise<Refund> {
  const [found] = await refundsById(db, [id]);
  if (!found) throw new Problem('refund_unknown');
  return found;
}

/** Returns a refund by its number; undefined if there is none. */
export async function refundByNumber(db: Statements, number: string): Promise<Refund | undefined> {
  const row = await db.row<RefundRow>(`select ${COLUMNS} from store_refund where number = $1`, [number]);
  return row && fromRow(row);
}

/** Locks refunds by their ids, in their order, and returns them. Missing ones are left out. */
export async function lockRefunds(tx: Tx, ids: readonly string[]): Promise<Refund[]> {
  if (ids.length === 0) return [];
  const rows = await tx.rows<RefundRow>(
    `select ${COLUMNS} from store_refund where id = any ($1::uuid[]) order by id for update`,
    [ids],
    { name: 'gate.lock_refunds' },
  );
  return rows.map(fromRow);
}

/** Locks one refund and returns it. Throws `refund_unknown` if there is none, and `record_altered`. */
export async function lockRefund(tx: Tx, id: string): Promise<Refund> {
  const [found] = await lockRefunds(tx, [id]);
  if (!found) throw new Problem('refund_unknown');
  return requireUnaltered(found);
}

/** Returns the refunds of an invoice, the oldest first. */
export async function refundsOfInvoice(db: Statements, invoiceId: string): Promise<Refund[]> {
  const rows = await db.rows<RefundRow>(`select ${COLUMNS} from store_refund where invoice_id = $1 order by created_at, id`, [
    invoiceId,
  ]);
  return rows.map(fromRow);
}

/** Returns ids of refunds whose time is over and of which something is unclaimed, locked, at most `max`. */
export async function lockDueRefunds(tx: Tx, max: number): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(
    'select id from store_refund where due_at <= $1 order by due_at limit $2 for update skip locked',
    [tx.now, max],
    { name: 'gate.lock_due_refunds' },
  );
  return rows.map(({ id }) => id).sort();
}

/** Postpones the end of refunds that can't be ended now. */
export async function putOffRefunds(db: Statements, ids: readonly string[], until: Date): Promise<void> {
  if (ids.length > 0) await db.run('update store_refund set due_at = $2 where id = any ($1::uuid[])', [ids, until]);
}

const dueOf = ({ rests, ended, expiresAt }: Refund, now: Date): Date | null =>
  rests.length === 0 ? null : ended === undefined ? expiresAt : now;

const isHolding = ({ rests, isTest }: Refund, claims: readonly Claim[]): boolean =>
  !isTest && (rests.length > 0 || claims.some((claim) => isWaiting(claim) || claim.state === 'paying'));

/** Adds a refund of which nothing is claimed. */
export async function insertRefund(tx: Tx, refund: Refund): Promise<void> {
  await tx.run(
    `insert into store_refund (id, number, store_id, invoice_id, state, version, created_at, updated_at, expires_at, due_at, unit,
       holds_money, email, body, mac)
     values ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10, $14, $11, $12::jsonb, $13)`,
    [
      ...[refund.id, refund.number, refund.store.id, refund.invoiceId ?? null, refund.state, refund.version, refund.createdAt],
      ...[refund.expiresAt, dueOf(refund, tx.now), refund.taken.unit, refund.email ?? null],
      ...[toExactJson(bodyOf(refund)), macOf('store refund', contentOf(refund)), isHolding(refund, [])],
    ],
    { name: 'gate.insert_refund' },
  );
}

/** Saves a changed refund that is locked. `claims`: all of its claims, as changed. */
export async function saveRefund(tx: Tx, refund: Refund, claims: readonly Claim[]): Promise<void> {
  await tx.run(
    `update store_refund set state = $2, version = $3, updated_at = $4, expires_at = $5, due_at = $6, holds_money = $7,
       body = $8::jsonb, mac = $9 where id = $1`,
    [
      ...[refund.id, refund.state, refund.version, tx.now, refund.expiresAt, dueOf(refund, tx.now), isHolding(refund, claims)],
      ...[toExactJson(bodyOf(refund)), macOf('store refund', contentOf(refund))],
    ],
    { name: 'gate.save_refund' },
  );
  tx.afterCommit(() => wake('owners'));
}

/** Returns the MAC of a refund's row without its address, with its id. */
export const forgottenRefund = (refund: Refund): { readonly id: string; readonly mac: string } => ({
  id: refund.id,
  mac: macOf('store refund', contentOf({ ...refund, email: '' })),
});

/** Returns refunds that hold money, or of which a claim is being paid. */
export async function holdingRefunds(db: Statements): Promise<Refund[]> {
  return (await db.rows<RefundRow>(`select ${COLUMNS} from store_refund where holds_money order by id`)).map(fromRow);
}

/** Returns refunds in the order of their ids, from the first after `behind`. With `ids`, only those among them. */
export async function refundsAfter(
  db: Statements,
  {
    behind,
    max,
    ids,
  }: { readonly behind: string | undefined; readonly max: number; readonly ids: readonly string[] | undefined },
): Promise<Refund[]> {
  const rows = await db.rows<RefundRow>(
    `select ${COLUMNS} from store_refund where ($1::uuid is null or id > $1) and ($3::uuid[] is null or id = any ($3))
     order by id limit $2`,
    [behind ?? null, max, ids ?? null],
  );
  return rows.map(fromRow);
}

/** Returns the ids of refunds whose rows were changed by SQL. */
export const alteredRefunds = (db: Statements, ids: readonly string[] | undefined): Promise<string[]> =>
  idsOfAltered(
    (behind, max) => refundsAfter(db, { behind, max, ids }),
    ({ isAltered }) => !isAltered,
  );

/** Returns the number of refunds of stores that hold money, or of which a claim is being paid. */
export async function countOpenRefunds(db: Statements, storeIds: readonly string[]): Promise<number> {
  const row = await db.row<{ count: number }>(
    'select count(*)::int as count from store_refund where store_id = any ($1::uuid[]) and holds_money',
    [storeIds],
  );
  return row?.count ?? 0;
}
