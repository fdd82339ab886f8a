import { takeEndingKeys } from '../../auth/index.ts';
import type { Sender } from '../../deliveries/index.ts';
import type { Db } from '../../platform/index.ts';
import { STORE } from '../stores/store.ts';
import { storesById } from '../stores/store-rows.ts';
import { queueKeyEnding } from './letters.ts';

/** Maximum number of keys in one transaction. */
const BATCH_SIZE = 100;

/** Queues the letters that are due about API keys of stores that end or have ended. Returns the number of these keys. */
export const mailEndingKeys = (db: Db, sender: Sender): Promise<number> =>
  db.tx(async (tx) => {
    const ending = await takeEndingKeys(tx, STORE, BATCH_SIZE);
    const stores = await storesById(
      tx,
      ending.map(({ on }) => on.id),
    );
    for (const key of ending) {
      const store = stores.get(key.on.id);
      if (store) await queueKeyEnding(tx, sender, store, key);
    }
    return ending.length;
  });
