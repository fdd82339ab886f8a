import { type Input, Problem, type Routes } from '@kurs/contract';
import { grantRole, holderById } from '../../auth/index.ts';
import { levelOf } from '../../compliance/index.ts';
import { type Db, type KeepAnswer, type Statements, type Tx, newId } from '../../platform/index.ts';
import { type Business, countedState } from '../businesses/business.ts';
import { approvedBusiness, businessesOf } from '../businesses/business-store.ts';
import { MAX_STORES, STORE_LEVEL, type Store, type StoreKind, asResource } from './store.ts';
import { addFirstSites } from './change-sites.ts';
import { addStore, countStores } from './store-rows.ts';
import { initialSettings, requireChoices, requireReturn, withInput } from './store-settings.ts';

/**
 * Makes a store, of which the account holder becomes the owner. Throws `business_not_approved` for a business store without an
 * approved business, `level_needed` for other kinds, `stores_too_many`, and `validation` for a setting that can't be chosen. The first web
 * sites of a business store are those of the application. `keep`: stores the answer of the call with the store.
 */
export async function makeStore(
  db: Db,
  holderId: string,
  input: Input<Routes['storeMake']>,
  keep?: KeepAnswer<Store>,
): Promise<Store> {
  const { kind, name, invoice_currency: invoiceCurrency, settlement_currency: settlementCurrency } = input;
  return db.tx(async (tx) => {
    const business = await requireMakeable(tx, kind, holderId);
    const holder = await holderById(tx, holderId);
    const usual: Store = {
      ...{ id: newId(), kind, businessId: business?.id, holderId, name, invoiceCurrency, settlementCurrency },
      ...{ timezone: holder?.timezone ?? 'UTC', createdAt: tx.now, ...initialSettings() },
    };
    const store = withInput(usual, input);
    requireChoices(store);
    await addStore(tx, store);
    if (business) await addFirstSites(tx, store, business.web_sites);
    await requireReturn(tx, store);
    // Read behind the new row, which waits for a concurrent closing of the account: a closed account has no level.
    await requireLevel(tx, kind, holderId);
    await grantRole(tx, { holderId, on: asResource(store), role: 'owner', by: holderId });
    await keep?.(tx, store);
    return store;
  });
}

/**
 * Checks that an account holder may make a store of a kind. Returns the business for a business store. Concurrent calls
 * of one holder wait for each other, so that no limit is exceeded.
 */
async function requireMakeable(tx: Tx, kind: StoreKind, holderId: string): Promise<Business | undefined> {
  await tx.row(`select pg_advisory_xact_lock(hashtextextended('gate.stores ' || $1, 0))`, [holderId]);
  const business = kind === 'business' ? await approvedBusiness(tx, holderId) : undefined;
  if (kind === 'business' && !business) throw new Problem('business_not_approved');
  const max = MAX_STORES[kind];
  if ((await countStores(tx, { kind, holderId, businessId: business?.id })) >= max)
    throw new Problem('stores_too_many', { params: { max: String(max) } });
  return business;
}

async function requireLevel(tx: Tx, kind: StoreKind, holderId: string): Promise<void> {
  if (kind === 'business' || (await levelOf(tx, holderId)) >= STORE_LEVEL) return;
  throw new Problem('level_needed', { params: { level: String(STORE_LEVEL) } });
}

/** Returns the kinds of stores that an account holder may make now. */
export async function makeableKinds(db: Statements, holderId: string): Promise<StoreKind[]> {
  const [newest] = await businessesOf(db, holderId, 1);
  const business = newest && countedState(newest) === 'approved' ? newest : undefined;
  const hasLevel = (await levelOf(db, holderId)) >= STORE_LEVEL;
  const kinds: StoreKind[] = [];
  for (const kind of Object.keys(MAX_STORES) as StoreKind[]) {
    const isAllowed = kind === 'business' ? business !== undefined : hasLevel;
    const businessId = kind === 'business' ? business?.id : undefined;
    if (isAllowed && (await countStores(db, { kind, holderId, businessId })) < MAX_STORES[kind]) kinds.push(kind);
  }
  return kinds;
}
