// Web sites of a store: added and removed by its members, accepted and struck by the desk.

import { type Input, Problem, type Routes, fieldProblem } from '@kurs/contract';
import type { Db, Tx, User } from '../../platform/index.ts';
import type { Business } from '../businesses/business.ts';
import { lockBusiness } from '../businesses/business-store.ts';
import { type LetterSender, mailStruckSite } from '../businesses/letters.ts';
import { isOnSites, sitesAbout } from './require-on-sites.ts';
import { MAX_SITES, type Site, isBelowStruck, isStruck, leadsToSite } from './site.ts';
import { addSites, deleteSite, newSite, saveSite, sitesOf, sitesOfBusinesses } from './site-rows.ts';
import { type Store, hasSites } from './store.ts';
import { lockStore, openStore, saveStore, storeIdsOf, storesById } from './store-rows.ts';

/**
 * Adds a web site to the store of a business. Return addresses may lead there at once. Throws `store_without_sites`, and
 * `validation` at `site` for one that the store has, for one too many, and at a struck site or below it.
 */
export async function addSite(
  db: Db,
  { store: id, site: origin }: Input<Routes['storeSiteAdd']>,
  { id: holderId }: User,
): Promise<Store> {
  return db.tx(async (tx) => {
    const store = await lockWithBusiness(tx, id);
    const own = await sitesOf(tx, store);
    if (isBelowStruck(origin, await sitesAbout(tx, store))) throw fieldProblem('site', 'site_struck');
    if (own.some((site) => site.origin === origin)) throw fieldProblem('site', 'site_added');
    if (own.length >= MAX_SITES) throw fieldProblem('site', 'sites_too_many', { max: String(MAX_SITES) });
    await addSites(tx, [newSite(tx, store, origin, holderId)]);
    return store;
  });
}

/** Adds the web sites of the application to a new store of a business, without those that the desk struck in other stores. */
export async function addFirstSites(tx: Tx, store: Store, origins: readonly string[]): Promise<void> {
  const others = await sitesAbout(tx, store);
  const first = [...new Set(origins)].filter((origin) => !isBelowStruck(origin, others));
  await addSites(
    tx,
    first.map((origin) => newSite(tx, store, origin, undefined)),
  );
}

/**
 * Locks the store of a business behind the business, so that the desk strikes no site in the meantime. Throws
 * `store_without_sites`.
 */
async function lockWithBusiness(tx: Tx, id: string): Promise<Store> {
  const { businessId } = await openStore(tx, id);
  if (businessId !== undefined) await lockBusiness(tx, businessId);
  const store = await lockStore(tx, id);
  if (!hasSites(store)) throw new Problem('store_without_sites');
  return store;
}

/**
 * Removes a web site from the store of a business. Throws `store_without_sites`, `not_found` if the store doesn't have the site,
 * and `validation` at `site` for a struck one, and for one to which the store's return address leads.
 */
export async function removeSite(db: Db, { store: id, site: origin }: Input<Routes['storeSiteRemove']>): Promise<Store> {
  return db.tx(async (tx) => {
    const store = await lockWithBusiness(tx, id);
    const sites = await sitesOf(tx, store);
    const site = sites.find((one) => one.origin === origin);
    if (!site) throw new Problem('not_found');
    if (isStruck(site)) throw fieldProblem('site', 'site_struck');
    const { returnUrl } = store;
    const left = sites.filter((one) => one !== site);
    if (returnUrl !== undefined && leadsToSite(returnUrl, sites) && !leadsToSite(returnUrl, left))
      throw fieldProblem('site', 'site_in_use');
    await deleteSite(tx, site);
    return store;
  });
}

/** The desk's decision about a web site. `by`: names of the people. */
interface SiteDecision {
  readonly origin: string;
  readonly by: readonly string[];
}

/** Returns the rows of a site in all stores of a business. Throws `not_found` if there are none. */
export async function sitesNamed(tx: Tx, { id }: Pick<Business, 'id'>, origin: string): Promise<Site[]> {
  const sites = (await sitesOfBusinesses(tx, [id])).get(id)?.filter((site) => site.origin === origin) ?? [];
  if (sites.length === 0) throw new Problem('not_found');
  return sites;
}

/**
 * Strikes a site of a locked business in all its stores, and notifies the owner by letter. Return addresses of stores that lead
 * there are removed. Throws `record_altered` if SQL changed a row of the site.
 */
export async function strikeSite(tx: Tx, sender: LetterSender, business: Business, { origin, by }: SiteDecision): Promise<void> {
  for (const site of await sitesNamed(tx, business, origin))
    await saveDecided(tx, { ...site, struckAt: tx.now, struckBy: by.join(', ') });
  const stores = await storesById(tx, await storeIdsOf(tx, business.id));
  for (const id of stores.keys()) {
    const store = await lockStore(tx, id);
    if (store.returnUrl !== undefined && !(await isOnSites(tx, store, store.returnUrl)))
      await saveStore(tx, { ...store, returnUrl: undefined });
  }
  await mailStruckSite(tx, sender, business, origin);
}

/** Lets a site of a locked business stand in all its stores, also one that was struck. Throws `record_altered`. */
export async function acceptSite(tx: Tx, business: Business, { origin, by }: SiteDecision): Promise<void> {
  for (const site of await sitesNamed(tx, business, origin))
    await saveDecided(tx, {
      ...site,
      ...{ acceptedAt: tx.now, acceptedBy: by.join(', '), struckAt: undefined, struckBy: undefined },
    });
}

async function saveDecided(tx: Tx, site: Site): Promise<void> {
  if (site.isAltered) throw new Problem('record_altered');
  await saveSite(tx, site);
}
