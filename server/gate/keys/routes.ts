// Bindings of the contract's calls about API keys of stores to this folder's verbs; no logic.

import type { Routes } from '@kurs/contract';
import { type Statements, type Work, answeredChange, userOf } from '../../platform/index.ts';
import { type KeyDeps, type NewStoreKey, makeStoreKey, revokeStoreKey, storeKeysView } from './make-key.ts';

type Names = 'storeKeys' | 'storeKeyMake' | 'storeKeyRevoke';

/** Returns the handlers of the calls about API keys of stores. */
export function keyRoutes(deps: KeyDeps): { [N in Names]: Work<Routes[N]> } {
  return {
    storeKeys: ({ store }, context) => storeKeysView(deps.db, store, context),
    storeKeyMake: (input, context) =>
      answeredChange(
        deps.db,
        context,
        (keep) => makeStoreKey(deps, input, context, keep),
        async (_read: Statements, made: NewStoreKey) => made,
      ),
    async storeKeyRevoke(input, context) {
      await revokeStoreKey(deps.db, input, userOf(context));
    },
  };
}
