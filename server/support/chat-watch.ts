import { type Db, every } from '../platform/index.ts';
import { chatVersions } from './store.ts';

/** Milliseconds between two looks; each is one query for all listeners of the process. */
const LOOK_MS = 300;

/** Tells listeners of changed chats, by their orders. */
export interface ChatWatch {
  /** The version of an order's chat; 0 where there is none. */
  versionOf(orderId: string): Promise<number>;
  /** Calls back with each version of an order's chat behind `seen`. Gives the way to stop. */
  listen(orderId: string, seen: number, changed: (version: number) => void): () => void;
  stop(): Promise<void>;
}

interface Listener {
  readonly orderId: string;
  seen: number;
  readonly changed: (version: number) => void;
}

/** Begins to look. One per process. */
export function watchChats(db: Db): ChatWatch {
  const listeners = new Set<Listener>();
  const sweeper = every(LOOK_MS, 'support.chat_watch', async () => {
    if (listeners.size === 0) return;
    const versions = await chatVersions(db, [...new Set([...listeners].map(({ orderId }) => orderId))]);
    for (const listener of listeners) {
      const version = versions.get(listener.orderId) ?? 0;
      if (version <= listener.seen) continue;
      listener.seen = version;
      listener.changed(version);
    }
  });
  return {
    versionOf: async (orderId) => (await chatVersions(db, [orderId])).get(orderId) ?? 0,
    listen(orderId, seen, changed) {
      const listener = { orderId, seen, changed };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop: () => sweeper.stop(),
  };
}
