// Bindings of the contract's calls about businesses to this folder's verbs; no logic.

import type { Routes } from '@kurs/contract';
import type { Sender } from '../../deliveries/index.ts';
import { type Db, type Statements, type Work, answeredChange, userOf } from '../../platform/index.ts';
import { apply } from './apply.ts';
import type { Business } from './business.ts';
import { businessView, ownBusinessView } from './views.ts';

type Names = 'business' | 'businessApply';

interface BusinessDeps {
  readonly db: Db;
  readonly sender: Sender;
}

/** Returns the handlers of the calls about businesses. */
export function businessRoutes({ db, sender }: BusinessDeps): { [N in Names]: Work<Routes[N]> } {
  return {
    business: (_input, context) => ownBusinessView(db, userOf(context).id, context.locale),
    businessApply: (input, context) =>
      answeredChange(
        db,
        context,
        (keep) => apply(db, sender, userOf(context).id, input, keep),
        (_read: Statements, business: Business) => Promise.resolve(businessView(business)),
      ),
  };
}
