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
};

/** Entries of the dashboard's menu, from top to bottom. */
export const MENU: readonly { readonly page: GuardedPage; readonly icon: IconName; readonly iconHere: IconName }[] = [
  { page: 'dashboard', icon: 'house', iconHere: 'house-fill' },
  { page: 'orders', icon: 'receipt', iconHere: 'receipt-fill' },
  { page: 'wallet', icon: 'wallet', iconHere: 'wallet-fill' },
  { page: 'deposit', icon: 'download-simple', iconHere: 'download-simple-fill' },
  { page: 'withdraw', icon: 'upload-simple', iconHere: 'upload-simple-fill' },
  { page: 'transactions', icon: 'arrows-left-right', iconHere: 'arrows-left-right-fill' },
  { page: 'discount', icon: 'seal-percent', iconHere: 'seal-percent-fill' },
  { page: 'affiliates', icon: 'users-three', iconHere: 'users-three-fill' },
  { page: 'account', icon: 'user', iconHere: 'user-fill' },
];
