import { type Db, type VersionWatch, watchVersions } from '../../../platform/index.ts';
import { versionsOf } from './order-store.ts';

/** Interval of polling, in ms. Changes are notified at once; the poll finds changes whose notification was missed. */
const POLL_MS = 1_000;

/** Watches orders for changes: whenever an order or a chain changes, one query serves all listeners of the process. */
export const watchOrders = (db: Db): VersionWatch =>
  watchVersions(POLL_MS, 'exchange.order_watch', (ids) => versionsOf(db, ids), ['owners', 'blocks']);
