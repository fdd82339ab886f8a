// Checks that an address to which a buyer returns leads to the store's own web sites.

import { fieldProblem, isPlainHttps } from '@kurs/contract';
import type { Statements } from '../../platform/index.ts';
import { type Site, isStruck, leadsToSite } from './site.ts';
import { sitesOf, sitesOfBusinesses } from './site-rows.ts';
import { type Store, hasSites } from './store.ts';

type Owner = Pick<Store, 'id' | 'kind' | 'businessId'>;

/** Returns the sites of a store, and struck ones of the other stores of its business. */
export async function sitesAbout(db: Statements, store: Owner): Promise<Site[]> {
  if (store.businessId === undefined) return sitesOf(db, store);
  const all = (await sitesOfBusinesses(db, [store.businessId])).get(store.businessId) ?? [];
  return all.filter((site) => site.storeId === store.id || isStruck(site));
}

/**
 * True if buyers of a store may return to an address now. It is https without credentials and port. For the store of a business
 * it leads to one of the store's web sites that is not struck: to its host or a subdomain. A personal store has no web sites, and
 * nobody has checked who its owner is: its page would name any site as the receiver. A test store takes no money.
 */
export async function isOnSites(db: Statements, store: Owner, url: string): Promise<boolean> {
  if (!isPlainHttps(url) || store.kind === 'personal') return false;
  return !hasSites(store) || leadsToSite(url, await sitesAbout(db, store));
}

/** Throws `validation` at a field unless buyers of a store may return to an address, as `isOnSites` says. */
export async function requireOnSites(db: Statements, store: Owner, url: string, field: string): Promise<void> {
  if (!isPlainHttps(url)) throw fieldProblem(field, 'url_format');
  if (store.kind === 'personal') throw fieldProblem(field, 'url_of_personal');
  if (!(await isOnSites(db, store, url))) throw fieldProblem(field, 'url_not_on_sites');
}
