import type { Output, Routes, Sent } from '@kurs/contract';
import type { Visit } from '../../../../server/routing/visit.ts';
import { type Meta, askRows, pageOf, rowsOf } from './rows.ts';
import { type DaysRequest, readDays } from './requested-days.ts';
import { type OrdersFilter, type OrdersGroup, GROUPS, isFiltered } from './filter.ts';

export type OwnOrder = Output<Routes['userOrders']>[number];

/** Filter of orders as input of API calls. */
export type RequestedFilter = Omit<Sent<Routes['orderExportTicket']>, 'format'>;

/** Data of the page with the account's orders. */
export interface OrdersData {
  readonly now: string;
  readonly filter: OrdersFilter;
  /** Filter as input of API calls, for exports. */
  readonly request: RequestedFilter;
  readonly wrongDays: DaysRequest['wrongDays'];
  readonly orders: readonly OwnOrder[];
  readonly meta: Meta;
  /** True if no filter is set. An empty list then means that the account has no orders. */
  readonly isWhole: boolean;
}

/** Loads a page of the account's orders, by the filter in the URL. */
export async function load(visit: Visit): Promise<OrdersData> {
  const filter = readFilter(visit.url.searchParams);
  const { days, wrongDays } = readDays(filter);
  const request: RequestedFilter = {
    ...(filter.status !== 'all' && { status: [...GROUPS[filter.status]] }),
    ...(/^[A-Z][A-Z0-9_]{1,19}$/.test(filter.currency) && { currency: [filter.currency] }),
    ...days,
    ...(filter.q !== '' && { q: filter.q.slice(0, 120) }),
  };
  const shown = { page: pageOf(visit.url.searchParams), rows: rowsOf(visit.url.searchParams) };
  const { data: orders, meta } = await askRows(
    (page, per_page) => visit.client.userOrders({ ...request, page, per_page }),
    shown,
  );
  return {
    now: visit.now,
    filter,
    request,
    wrongDays,
    orders,
    meta,
    isWhole: !isFiltered(filter) && filter.status === 'all',
  };
}

function readFilter(query: URLSearchParams): OrdersFilter {
  const text = (name: string): string => (query.get(name) ?? '').trim();
  const status = text('status');
  return {
    status: status in GROUPS ? (status as OrdersGroup) : 'all',
    currency: text('currency'),
    from: text('from'),
    to: text('to'),
    q: text('q'),
  };
}
