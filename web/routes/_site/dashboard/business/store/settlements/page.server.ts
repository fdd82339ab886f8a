import type { Output, Routes, Sent } from '@kurs/contract';
import type { Visit } from '../../../../../../server/routing/visit.ts';
import { type DaysRequest, readDays } from '../../../orders/requested-days.ts';
import { type Meta, askRows, pageOf, rowsOf } from '../../../orders/rows.ts';
import { answered } from '../../answered.ts';
import { type StoreData, ownStore, storeIdOf } from '../own-store.ts';
import { type SettlementsFilter, readFilter } from './settlements-filter.ts';

export type StoreBalance = Output<Routes['storeBalance']>;
export type UnitBalance = StoreBalance['balances'][number];
export type ListedSettlement = Output<Routes['settlements']>[number];

/** Data of the page with a store's balance and its moves. */
export interface SettlementsData extends StoreData {
  readonly now: string;
  readonly balance: StoreBalance;
  /** Available sums of the owner's wallets, by unit; empty for other members. */
  readonly wallets: Readonly<Record<string, string>>;
  readonly filter: SettlementsFilter;
  readonly wrongDays: DaysRequest['wrongDays'];
  readonly settlements: readonly ListedSettlement[];
  readonly meta: Meta;
}

/** Loads a store's balance, and a page of its moves by the filter in the URL. */
export async function load(visit: Visit): Promise<SettlementsData> {
  const own = await ownStore(visit, 'storeSettlements');
  const { client, url } = visit;
  const { store } = own;
  const filter = readFilter(url.searchParams);
  const { days, wrongDays } = readDays(filter);
  const request: Pick<Sent<Routes['settlements']>, 'store' | 'direction' | 'from' | 'to'> = {
    store: store.id,
    ...(filter.direction !== 'all' && { direction: filter.direction }),
    ...days,
  };
  const mayMove = store.permissions.includes('settlement.move');
  const [balance, wallets, found] = await Promise.all([
    client.storeBalance({ store: store.id }),
    mayMove ? client.wallets({}) : [],
    askRows((page, per_page) => client.settlements({ ...request, page, per_page }), {
      page: pageOf(url.searchParams),
      rows: rowsOf(url.searchParams),
    }),
  ]);
  return {
    ...{ ...own, now: visit.now, balance, filter, wrongDays, settlements: found.data, meta: found.meta },
    wallets: Object.fromEntries(wallets.map(({ currency, available }) => [currency, available])),
  };
}

/** Switches the daily move on or off. */
export const submit = async (visit: Visit, form: URLSearchParams): Promise<unknown> =>
  answered(form, () => visit.client.settlementDaily({ store: storeIdOf(visit), on: form.get('on') === 'yes' }));
