import { type Db, type Sweeper, every } from '../platform/index.ts';
import { versionsOf } from './order-store.ts';

const LOOK_MS = 250;

/** Tells listeners of changed orders: one query for all of a process's listeners each 250 ms. */
export interface OrderWatch {
  /** Calls back with each new version of an order after `seen`. Gives the way to stop. */
  listen(orderId: string, seen: number, changed: (version: number) => void): () => void;
  stop(): Promise<void>;
}

interface Listener {
  readonly orderId: string;
  seen: number;
  readonly changed: (version: number) => void;
}

/** Begins to look. One per process. */
export function watchOrders(db: Db): OrderWatch {
  const listeners = new Set<Listener>();
  const look = async (): Promise<void> => {
    if (listeners.size === 0) return;
    const versions = await versionsOf(db, [...new Set([...listeners].map(({ orderId }) => orderId))]);
    for (const listener of listeners) {
      const version = versions.get(listener.orderId);
      if (version === undefined || version <= listener.seen) continue;
      listener.seen = version;
      listener.changed(version);
    }
  };
  const sweeper: Sweeper = every(LOOK_MS, 'exchange.order_watch', look);
  return {
    listen(orderId, seen, changed) {
      const listener = { orderId, seen, changed };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop: () => sweeper.stop(),
  };
}
