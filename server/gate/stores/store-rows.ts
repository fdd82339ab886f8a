// Rows of stores. Each has a MAC. A store whose row was changed by SQL opens nothing.

import { Problem } from '@kurs/contract';
import { type Statements, type Tx, alarmOnce, idsOfAltered, isMac, macOf, steady } from '../../platform/index.ts';
import { type Store, type StoreKind } from './store.ts';

/** Fields of a store that are null in its row where they are undefined. */
type MayBeNull = 'businessId' | 'returnUrl' | 'methods' | 'colour' | 'mark';

type StoreRow = Omit<Store, MayBeNull> & { readonly [F in MayBeNull]: Exclude<Store[F], undefined> | null } & {
  readonly mac: string | null;
};

const COLUMNS = `id, kind, business_id as "businessId", holder_id as "holderId", name, timezone,
  invoice_currency as "invoiceCurrency", settlement_currency as "settlementCurrency", tolerance, life_minutes as "lifeMinutes",
  costs_bearer as "costsBearer", short_preset as "shortPreset", return_url as "returnUrl", methods, colour, mark,
  has_letters as "hasLetters", created_at as "createdAt", mac`;

type InvoiceSettings = Pick<
  Store,
  'tolerance' | 'lifeMinutes' | 'costsBearer' | 'shortPreset' | 'returnUrl' | 'methods' | 'colour' | 'mark' | 'hasLetters'
>;

/** Settings that the migration gave to older stores. The MAC of a store with these settings doesn't contain them. */
const OLDER: InvoiceSettings = {
  ...{ tolerance: 50, lifeMinutes: 1_440, costsBearer: 'buyer', shortPreset: 'give_back', returnUrl: undefined },
  ...{ methods: undefined, colour: undefined, mark: undefined, hasLetters: false },
};

function contentOf(store: Store): string {
  const { id, kind, businessId, holderId, name, timezone, invoiceCurrency, settlementCurrency, createdAt } = store;
  const { tolerance, lifeMinutes, costsBearer, shortPreset, returnUrl, methods, colour, mark, hasLetters } = store;
  const settings: InvoiceSettings = {
    ...{ tolerance, lifeMinutes, costsBearer, shortPreset, returnUrl, methods, colour, mark, hasLetters },
  };
  return steady([
    ...[id, kind, businessId ?? null, holderId, name, timezone, invoiceCurrency, settlementCurrency, createdAt],
    ...(steady(settings) === steady(OLDER) ? [] : [settings]),
  ]);
}

const fromRow = ({ mac: _mac, businessId, returnUrl, methods, colour, mark, ...row }: StoreRow): Store => ({
  ...row,
  businessId: businessId ?? undefined,
  returnUrl: returnUrl ?? undefined,
  methods: methods ?? undefined,
  colour: colour ?? undefined,
  mark: mark ?? undefined,
});
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
  const row = await db.row<StoreRow>(`select ${COLUMNS} from store where id = $1 ${lock}`, [id], {
    name: `gate.store ${lock}`,
  });
  if (!row) throw new Problem('forbidden');
  if (!isBelieved(row)) throw new Problem('record_altered');
  return fromRow(row);
}

/** Adds a store. */
export async function addStore(tx: Tx, store: Store): Promise<void> {
  await tx.run(
    `insert into store (id, kind, business_id, holder_id, created_at, mac, name, timezone, invoice_currency, settlement_currency,
       tolerance, life_minutes, costs_bearer, short_preset, return_url, methods, colour, mark, has_letters)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
    [
      ...[store.id, store.kind, store.businessId ?? null, store.holderId, store.createdAt, macOf('store', contentOf(store))],
      ...settingsOf(store),
    ],
  );
}

/** Stores the settings of a locked store. The rest of a store never changes. */
export async function saveStore(tx: Tx, store: Store): Promise<void> {
  await tx.run(
    `update store set (mac, name, timezone, invoice_currency, settlement_currency, tolerance, life_minutes, costs_bearer,
         short_preset, return_url, methods, colour, mark, has_letters)
       = ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) where id = $1`,
    [store.id, macOf('store', contentOf(store)), ...settingsOf(store)],
  );
}

/** Returns the settings of a store as values of its row. */
const settingsOf = (store: Store): readonly unknown[] => [
  ...[store.name, store.timezone, store.invoiceCurrency, store.settlementCurrency, store.tolerance, store.lifeMinutes],
  ...[store.costsBearer, store.shortPreset, store.returnUrl ?? null, store.methods ?? null, store.colour ?? null],
  ...[store.mark ?? null, store.hasLetters],
];

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

/** Returns the ids of the stores of a business, in order of their ids. */
export async function storeIdsOf(db: Statements, businessId: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>('select id from store where business_id = $1 order by id', [businessId]);
  return rows.map(({ id }) => id);
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
