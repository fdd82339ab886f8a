import { redirect } from 'react-router';
import { m } from '../../../../../features/words.ts';
import { notThere } from '../../../../../server/document/failure.ts';
import type { Visit } from '../../../../../server/routing/visit.ts';
import { pageUrl } from '../../../../pages.ts';
import { PAGE_NAMES } from '../../names.ts';
import type { StoreChoices } from '../store-fields.tsx';
import { type StoreTab, tabsOf } from '../store-tabs.ts';
import type { OwnStore } from '../store-words.ts';

/** Data that each page of a store has. */
export interface StoreData {
  readonly head: { readonly title: string };
  readonly store: OwnStore;
  readonly choices: StoreChoices;
}

/** Returns the id of the store that a URL names by `store`, or else by `id`; empty if it names none. */
export const storeIdOf = ({ url }: Visit): string => url.searchParams.get('store') ?? url.searchParams.get('id') ?? '';

/**
 * Loads the store that the URL names, for one of its pages. Redirects to the store's settings if the account holder may not open
 * that page. Throws the page that says that there is no such store.
 */
export async function ownStore(visit: Visit, page: StoreTab['page']): Promise<StoreData> {
  const { stores, invitations: _invitations, makeable: _makeable, ...choices } = await visit.client.stores({});
  const id = storeIdOf(visit);
  const found = stores.find((one) => one.id === id);
  if (!found) notThere(visit, m.store_missing_title(), m.store_missing_lead());
  // The API may have another origin than the site.
  const store = { ...found, ...(found.mark !== undefined && { mark: (visit.config.api ?? '') + found.mark }) };
  if (!tabsOf(store).some((tab) => tab.page === page)) throw redirect(pageUrl(visit.locale, 'store', { id }));
  const head = { title: `${store.name} · ${PAGE_NAMES[page]()}` };
  return { head, store, choices };
}
