import { type Db, type VersionWatch, watchVersions } from '../platform/index.ts';
import { chatVersions } from './store.ts';

/** Polling interval in ms. Each poll takes one query for all listeners of the process. */
const POLL_MS = 300;

/** Notifies listeners of changes in chats, by the id of the chat's owner. */
export interface ChatWatch extends VersionWatch {
  /** Returns the version of an owner's chat; 0 if there is none. */
  versionOf(id: string): Promise<number>;
}

/** Starts polling; call it once per process. */
export function watchChats(db: Db): ChatWatch {
  return {
    ...watchVersions(POLL_MS, 'support.chat_watch', (ids) => chatVersions(db, ids)),
    versionOf: async (id) => (await chatVersions(db, [id])).get(id) ?? 0,
  };
}
