// Rows of businesses.

import { Problem } from '@kurs/contract';
import {
  type PageRequest,
  type Statements,
  type Tx,
  beginOf,
  countSome,
  idsOfAltered,
  likePart,
  nextOf,
} from '../../platform/index.ts';
import type { Business, BusinessState } from './business.ts';
import { type BusinessRow, isBusinessAltered, macOfBusiness } from './business-mac.ts';

type StoredBusiness = Omit<BusinessRow, 'turnover_usd' | 'dayUsd' | 'reversible'> & {
  readonly turnover_usd: string;
  readonly dayUsd: string | null;
  readonly isOn: boolean;
  readonly invoiceUsd: string | null;
  readonly receiptsUsd: string | null;
  readonly releaseDays: number | null;
  readonly lastShare: number | null;
  readonly mac: string | null;
};

const COLUMNS = `id, holder_id as "holderId", state, state_at as "stateAt", note, legal_name, registration_number, country, address,
  web_sites, goods, turnover_usd::text, owners, day_usd::text as "dayUsd", reversible_on as "isOn", reversible_invoice_usd::text as "invoiceUsd",
  reversible_receipts_usd::text as "receiptsUsd", release_days as "releaseDays", last_share as "lastShare", created_at as "createdAt", mac`;

const orUndefined = (sum: string | null): bigint | undefined => (sum === null ? undefined : BigInt(sum));

function fromRow({ mac, isOn, invoiceUsd, receiptsUsd, releaseDays, lastShare, ...stored }: StoredBusiness): Business {
  const row: BusinessRow = {
    ...stored,
    turnover_usd: Number.parseInt(stored.turnover_usd, 10),
    dayUsd: orUndefined(stored.dayUsd),
    reversible: {
      ...{ isOn, invoiceUsd: orUndefined(invoiceUsd), receiptsUsd: orUndefined(receiptsUsd) },
      ...{ releaseDays: releaseDays ?? undefined, lastShare: lastShare ?? undefined },
    },
  };
  return { ...row, isAltered: isBusinessAltered(row, mac) };
}

/** Returns businesses by their ids. */
export async function businessesById(db: Statements, ids: readonly string[]): Promise<Map<string, Business>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<StoredBusiness>(`select ${COLUMNS} from business where id = any ($1::uuid[])`, [ids], {
    name: 'gate.businesses',
  });
  return new Map(rows.map((row) => [row.id, fromRow(row)]));
}

/** Returns a business by its id; undefined if unknown, and without an id, as of a store that belongs to no business. */
export const businessById = async (db: Statements, id: string | undefined): Promise<Business | undefined> =>
  id === undefined ? undefined : (await businessesById(db, [id])).get(id);

/** Returns a business by its id, locked; undefined if unknown. */
export async function lockBusiness(tx: Tx, id: string): Promise<Business | undefined> {
  const row = await tx.row<StoredBusiness>(`select ${COLUMNS} from business where id = $1 for update`, [id]);
  return row && fromRow(row);
}

/**
 * Throws `store_closed` if the business of a store is closed, because nothing can leave its store. Locks the business until the
 * transaction ends.
 */
export async function requireNotClosed(tx: Tx, { businessId }: { readonly businessId: string | undefined }): Promise<void> {
  if (businessId === undefined) return;
  const row = await tx.row<{ state: BusinessState }>('select state from business where id = $1 for share', [businessId]);
  if (row?.state === 'closed') throw new Problem('store_closed');
}

/**
 * Returns the approved business of an account holder, locked so that no decision about it is made in the meantime. Undefined if
 * the holder has none, or if its row was changed by SQL.
 */
export async function approvedBusiness(tx: Tx, holderId: string): Promise<Business | undefined> {
  const row = await tx.row<StoredBusiness>(
    `select ${COLUMNS} from business where holder_id = $1 and state = 'approved' for share`,
    [holderId],
  );
  const business = row && fromRow(row);
  return business?.isAltered === false ? business : undefined;
}

/** Returns the businesses of an account holder, the one for which they applied last first. At most `max`. */
export async function businessesOf(db: Statements, holderId: string, max: number): Promise<Business[]> {
  const rows = await db.rows<StoredBusiness>(
    `select ${COLUMNS} from business where holder_id = $1 order by created_at desc, id desc limit $2`,
    [holderId, max],
  );
  return rows.map(fromRow);
}

/** True if an account holder has a business that is neither refused nor closed. */
export async function hasOpenBusiness(db: Statements, holderId: string): Promise<boolean> {
  const open = `select from business where holder_id = $1 and state in ('applied', 'approved', 'suspended')`;
  return (await db.row(open, [holderId])) !== undefined;
}

/** Adds a business. Returns false, and adds nothing, if its owner has an open one. */
export async function addBusiness(tx: Tx, row: BusinessRow): Promise<boolean> {
  const added = await tx.run(
    `insert into business (id, holder_id, state, state_at, note, legal_name, registration_number, country, address, web_sites, goods,
       turnover_usd, owners, day_usd, created_at, mac)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
     on conflict (holder_id) where state in ('applied', 'approved', 'suspended') do nothing`,
    [
      ...[row.id, row.holderId, row.state, row.stateAt, row.note, row.legal_name, row.registration_number, row.country],
      ...[row.address, row.web_sites, row.goods, row.turnover_usd, JSON.stringify(row.owners), row.dayUsd ?? null],
      ...[row.createdAt, macOfBusiness(row)],
    ],
  );
  return added === 1;
}

/**
 * Stores the state, the note, the day limit and the reversible terms of a locked business. The rest of an application never changes.
 */
export async function saveBusiness(tx: Tx, { isAltered, ...row }: Business): Promise<void> {
  if (isAltered) throw new Error(`The business ${row.id} was altered, and is not written`);
  const { isOn, invoiceUsd, receiptsUsd, releaseDays, lastShare } = row.reversible;
  await tx.run(
    `update business set state = $2, state_at = $3, note = $4, day_usd = $5, mac = $6, reversible_on = $7, reversible_invoice_usd = $8,
       reversible_receipts_usd = $9, release_days = $10, last_share = $11 where id = $1`,
    [
      ...[row.id, row.state, row.stateAt, row.note, row.dayUsd ?? null, macOfBusiness(row)],
      ...[isOn, invoiceUsd ?? null, receiptsUsd ?? null, releaseDays ?? null, lastShare ?? null],
    ],
  );
}

/**
 * A filter of businesses. `holderIds`: owners whose address contains `text`. `hasNewSites`: only businesses with web sites that
 * members added and nobody has decided about.
 */
export interface BusinessFilter extends PageRequest {
  readonly state?: BusinessState | undefined;
  readonly hasNewSites?: boolean;
  readonly text?: string | undefined;
  readonly holderIds: readonly string[];
}

const FILTERED = `from business where ($1::text is null or state = $1)
  and ($2::text is null or legal_name ilike $2 or registration_number ilike $2 or array_to_string(web_sites, ' ') ilike $2
    or holder_id = any ($3::uuid[]))
  and (not $4::boolean or exists (select from store join store_site on store_id = store.id where business_id = business.id
    and added_by is not null and accepted_at is null and struck_at is null))`;

/** Returns a page of businesses for the desk, the latest change first, and their total number. */
export async function businessPage(
  db: Statements,
  filter: BusinessFilter,
): Promise<{ readonly businesses: Business[]; readonly total: number; readonly next: string | undefined }> {
  const text = filter.text === undefined ? null : likePart(filter.text);
  const values = [filter.state ?? null, text, filter.holderIds, filter.hasNewSites ?? false];
  const { at, id, offset } = beginOf(filter);
  const rows = await db.rows<StoredBusiness & { cursor: string }>(
    `select ${COLUMNS}, state_at::text as cursor ${FILTERED} and ($5::timestamptz is null or (state_at, id) < ($5, $6::uuid))
     order by state_at desc, id desc limit $7 offset $8`,
    [...values, at, id, filter.per_page, offset],
  );
  const counted = await db.row<{ total: number }>(countSome(`select ${FILTERED}`), values);
  const next = nextOf(
    rows.map((row) => ({ at: row.cursor, id: row.id })),
    filter,
  );
  return { businesses: rows.map(({ cursor: _cursor, ...row }) => fromRow(row)), total: counted?.total ?? 0, next };
}

/** Returns the ids of businesses whose rows were changed by SQL. */
export const alteredBusinesses = (db: Statements): Promise<string[]> =>
  idsOfAltered(
    (behind, max) =>
      db.rows<StoredBusiness>(`select ${COLUMNS} from business where $1::uuid is null or id > $1 order by id limit $2`, [
        behind ?? null,
        max,
      ]),
    (row) => !fromRow(row).isAltered,
  );
