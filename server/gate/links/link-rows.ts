// Rows of links. Each has a MAC. By a link that SQL changed, no invoice is made.

import { Problem } from '@kurs/contract';
import { type Statements, type Tx, alarmOnce, idsOfAltered, isMac, macOf, steady } from '../../platform/index.ts';
import type { Link } from './link.ts';

interface LinkRow extends Omit<Link, 'sum' | 'maxUses' | 'picture' | 'removedAt'> {
  readonly amount: string | null;
  readonly least: string | null;
  readonly most: string | null;
  readonly maxUses: number | null;
  readonly picture: string | null;
  readonly removedAt: Date | null;
  readonly mac: string | null;
}

const COLUMNS = `id, store_id as "storeId", title, currency, amount::text, least::text, most::text, max_uses as "maxUses",
  is_on as "isOn", picture, created_at as "createdAt", removed_at as "removedAt", mac`;

/** Returns the values of a link's columns, in their order. */
function valuesOf({ id, storeId, title, currency, sum, maxUses, isOn, picture, createdAt, removedAt }: Link): unknown[] {
  const [amount, least, most] = 'amount' in sum ? [sum.amount, undefined, undefined] : [undefined, sum.least, sum.most];
  const sums = [amount, least, most].map((parts) => parts?.toString() ?? null);
  return [id, storeId, title, currency, ...sums, maxUses ?? null, isOn, picture ?? null, createdAt, removedAt ?? null];
}

const macOfLink = (link: Link): string => macOf('store link', steady(valuesOf(link)));

function fromRow({ mac: _mac, amount, least, most, maxUses, picture, removedAt, ...row }: LinkRow): Link {
  const sum = amount === null ? { least: BigInt(least ?? 0), most: BigInt(most ?? 0) } : { amount: BigInt(amount) };
  return { ...row, sum, maxUses: maxUses ?? undefined, picture: picture ?? undefined, removedAt: removedAt ?? undefined };
}

const isAsStored = (row: LinkRow): boolean => isMac('store link', steady(valuesOf(fromRow(row))), row.mac);

const reportAltered = alarmOnce('a link of a store was changed outside the product: no invoice is made by it');

/** Returns the link of a row. Throws `link_unknown` for none, and `record_altered` for one that was changed by SQL. */
function believed(row: LinkRow | undefined): Link {
  if (!row) throw new Problem('link_unknown');
  if (isAsStored(row)) return fromRow(row);
  reportAltered(row.id, { storeId: row.storeId });
  throw new Problem('record_altered');
}

/** Returns a link. Throws `link_unknown` if there is none or it was removed, and `record_altered` if SQL changed it. */
export const readLink = async (db: Statements, id: string): Promise<Link> =>
  believed(await db.row<LinkRow>(`select ${COLUMNS} from store_link where id = $1 and removed_at is null`, [id]));

/** Returns a link of a store, locked. Throws as `readLink` does, and `link_unknown` for a link of another store. */
export const lockLink = async (tx: Tx, store: string, id: string): Promise<Link> =>
  believed(
    await tx.row<LinkRow>(`select ${COLUMNS} from store_link where id = $1 and store_id = $2 and removed_at is null for update`, [
      id,
      store,
    ]),
  );

/** Returns the link of an invoice, perhaps a removed one, locked. Throws `record_altered` if SQL changed it. */
export const lockLinkOfInvoice = async (tx: Tx, id: string): Promise<Link> =>
  believed(await tx.row<LinkRow>(`select ${COLUMNS} from store_link where id = $1 for update`, [id]));

/** Returns the links of a store, the newest first. Leaves out those that were removed, and those that SQL changed. */
export async function linksOf(db: Statements, storeId: string): Promise<Link[]> {
  const rows = await db.rows<LinkRow>(
    `select ${COLUMNS} from store_link where store_id = $1 and removed_at is null order by created_at desc, id desc`,
    [storeId],
  );
  return rows.filter(isAsStored).map(fromRow);
}

/** Returns the number of a store's links, without removed ones. */
export async function countLinks(db: Statements, storeId: string): Promise<number> {
  const row = await db.row<{ count: number }>(
    'select count(*)::int as count from store_link where store_id = $1 and removed_at is null',
    [storeId],
  );
  return row?.count ?? 0;
}

/** Adds a link. */
export async function addLink(tx: Tx, link: Link): Promise<void> {
  await tx.run(
    `insert into store_link (id, store_id, title, currency, amount, least, most, max_uses, is_on, picture, created_at, removed_at, mac)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [...valuesOf(link), macOfLink(link)],
  );
}

/** Saves a link that is locked. */
export async function saveLink(tx: Tx, link: Link): Promise<void> {
  await tx.run(
    `update store_link set store_id = $2, title = $3, currency = $4, amount = $5, least = $6, most = $7, max_uses = $8,
       is_on = $9, picture = $10, created_at = $11, removed_at = $12, mac = $13 where id = $1`,
    [...valuesOf(link), macOfLink(link)],
  );
}

/** Returns the ids of links whose rows were changed by SQL. */
export const alteredLinks = (db: Statements): Promise<string[]> =>
  idsOfAltered(
    (behind, max) =>
      db.rows<LinkRow>(`select ${COLUMNS} from store_link where $1::uuid is null or id > $1 order by id limit $2`, [
        behind ?? null,
        max,
      ]),
    isAsStored,
  );
