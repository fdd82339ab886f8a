// Rows of stores. Each has a MAC. A store whose row was changed by SQL opens nothing.

import { Problem } from '@kurs/contract';
import { type Statements, type Tx, alarmOnce, idsOfAltered, isMac, macOf, steady } from '../../platform/index.ts';
import { type Store, type StoreKind } from './store.ts';

interface StoreRow extends Omit<Store, 'businessId'> {
  readonly businessId: string | null;
  readonly mac: string | null;
}

const COLUMNS = `id, kind, business_id as "businessId", holder_id as "holderId", name, timezone,
  invoice_currency as "invoiceCurrency", settlement_currency as "settlementCurrency", created_at as "createdAt", mac`;

function contentOf(store: Store): string {
  const { id, kind, businessId, holderId, name, timezone, invoiceCurrency, settlementCurrency, createdAt } = store;
  return steady([id, kind, businessId ?? null, holderId, name, timezone, invoiceCurrency, settlementCurrency, createdAt]);
}

const fromRow = ({ mac: _mac, businessId, ...row }: StoreRow): Store => ({ ...row, businessId: businessId ?? undefined });
const isAsStored = (row: StoreRow): boolean => isMac('store', contentOf(fromRow(row)), row.mac);

const reportAltered = alarmOnce('a store’s row was changed outside the product: it opens nothing');

/** Returns stores by their ids. Leaves those out whose rows were changed by SQL, and raises an alarm about each. */
export async function storesById(db: Statements, ids: readonly string[]): Promise<Map<string, Store>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<StoreRow>(
    `select ${COLUMNS} from store where id = any ($1::uuid[]) order by created_at, id`,
    [ids],
    {
      name: 'gate.stores',
    },
  );
  return new Map(rows.flatMap((row) => (isBelieved(row) ? [[row.id, fromRow(row)]] : [])));
}

function isBelieved(row: StoreRow): boolean {
  if (isAsStored(row)) return true;
  reportAltered(row.id, { holderId: row.holderId });
  return false;
}

/** Returns a store. Throws `record_altered` if its row was changed by SQL, and `forbidden` if there is none. */
export const openStore = (db: Statements, id: string): Promise<Store> => oneStore(db, id, '');

/** Returns a store, locked for a change of its settings, members or keys. Throws as `openStore` does. */
export const lockStore = (tx: Tx, id: string): Promise<Store> => oneStore(tx, id, 'for no key update');

async function oneStore(db: Statements, id: string, lock: string): Promise<Store> {
  const row = await db.row<StoreRow>(`select ${COLUMNS} from store where id = $1 ${lock}`, [id]);
  if (!row) throw new Problem('forbidden');
  if (!isBelieved(row)) throw new Problem('record_altered');
  return fromRow(row);
}

/** Adds a store. */
export async function addStore(tx: Tx, store: Store): Promise<void> {
  await tx.run(
    `insert into store (id, kind, business_id, holder_id, name, timezone, invoice_currency, settlement_currency, created_at, mac)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      ...[store.id, store.kind, store.businessId ?? null, store.holderId, store.name, store.timezone],
      ...[store.invoiceCurrency, store.settlementCurrency, store.createdAt, macOf('store', contentOf(store))],
    ],
  );
}

/** Stores the settings of a locked store. The rest of a store never changes. */
export async function saveStore(tx: Tx, store: Store): Promise<void> {
  await tx.run(
    'update store set name = $2, timezone = $3, invoice_currency = $4, settlement_currency = $5, mac = $6 where id = $1',
    [
      ...[store.id, store.name, store.timezone, store.invoiceCurrency, store.settlementCurrency],
      macOf('store', contentOf(store)),
    ],
  );
}

/** Counts stores of a kind. Business stores are counted by business, all others by account holder. */
export async function countStores(
  db: Statements,
  {
    kind,
    holderId,
    businessId,
  }: { readonly kind: StoreKind; readonly holderId: string; readonly businessId: string | undefined },
): Promise<number> {
  const row = await db.row<{ count: number }>(
    `select count(*)::int as count from store where kind = $1 and ($2::uuid is null or business_id = $2) and holder_id = $3`,
    [kind, businessId ?? null, holderId],
  );
  return row?.count ?? 0;
}

/** Returns the stores that an account holder owns. Leaves altered ones out. */
export async function storesOwnedBy(db: Statements, holderId: string): Promise<Store[]> {
  const rows = await db.rows<StoreRow>(`select ${COLUMNS} from store where holder_id = $1 order by created_at, id`, [holderId]);
  return rows.filter(isBelieved).map(fromRow);
}

/** Returns the ids of stores whose rows were changed by SQL. */
export const alteredStores = (db: Statements): Promise<string[]> =>
  idsOfAltered(
    (behind, max) =>
      db.rows<StoreRow>(`select ${COLUMNS} from store where $1::uuid is null or id > $1 order by id limit $2`, [
        behind ?? null,
        max,
      ]),
    isAsStored,
  );

/** Returns those of the ids of stores that have no row. Stores are never deleted. */
export async function missingStores(db: Statements, ids: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    'select granted.id from unnest($1::text[]) as granted (id) where not exists (select from store where store.id::text = granted.id)',
    [ids],
  );
  return rows.map(({ id }) => id);
}
