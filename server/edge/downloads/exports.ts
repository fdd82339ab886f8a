// The files that account holders download: of their own data, and of their stores.

import { EXPORTS, type Routes, routes } from '@kurs/contract';
import type { SignedInUsers } from '../../accounts/index.ts';
import { orderRows, ordersAmong, ownerOf } from '../../exchange/index.ts';
import { storeMoves } from '../../gate/index.ts';
import { type Db, type Server, userOf } from '../../platform/index.ts';
import { statisticsRows } from '../../referrals/index.ts';
import { operationRows } from '../../wallets/index.ts';
import { type Download, mountDownload } from './mount-download.ts';
import { mountStoreExports } from './store-exports.ts';

/** Serves the exports of orders, operations and affiliate statistics, and issues the one-use links for them. */
export function mountExports(server: Server, db: Db, users: Pick<SignedInUsers, 'bySession'>): void {
  const deps = { server, db, users };
  mountDownload(deps, {
    ticket: routes.orderExportTicket,
    path: EXPORTS.orders.path,
    name: 'orders',
    widths: [16, 9, 11, 25, 25, 18, 14, 18, 14, 44, 28, 44],
    rows: (context, filter) => orderRows(db, ownerOf(context), filter),
  } satisfies Download<Routes['orderExportTicket']>);
  mountDownload(deps, {
    ticket: routes.transactionExportTicket,
    path: EXPORTS.transactions.path,
    name: 'transactions',
    widths: [40, 16, 18, 11, 25, 14, 20, 20, 14, 12, 16, 14, 44, 30, 44, 30],
    rows: (context, filter) => operationRows({ db, sources: [ordersAmong, storeMoves] }, userOf(context).id, filter),
  } satisfies Download<Routes['transactionExportTicket']>);
  mountDownload(deps, {
    ticket: routes.affiliateExportTicket,
    path: EXPORTS.statistics.path,
    name: 'affiliate-statistics',
    widths: [12, 32, 10, 10, 10, 16, 16],
    rows: (context, filter) => statisticsRows(db, userOf(context).id, filter),
  } satisfies Download<Routes['affiliateExportTicket']>);
  mountStoreExports(deps);
}
