// Bindings of the contract's calls about stores to this folder's verbs; no logic.

import type { Routes } from '@kurs/contract';
import { type Db, type Statements, type Work, answeredChange, userOf } from '../../platform/index.ts';
import { addSite, removeSite } from './change-sites.ts';
import { changeStore } from './change-store.ts';
import { makeStore } from './make-store.ts';
import { dropMark } from './marks.ts';
import type { Store } from './store.ts';
import { openStore } from './store-rows.ts';
import { callersPermissions, ownStore, storeView } from './views.ts';

type Names = 'storeMake' | 'store' | 'storeChange' | 'storeSiteAdd' | 'storeSiteRemove' | 'storeMarkRemove';

/** Returns the handlers of the calls about stores. */
export function storeRoutes({ db }: { readonly db: Db }): { [N in Names]: Work<Routes[N]> } {
  return {
    storeMake: (input, context) =>
      answeredChange(
        db,
        context,
        (keep) => makeStore(db, userOf(context).id, input, keep),
        (read: Statements, store: Store) => ownStore(read, userOf(context).id, store),
      ),
    async store({ store }, context) {
      const found = await openStore(db, store);
      return { ...(await storeView(db, found)), permissions: callersPermissions(context, found) };
    },
    storeChange: async (input) => storeView(db, await changeStore(db, input)),
    storeSiteAdd: async (input, context) => storeView(db, await addSite(db, input, userOf(context))),
    storeSiteRemove: async (input) => storeView(db, await removeSite(db, input)),
    storeMarkRemove: async ({ store }) => storeView(db, await dropMark(db, store)),
  };
}
