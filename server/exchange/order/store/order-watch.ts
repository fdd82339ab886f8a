import { type Db, type VersionWatch, watchVersions } from '../../../platform/index.ts';
import { versionsOf } from './order-store.ts';

/** Changes are notified; this poll finds changes whose notification was missed. */
const POLL_MS = 1_000;

/** Watches orders for changes: one query for all listeners of the process whenever an order or a chain has changed. */
export const watchOrders = (db: Db): VersionWatch =>
  watchVersions(POLL_MS, 'exchange.order_watch', (ids) => versionsOf(db, ids), ['owners', 'blocks']);
