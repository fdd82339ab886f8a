import { m } from '../../../../features/words.ts';
import { pageUrl } from '../../../pages.ts';
import type { OwnStore } from './store-words.ts';

/** Page of a store. */
export interface StoreTab {
  readonly page:
    | 'store'
    | 'storeInvoices'
    | 'storeLinks'
    | 'storeRefunds'
    | 'storeSettlements'
    | 'storeEntries'
    | 'storeMembers'
    | 'storeKeys'
    | 'storeWebhooks';
  readonly word: () => string;
}

const SETTINGS: StoreTab = { page: 'store', word: () => m.store_settings() };
const INVOICES: StoreTab = { page: 'storeInvoices', word: () => m.store_invoices() };
const REFUNDS: StoreTab = { page: 'storeRefunds', word: () => m.store_refunds() };
const LINKS: StoreTab = { page: 'storeLinks', word: () => m.store_links() };
const SETTLEMENTS: StoreTab = { page: 'storeSettlements', word: () => m.store_settlements() };
const REPORT: StoreTab = { page: 'storeEntries', word: () => m.store_report() };
const MEMBERS: StoreTab = { page: 'storeMembers', word: () => m.store_members() };
const KEYS: StoreTab = { page: 'storeKeys', word: () => m.store_keys() };
const WEBHOOKS: StoreTab = { page: 'storeWebhooks', word: () => m.store_webhooks() };

/**
 * Returns the pages of a store that the account holder may open. A personal store has no members, keys or webhooks, and a test
 * store has no money.
 */
export const tabsOf = ({ kind, permissions }: Pick<OwnStore, 'kind' | 'permissions'>): readonly StoreTab[] => [
  ...(permissions.includes('invoices.read') ? [INVOICES, REFUNDS] : []),
  ...(permissions.includes('invoices.manage') ? [LINKS] : []),
  ...(kind !== 'test' && permissions.includes('reports.read') ? [SETTLEMENTS] : []),
  ...(permissions.includes('reports.read') ? [REPORT] : []),
  SETTINGS,
  ...(kind !== 'personal' && permissions.includes('members.manage') ? [MEMBERS] : []),
  ...(kind !== 'personal' && permissions.includes('keys.manage') ? [KEYS] : []),
  ...(kind !== 'personal' && permissions.includes('webhooks.manage') ? [WEBHOOKS] : []),
];

const BY_STORE: ReadonlySet<StoreTab['page']> = new Set(['storeInvoices', 'storeRefunds', 'storeLinks', 'storeEntries']);

/** Returns the URL of a store's page. Pages on which `id` names something else name the store by `store`. */
export const tabUrl = (locale: 'en' | 'ru', page: StoreTab['page'], store: string): string =>
  pageUrl(locale, page, BY_STORE.has(page) ? { store } : { id: store });
