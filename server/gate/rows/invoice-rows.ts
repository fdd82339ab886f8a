// Rows of invoices: one row for each, with everything that decides about its money in two columns of exact JSON.

import { Problem } from '@kurs/contract';
import { type Statements, type Tx, fromExactJson, idsOfAltered, jsonArray, toExactJson, wake } from '../../platform/index.ts';
import type { InvoiceState } from '../invoices/invoice-machine.ts';
import { type Invoice, creditedOf, inOf, pendingOf, setOf } from '../invoices/invoice.ts';
import { nextStepAt } from '../invoices/timers.ts';
import { invoiceMac, isAsStored } from './invoice-mac.ts';
import type { InvoiceDetails, StoredInvoice } from './stored-invoice.ts';

interface InvoiceRow {
  readonly id: string;
  readonly number: string;
  readonly storeId: string;
  readonly businessId: string | null;
  readonly holderId: string;
  readonly state: InvoiceState;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expiresAt: Date;
  readonly orderId: string | null;
  readonly email: string | null;
  readonly locale: 'en' | 'ru';
  readonly details: InvoiceDetails;
  readonly metadata: string;
  readonly terms: string;
  readonly body: string;
  readonly copied: string;
  readonly isArchived: boolean;
  readonly mac: string | null;
}

const COLUMNS = `id, number, store_id as "storeId", business_id as "businessId", holder_id as "holderId", state, version,
  created_at as "createdAt", updated_at as "updatedAt", expires_at as "expiresAt", order_id as "orderId", email, locale, details,
  metadata, terms::text, body::text,
  concat_ws(' ', currency, amount, credited, pending, settlement_unit, reserved, holds_money, mark) as copied,
  archived_at is not null as "isArchived", mac`;

type Body = Pick<
  Invoice,
  'options' | 'payments' | 'firstCredit' | 'accepted' | 'decideAt' | 'mark' | 'isEmailOfLink' | 'isChosenByStore'
>;

/** Returns the columns that copy what the invoice's body says, for lists and sums. */
function copiesOf(view: Invoice) {
  const { currency, amount, settlement, isTest } = view.terms;
  // A test invoice reserves and holds no money.
  const payments = isTest ? [] : view.payments;
  const reserved = payments.reduce((sum, { reserve }) => sum + reserve, 0n);
  return {
    ...{ currency, amount: amount?.toString() ?? null, settlement_unit: settlement.unit },
    ...{ credited: creditedOf(view).toString(), pending: pendingOf(view).toString(), reserved: reserved.toString() },
    ...{ holds_money: payments.some(isHolding), mark: view.mark ?? null },
  };
}

/** True if money of a payment should stand in an account of its invoice. */
const isHolding = (payment: Invoice['payments'][number]): boolean =>
  payment.reserve > 0n || inOf(payment) > 0n || setOf(payment) > 0n;

function copiedText(view: Invoice): string {
  const { currency, amount, credited, pending, settlement_unit, reserved, holds_money, mark } = copiesOf(view);
  const texts = [currency, amount, credited, pending, settlement_unit, reserved, holds_money ? 't' : 'f', mark];
  return texts.filter((text) => text !== null).join(' ');
}

function fromRow(row: InvoiceRow): StoredInvoice {
  const body = fromExactJson<Body>(row.body);
  const view: Invoice = {
    ...{ id: row.id, state: row.state, version: row.version, expiresAt: row.expiresAt, ...body },
    store: { id: row.storeId, businessId: row.businessId ?? undefined, holderId: row.holderId },
    terms: fromExactJson<Invoice['terms']>(row.terms),
  };
  const invoice: StoredInvoice = {
    ...{ view, number: row.number, createdAt: row.createdAt, updatedAt: row.updatedAt, locale: row.locale },
    ...{ orderId: row.orderId ?? undefined, email: row.email ?? undefined, details: row.details, metadata: row.metadata },
    isArchived: row.isArchived,
  };
  return isAsStored(invoice, row.mac) && row.copied === copiedText(view) ? invoice : { ...invoice, isAltered: true };
}

/** Returns invoices by their ids. */
export async function invoicesById(db: Statements, ids: readonly string[]): Promise<StoredInvoice[]> {
  if (ids.length === 0) return [];
  const rows = await db.rows<InvoiceRow>(`select ${COLUMNS} from invoice where id = any ($1::uuid[]) order by id`, [ids], {
    name: 'gate.invoices',
  });
  return rows.map(fromRow);
}

/** Returns an invoice. Throws `invoice_unknown` if there is none. */
export async function readInvoice(db: Statements, id: string): Promise<StoredInvoice> {
  const [found] = await invoicesById(db, [id]);
  if (!found) throw new Problem('invoice_unknown');
  return found;
}

/** Returns an invoice by its number; undefined if there is none. */
export async function invoiceByNumber(db: Statements, number: string): Promise<StoredInvoice | undefined> {
  const row = await db.row<InvoiceRow>(`select ${COLUMNS} from invoice where number = $1`, [number]);
  return row && fromRow(row);
}

/** Locks invoices by their ids, in their order, and returns them. Missing ones are left out. */
export async function lockInvoices(tx: Tx, ids: readonly string[]): Promise<StoredInvoice[]> {
  if (ids.length === 0) return [];
  const rows = await tx.rows<InvoiceRow>(
    `select ${COLUMNS} from invoice where id = any ($1::uuid[]) order by id for update`,
    [ids],
    { name: 'gate.lock_invoices' },
  );
  return rows.map(fromRow);
}

/** Locks one invoice and returns it. Throws `invoice_unknown` if there is none. */
export async function lockInvoice(tx: Tx, id: string): Promise<StoredInvoice> {
  const [found] = await lockInvoices(tx, [id]);
  if (!found) throw new Problem('invoice_unknown');
  return found;
}

/** Returns the ids of invoices whose timer is due, locked, at most `max`. Those locked by others are skipped. */
export async function lockDue(tx: Tx, max: number): Promise<StoredInvoice[]> {
  const rows = await tx.rows<{ id: string }>(
    'select id from invoice where due_at <= $1 order by due_at limit $2 for update skip locked',
    [tx.now, max],
    { name: 'gate.lock_due' },
  );
  return lockInvoices(
    tx,
    rows.map(({ id }) => id),
  );
}

/** True if some invoice's timer is due. */
export const isAnyDue = async (db: Statements): Promise<boolean> =>
  (await db.row('select from invoice where due_at <= clock_now() limit 1', [], { name: 'gate.is_any_due' })) !== undefined;

/** Postpones the timers of invoices. */
export async function putOff(db: Statements, ids: readonly string[], until: Date): Promise<void> {
  if (ids.length === 0) return;
  await db.run('update invoice set due_at = $2 where id = any ($1::uuid[])', [ids, until], { name: 'gate.put_off' });
}

/** Adds an invoice. */
export async function insertInvoice(tx: Tx, invoice: StoredInvoice): Promise<void> {
  const { view, details } = invoice;
  const copies = copiesOf(view);
  await tx.run(
    `insert into invoice (id, number, store_id, business_id, holder_id, state, version, created_at, updated_at, expires_at, due_at,
       currency, amount, credited, pending, settlement_unit, reserved, holds_money, order_id, email, locale, details, metadata,
       terms, body, mac)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26)`,
    [
      ...[view.id, invoice.number, view.store.id, view.store.businessId ?? null, view.store.holderId, view.state, view.version],
      ...[invoice.createdAt, invoice.updatedAt, view.expiresAt, nextStepAt(view, tx.now) ?? null],
      ...[copies.currency, copies.amount, copies.credited, copies.pending, copies.settlement_unit, copies.reserved],
      ...[copies.holds_money, invoice.orderId ?? null, invoice.email ?? null, invoice.locale, JSON.stringify(details)],
      ...[invoice.metadata, toExactJson(view.terms), bodyText(view), invoiceMac(invoice)],
    ],
    { name: 'gate.insert_invoice' },
  );
}

function bodyText(invoice: Invoice): string {
  const { options, payments, firstCredit, accepted, decideAt, mark, isEmailOfLink, isChosenByStore } = invoice;
  return toExactJson({ options, payments, firstCredit, accepted, decideAt, mark, isEmailOfLink, isChosenByStore });
}

/**
 * Saves changed invoices that are locked, in one statement. `versions`: their versions when they were locked. Throws
 * `order_changed` if a stored version differs.
 */
export async function saveInvoices(
  tx: Tx,
  invoices: readonly StoredInvoice[],
  versions: ReadonlyMap<string, number>,
): Promise<void> {
  if (invoices.length === 0) return;
  const rows = invoices.map((invoice) => ({
    ...{ id: invoice.view.id, state: invoice.view.state, version: invoice.view.version, email: invoice.email ?? null },
    ...copiesOf(invoice.view),
    due_at: nextStepAt(invoice.view, tx.now) ?? null,
    was: versions.get(invoice.view.id) ?? null,
    mac: invoiceMac(invoice),
  }));
  const saved = await tx.run(
    `update invoice i set state = n.state, version = n.version, updated_at = $3, due_at = n.due_at, credited = n.credited,
       pending = n.pending, reserved = n.reserved, holds_money = n.holds_money, mark = n.mark, email = n.email, body = n.body, mac = n.mac
     from rows from (
         jsonb_to_recordset($1::jsonb) as (id uuid, state text, version int, due_at timestamptz, credited numeric, pending numeric,
           reserved numeric, holds_money boolean, mark text, email text, mac uuid, was int),
         jsonb_array_elements($2::jsonb))
       as n (id, state, version, due_at, credited, pending, reserved, holds_money, mark, email, mac, was, body)
     where i.id = n.id and i.version = n.was`,
    [JSON.stringify(rows), jsonArray(invoices.map(({ view }) => bodyText(view))), tx.now],
    { name: 'gate.save_invoices' },
  );
  if (saved !== invoices.length) throw new Problem('order_changed');
  tx.afterCommit(() => wake('owners'));
}

/** Moves an invoice that is locked to the archive, or back. */
export async function setArchived(tx: Tx, id: string, isArchived: boolean): Promise<void> {
  await tx.run('update invoice set archived_at = case when $2 then $3::timestamptz end where id = $1', [id, isArchived, tx.now]);
}

/** Returns the number of invoices of stores that are open, confirming or short, or that hold money. */
export async function countUnfinished(db: Statements, storeIds: readonly string[]): Promise<number> {
  const row = await db.row<{ count: number }>(
    `select count(*)::int as count from invoice
     where store_id = any ($1::uuid[]) and (state in ('open', 'confirming', 'short') or holds_money)`,
    [storeIds],
  );
  return row?.count ?? 0;
}

/** Returns invoices whose accounts should have a balance. */
export async function holdingInvoices(db: Statements): Promise<StoredInvoice[]> {
  const rows = await db.rows<InvoiceRow>(`select ${COLUMNS} from invoice where holds_money order by id`);
  return rows.map(fromRow);
}

/** Returns at most `max` invoices with a payment in a stage in which its money stands in the invoice's accounts, the oldest first. */
export async function holdingWith(db: Statements, stage: 'held', max: number): Promise<StoredInvoice[]> {
  const rows = await db.rows<InvoiceRow>(
    `select ${COLUMNS} from invoice
     where holds_money and body->'payments' @> jsonb_build_array(jsonb_build_object('stage', $1::text))
     order by updated_at limit $2`,
    [stage, max],
  );
  return rows.map(fromRow);
}

/** Returns the number of payments that are held until people of the desk decide about them. */
export async function countHardHolds(db: Statements): Promise<number> {
  const row = await db.row<{ count: number }>(
    `select count(*)::int as count from invoice cross join jsonb_array_elements(body->'payments') as payment
     where holds_money and payment->>'stage' = 'held' and payment->'hold'->>'cause' = 'hard'`,
    [],
    { name: 'gate.count_hard_holds' },
  );
  return row?.count ?? 0;
}

/** Returns invoices in the order of their ids, from the first after `behind`. With `ids`, only those among them. */
export async function invoicesAfter(
  db: Statements,
  {
    behind,
    max,
    ids,
  }: { readonly behind: string | undefined; readonly max: number; readonly ids: readonly string[] | undefined },
): Promise<StoredInvoice[]> {
  const rows = await db.rows<InvoiceRow>(
    `select ${COLUMNS} from invoice where ($1::uuid is null or id > $1) and ($3::uuid[] is null or id = any ($3))
     order by id limit $2`,
    [behind ?? null, max, ids ?? null],
  );
  return rows.map(fromRow);
}

/** Returns ids of invoices that are unfinished or hold money: rows that may still change. */
export async function openInvoiceIds(db: Statements): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    `select id from invoice where holds_money union select id from invoice where due_at is not null`,
  );
  return rows.map(({ id }) => id);
}

/** Returns the ids of invoices whose rows were changed by SQL. */
export const alteredInvoices = (db: Statements, ids: readonly string[] | undefined): Promise<string[]> =>
  idsOfAltered(
    (behind, max) => invoicesAfter(db, { behind, max, ids }).then((found) => found.map((one) => ({ id: one.view.id, one }))),
    ({ one }) => !one.isAltered,
  );

/** The desk's money that is reserved for invoices in a unit: for all, and for those of one business or store owner. */
export interface ReservedSums {
  readonly all: bigint;
  readonly own: bigint;
}

/**
 * Returns the sums reserved in a unit, for each of the given parties. A party is the business of invoices, or the owner of a
 * store without one. Concurrent calls wait for each other until their transactions end, so that no bound is exceeded.
 */
export async function reservedIn(tx: Tx, unit: string, parties: readonly string[]): Promise<ReadonlyMap<string, ReservedSums>> {
  await tx.row(`select pg_advisory_xact_lock(hashtextextended('gate.reserved ' || $1, 0))`, [unit], {
    name: 'gate.lock_reserved',
  });
  const rows = await tx.rows<{ party: string; parts: string }>(
    `select coalesce(business_id, holder_id)::text as party, sum(reserved)::text as parts from invoice
     where settlement_unit = $1 and reserved > 0 group by 1`,
    [unit],
    { name: 'gate.reserved' },
  );
  const byParty = new Map(rows.map(({ party, parts }) => [party, BigInt(parts)]));
  const all = [...byParty.values()].reduce((sum, parts) => sum + parts, 0n);
  return new Map(parties.map((party) => [party, { all, own: byParty.get(party) ?? 0n }]));
}

/** Step of `changesOf` for each version: more than the confirmations of an invoice's payments together. */
export const A_CHANGE = 1_000;

/** Returns a number that rises with each change of an invoice and each confirmation of its payments. */
export const changesOf = ({ view }: StoredInvoice, confirmations = 0): number =>
  view.version * A_CHANGE + Math.min(confirmations, A_CHANGE - 1);
