import { type Db, type VersionWatch, watchVersions } from '../platform/index.ts';
import { chatVersions } from './store.ts';

/** Milliseconds between two looks; each is one query for all listeners of the process. */
const LOOK_MS = 300;

/** Tells listeners of changed chats, by their orders. */
export interface ChatWatch extends VersionWatch {
  /** The version of an order's chat; 0 where there is none. */
  versionOf(orderId: string): Promise<number>;
}

/** Begins to look. One per process. */
export function watchChats(db: Db): ChatWatch {
  return {
    ...watchVersions(LOOK_MS, 'support.chat_watch', (ids) => chatVersions(db, ids)),
    versionOf: async (orderId) => (await chatVersions(db, [orderId])).get(orderId) ?? 0,
  };
}
