// Rows of web sites of stores. Each has a MAC. A site whose row was changed by SQL counts as struck.

import { type Statements, type Tx, idsOfAltered, isMac, macOf, newId, steady } from '../../platform/index.ts';
import type { Site } from './site.ts';
import type { Store } from './store.ts';

type MayBeNull = 'addedBy' | 'acceptedAt' | 'acceptedBy' | 'struckAt' | 'struckBy';
type SiteRow = Omit<Site, MayBeNull | 'isAltered'> & { readonly [F in MayBeNull]: Exclude<Site[F], undefined> | null } & {
  readonly mac: string | null;
};

const COLUMNS = `id, store_id as "storeId", origin, added_at as "addedAt", added_by as "addedBy", accepted_at as "acceptedAt",
  accepted_by as "acceptedBy", struck_at as "struckAt", struck_by as "struckBy", mac`;

function contentOf(site: Omit<SiteRow, 'mac'>): string {
  const { id, storeId, origin, addedAt, addedBy, acceptedAt, acceptedBy, struckAt, struckBy } = site;
  return steady([id, storeId, origin, addedAt, addedBy, acceptedAt, acceptedBy, struckAt, struckBy]);
}

const isAsStored = (row: SiteRow): boolean => isMac('store site', contentOf(row), row.mac);

const fromRow = ({ mac, ...row }: SiteRow): Site => ({
  ...row,
  addedBy: row.addedBy ?? undefined,
  acceptedAt: row.acceptedAt ?? undefined,
  acceptedBy: row.acceptedBy ?? undefined,
  struckAt: row.struckAt ?? undefined,
  struckBy: row.struckBy ?? undefined,
  isAltered: !isAsStored({ mac, ...row }),
});

function toRow({ id, storeId, origin, addedAt, ...site }: Site): Omit<SiteRow, 'mac'> {
  const { addedBy, acceptedAt, acceptedBy, struckAt, struckBy } = site;
  return {
    ...{ id, storeId, origin, addedAt, addedBy: addedBy ?? null, acceptedAt: acceptedAt ?? null },
    ...{ acceptedBy: acceptedBy ?? null, struckAt: struckAt ?? null, struckBy: struckBy ?? null },
  };
}

/** Returns the web sites of stores by the stores' ids, the oldest first. */
export async function sitesOfStores(db: Statements, storeIds: readonly string[]): Promise<Map<string, Site[]>> {
  if (storeIds.length === 0) return new Map();
  const rows = await db.rows<SiteRow>(
    `select ${COLUMNS} from store_site where store_id = any ($1::uuid[]) order by added_at, id`,
    [storeIds],
    { name: 'gate.store_sites' },
  );
  return Map.groupBy(rows.map(fromRow), ({ storeId }) => storeId);
}

/** Returns the web sites of a store, the oldest first. */
export const sitesOf = async (db: Statements, { id }: Pick<Store, 'id'>): Promise<Site[]> =>
  (await sitesOfStores(db, [id])).get(id) ?? [];

/** Returns the web sites of all stores of some businesses by the ids of the businesses, the oldest first. */
export async function sitesOfBusinesses(db: Statements, businessIds: readonly string[]): Promise<Map<string, Site[]>> {
  const rows = await db.rows<SiteRow & { businessId: string }>(
    `select ${COLUMNS}, (select business_id from store where store.id = store_id) as "businessId" from store_site
     where store_id in (select id from store where business_id = any ($1::uuid[])) order by added_at, id`,
    [businessIds],
    { name: 'gate.business_sites' },
  );
  const owned = rows.map(({ businessId, ...row }) => ({ businessId, site: fromRow(row) }));
  const groups = Map.groupBy(owned, ({ businessId }) => businessId);
  return new Map([...groups].map(([id, some]) => [id, some.map(({ site }) => site)]));
}

/** Returns the number of businesses with web sites that members added and nobody at the desk has decided about. */
export const countUndecidedSites = async (db: Statements): Promise<number> =>
  (
    await db.row<{ count: number }>(
      `select count(distinct business_id)::int as count from store_site join store on store.id = store_id
       where added_by is not null and accepted_at is null and struck_at is null and business_id is not null`,
      [],
      { name: 'gate.undecided_sites' },
    )
  )?.count ?? 0;

/** Adds web sites to a store. */
export async function addSites(tx: Tx, sites: readonly Site[]): Promise<void> {
  for (const site of sites) {
    const row = toRow(site);
    await tx.run(
      `insert into store_site (id, store_id, origin, added_at, added_by, accepted_at, accepted_by, struck_at, struck_by, mac)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        ...[row.id, row.storeId, row.origin, row.addedAt, row.addedBy, row.acceptedAt, row.acceptedBy, row.struckAt],
        ...[row.struckBy, macOf('store site', contentOf(row))],
      ],
    );
  }
}

/** Returns a site that is new in a locked store. `addedBy`: id of the member; undefined for a site of the application. */
export const newSite = (tx: Tx, { id: storeId }: Pick<Store, 'id'>, origin: string, addedBy: string | undefined): Site => ({
  ...{ id: newId(), storeId, origin, addedAt: tx.now, addedBy, isAltered: false },
  ...{ acceptedAt: undefined, acceptedBy: undefined, struckAt: undefined, struckBy: undefined },
});

/** Stores the desk's decision about a site. Throws for an altered site. */
export async function saveSite(tx: Tx, site: Site): Promise<void> {
  if (site.isAltered) throw new Error(`The site ${site.id} was altered, and is not written`);
  const row = toRow(site);
  await tx.run(
    'update store_site set accepted_at = $2, accepted_by = $3, struck_at = $4, struck_by = $5, mac = $6 where id = $1',
    [row.id, row.acceptedAt, row.acceptedBy, row.struckAt, row.struckBy, macOf('store site', contentOf(row))],
  );
}

/** Removes a site. */
export async function deleteSite(tx: Tx, { id }: Site): Promise<void> {
  await tx.run('delete from store_site where id = $1', [id]);
}

/** Returns the ids of sites whose rows were changed by SQL. */
export const alteredSites = (db: Statements): Promise<string[]> =>
  idsOfAltered(
    (behind, max) =>
      db.rows<SiteRow>(`select ${COLUMNS} from store_site where $1::uuid is null or id > $1 order by id limit $2`, [
        behind ?? null,
        max,
      ]),
    isAsStored,
  );
