import { type Output, type Routes, STORE_MARKS_PATH, STORE_PERMISSIONS, type StorePermission } from '@kurs/contract';
import { grantsOf } from '../../auth/index.ts';
import { API_PREFIX, type Context, type Statements } from '../../platform/index.ts';
import { countedState } from '../businesses/business.ts';
import { businessesById } from '../businesses/business-store.ts';
import { takesReversible } from './currencies.ts';
import { type Site, isStruck } from './site.ts';
import { sitesOfStores } from './site-rows.ts';
import { STORE, type Store, isStoreRole, isTestStore } from './store.ts';
import { storesById } from './store-rows.ts';
import { percentageOf } from './tolerance.ts';

type StoreView = Output<Routes['storeChange']>;
type OwnStore = Output<Routes['storeMake']>;

/** Returns the address of a store's picture. */
export const markUrl = (mark: string): string => `${API_PREFIX}${STORE_MARKS_PATH}/${mark}`;

/** Returns what buyers see of a store, in the form of the API. */
export const storeForBuyers = ({ name, mark, colour }: Store): Output<Routes['paymentInvoice']>['store'] => ({
  name,
  ...(mark !== undefined && { mark: markUrl(mark) }),
  ...(colour !== undefined && { colour }),
});

/** Returns stores in the form of the API, with their web sites and the states of their businesses. */
export async function storeViews(db: Statements, stores: readonly Store[]): Promise<StoreView[]> {
  const businesses = await businessesById(
    db,
    stores.flatMap(({ businessId }) => businessId ?? []),
  );
  const sites = await sitesOfStores(
    db,
    stores.map(({ id }) => id),
  );
  return stores.map((store) => {
    const { id, kind, name, timezone, businessId, createdAt } = store;
    const business = businessId === undefined ? undefined : businesses.get(businessId);
    return {
      ...{ id, kind, name, timezone, created_at: createdAt.toISOString(), test: isTestStore(store) },
      ...{ invoice_currency: store.invoiceCurrency, settlement_currency: store.settlementCurrency },
      ...settingsView(store),
      takes_reversible: takesReversible(store, business),
      sites: (sites.get(id) ?? []).map(siteView),
      ...(business && { business_state: countedState(business) }),
    };
  });
}

/** Returns the settings of a store for its invoices, in the form of the API. */
function settingsView({ tolerance, lifeMinutes, costsBearer, shortPreset, hasLetters, ...store }: Store) {
  const { returnUrl, methods, colour, mark } = store;
  return {
    ...{ tolerance: percentageOf(tolerance), life_minutes: lifeMinutes, costs_bearer: costsBearer, short_preset: shortPreset },
    ...(returnUrl !== undefined && { return_url: returnUrl }),
    ...(methods && { methods: [...methods] }),
    ...(colour !== undefined && { colour }),
    ...(mark !== undefined && { mark: markUrl(mark) }),
    letters: hasLetters,
  };
}

const siteView = (site: Site): StoreView['sites'][number] => ({
  ...{ site: site.origin, added_at: site.addedAt.toISOString(), struck: isStruck(site) },
});

/** Returns a store in the form of the API. */
export const storeView = async (db: Statements, store: Store): Promise<StoreView> =>
  (await storeViews(db, [store]))[0] as StoreView;

/** Returns the stores in which an account holder has a role, the oldest first, with the role and its permissions. */
export async function ownStores(db: Statements, holderId: string): Promise<OwnStore[]> {
  const held = await grantsOf(db, holderId, STORE);
  const stores = await storesById(
    db,
    held.map(({ on }) => on.id),
  );
  const views = await storeViews(db, [...stores.values()]);
  return views.flatMap((view) => {
    const grant = held.find(({ on }) => on.id === view.id);
    return grant && isStoreRole(grant.role) ? [{ ...view, role: grant.role, permissions: knownAmong(grant.permissions) }] : [];
  });
}

/** Returns a store in which an account holder has a role, as `ownStores` does. */
export async function ownStore(db: Statements, holderId: string, { id }: Store): Promise<OwnStore> {
  const own = (await ownStores(db, holderId)).find((store) => store.id === id);
  if (!own) throw new Error(`the account has no role on the store ${id}`);
  return own;
}

/** Returns those of stored permissions that stores have, in the contract's order. */
export const knownAmong = (permissions: readonly string[]): StorePermission[] =>
  STORE_PERMISSIONS.filter((one) => permissions.includes(one));

/** Returns the permissions of a call's caller on a store: of the member's role, or of the API key. */
export function callersPermissions({ principal }: Pick<Context, 'principal'>, { id }: Pick<Store, 'id'>): StorePermission[] {
  const grants = principal?.grants.filter(({ on }) => on?.kind === STORE && on.id === id) ?? [];
  return knownAmong(grants.flatMap(({ permissions }) => permissions));
}
