// Bindings of the contract's calls about a store's bookkeeping to this folder's verbs; no logic.

import type { Routes } from '@kurs/contract';
import type { Db, Work } from '../../platform/index.ts';
import { entryPage, monthReport } from './report.ts';

type Names = 'storeEntries' | 'storeReport';

/** Returns the handlers of the calls about a store's bookkeeping. */
export function bookkeepingRoutes({ db }: { readonly db: Db }): { [N in Names]: Work<Routes[N]> } {
  return {
    storeEntries: (input) => entryPage(db, input),
    storeReport: (input) => monthReport(db, input),
  };
}
