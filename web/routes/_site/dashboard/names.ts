import { m } from '../../../features/words.ts';
import type { IconName } from '../../../ui/base/icons.ts';
import type { GuardedPage } from '../../pages.ts';

/** Names of the dashboard's pages, for titles and the menu. */
export const PAGE_NAMES: Readonly<Record<GuardedPage, () => string>> = {
  dashboard: () => m.dashboard_overview(),
  orders: () => m.dashboard_orders(),
  ownOrder: () => m.dashboard_order(),
  wallet: () => m.dashboard_wallet(),
  deposit: () => m.dashboard_deposit(),
  withdraw: () => m.dashboard_withdraw(),
  transactions: () => m.dashboard_transactions(),
  account: () => m.dashboard_account(),
  newOrder: () => m.dashboard_new(),
  affiliates: () => m.dashboard_affiliates(),
  discount: () => m.dashboard_discount(),
  business: () => m.dashboard_business(),
  businessApply: () => m.business_apply(),
  store: () => m.store_settings(),
  storeMembers: () => m.store_members(),
  storeKeys: () => m.store_keys(),
  storeSettlements: () => m.store_settlements(),
  storeWebhooks: () => m.store_webhooks(),
  storeWebhook: () => m.webhooks_one(),
  storeLinks: () => m.store_links(),
  storeInvoices: () => m.store_invoices(),
  storeEntries: () => m.store_report(),
  storePreview: () => m.preview_title(),
  storeInvoiceNew: () => m.invoices_new(),
  storeInvoice: () => m.invoices_one(),
  storeRefunds: () => m.store_refunds(),
  storeRefundNew: () => m.refunds_new(),
  storeRefund: () => m.refunds_one(),
};

interface MenuEntry {
  readonly page: GuardedPage;
  readonly icon: IconName;
  readonly iconHere: IconName;
  /** Pages without an entry of their own, on which this entry is marked. */
  readonly within?: readonly GuardedPage[];
}

/** Entries of the dashboard's menu, from top to bottom. */
export const MENU: readonly MenuEntry[] = [
  { page: 'dashboard', icon: 'house', iconHere: 'house-fill' },
  { page: 'orders', icon: 'receipt', iconHere: 'receipt-fill', within: ['ownOrder'] },
  { page: 'wallet', icon: 'wallet', iconHere: 'wallet-fill' },
  { page: 'deposit', icon: 'download-simple', iconHere: 'download-simple-fill' },
  { page: 'withdraw', icon: 'upload-simple', iconHere: 'upload-simple-fill' },
  { page: 'transactions', icon: 'arrows-left-right', iconHere: 'arrows-left-right-fill' },
  { page: 'discount', icon: 'seal-percent', iconHere: 'seal-percent-fill' },
  { page: 'affiliates', icon: 'users-three', iconHere: 'users-three-fill' },
  {
    page: 'business',
    icon: 'storefront',
    iconHere: 'storefront-fill',
    within: [
      'businessApply',
      'store',
      'storeMembers',
      'storeKeys',
      'storeSettlements',
      'storeInvoices',
      'storeEntries',
      'storeWebhooks',
      'storeWebhook',
      'storeLinks',
      'storePreview',
      'storeInvoiceNew',
      'storeInvoice',
      'storeRefunds',
      'storeRefundNew',
      'storeRefund',
    ],
  },
  { page: 'account', icon: 'user', iconHere: 'user-fill' },
];
