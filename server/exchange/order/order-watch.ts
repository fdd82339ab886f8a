import { type Db, type VersionWatch, watchVersions } from '../../platform/index.ts';
import { versionsOf } from './order-store.ts';

const LOOK_MS = 250;

/** Tells listeners of changed orders: one query for all of a process's listeners each 250 ms. */
export type OrderWatch = VersionWatch;

/** Begins to look. One per process. */
export const watchOrders = (db: Db): OrderWatch => watchVersions(LOOK_MS, 'exchange.order_watch', (ids) => versionsOf(db, ids));
