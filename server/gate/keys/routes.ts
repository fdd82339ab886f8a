// Bindings of the contract's calls about API keys of stores to this folder's verbs; no logic.

import type { Routes } from '@kurs/contract';
import { type Work, userOf } from '../../platform/index.ts';
import { type KeyDeps, makeStoreKey, revokeStoreKey, storeKeysView } from './make-key.ts';

type Names = 'storeKeys' | 'storeKeyMake' | 'storeKeyRevoke';

/** Returns the handlers of the calls about API keys of stores. */
export function keyRoutes(deps: KeyDeps): { [N in Names]: Work<Routes[N]> } {
  return {
    storeKeys: ({ store }, context) => storeKeysView(deps.db, store, context),
    storeKeyMake: (input, context) => makeStoreKey(deps, input, context),
    async storeKeyRevoke(input, context) {
      await revokeStoreKey(deps.db, input, userOf(context));
    },
  };
}
