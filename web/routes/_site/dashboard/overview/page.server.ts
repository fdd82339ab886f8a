import type { Output, Routes } from '@kurs/contract';
import type { Visit } from '../../../../server/routing/visit.ts';
import { type Days, RANGES } from './days.ts';
import { GROUPS } from '../orders/filter.ts';
import type { OwnOrder } from '../orders/page.server.ts';
import type { Wallet } from '../wallet/page.server.ts';

/** Data of the overview: open orders, newest orders, figures and wallets. */
export interface OverviewData {
  readonly now: string;
  readonly open: readonly OwnOrder[];
  readonly newest: readonly OwnOrder[];
  readonly figures: Output<Routes['userOrderFigures']>;
  readonly wallets: readonly Wallet[];
  /** Number of days that the figures cover. */
  readonly days: Days;
  readonly protection: Protection;
}

/** Protections of the account, each true if it is on. */
export interface Protection {
  readonly hasEmail: boolean;
  readonly hasFactor: boolean;
  /** True if the allow-list is on: money leaves only to accounts in the address book. */
  readonly hasAllowList: boolean;
}

/** Maximum number of open orders on the page. */
const OPEN = 3;
/** Number of newest orders on the page. */
const NEWEST = 5;

/** Loads the overview. In the query, `days` selects the days of the figures. */
export async function load({ client, now, url }: Visit): Promise<OverviewData> {
  const days = RANGES.find((one) => String(one) === url.searchParams.get('days')) ?? 30;
  const [open, newest, figures, wallets, user, book] = await Promise.all([
    client.userOrders({ status: [...GROUPS.open], per_page: OPEN }),
    client.userOrders({ per_page: NEWEST }),
    client.userOrderFigures({ days }),
    client.wallets({}),
    client.userInfo({}),
    client.walletAddresses({}),
  ]);
  const protection = { hasEmail: user.email_verified === 1, hasFactor: user.two_factor_enabled, hasAllowList: book.allow_list };
  return { now, open: open.data, newest: newest.data, figures, wallets, days, protection };
}
