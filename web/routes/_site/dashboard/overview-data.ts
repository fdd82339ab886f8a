import type { Output, Routes } from '@kurs/contract';
import type { Visit } from '../../../server/visit.ts';
import { GROUPS } from './filter.ts';
import type { OwnOrder } from './orders-data.ts';
import type { Wallet } from './wallet/wallet-data.ts';

/** Where an account holder begins: what waits for him, what goes on, what was. */
export interface OverviewData {
  readonly now: string;
  readonly open: readonly OwnOrder[];
  readonly newest: readonly OwnOrder[];
  readonly figures: Output<Routes['userOrderFigures']>;
  readonly wallets: readonly Wallet[];
}

/** Open orders that are shown and watched, and the newest of all. */
const OPEN = 3;
const NEWEST = 5;

/** Loads the overview. */
export async function loadOverview({ client, now }: Visit): Promise<OverviewData> {
  const [open, newest, figures, wallets] = await Promise.all([
    client.userOrders({ status: [...GROUPS.open], per_page: OPEN }),
    client.userOrders({ per_page: NEWEST }),
    client.userOrderFigures({}),
    client.wallets({}),
  ]);
  return { now, open: open.data, newest: newest.data, figures, wallets };
}
