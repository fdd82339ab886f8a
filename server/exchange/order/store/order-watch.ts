import { type Db, type VersionWatch, watchVersions } from '../../../platform/index.ts';
import { versionsOf } from './order-store.ts';

/** Changes are told; this finds what was not. */
const LOOK_MS = 1_000;

/** Tells listeners of changed orders: one query for all of a process's listeners, whenever some order or a chain has moved. */
export type OrderWatch = VersionWatch;

/** Begins to look. One per process. */
export const watchOrders = (db: Db): OrderWatch =>
  watchVersions(LOOK_MS, 'exchange.order_watch', (ids) => versionsOf(db, ids), ['owners', 'blocks']);
