// Bindings of the contract's calls about settlements to this folder's verbs; no logic.

import { Problem, type Routes } from '@kurs/contract';
import { type Db, type Sealer, type Work, listMeta, userOf } from '../../platform/index.ts';
import { lockStore, openStore } from '../stores/store-rows.ts';
import { moveToWallet } from './move.ts';
import { moveToStore } from './move-back.ts';
import { setDaily } from '../plans/plan-rows.ts';
import { settlementPage } from './settlement-rows.ts';
import { balanceView, settlementView } from './views.ts';

type Names = 'storeBalance' | 'settlements' | 'settlementMake' | 'settlementMoveBack' | 'settlementDaily';

interface SettlementDeps {
  readonly db: Db;
  /** Decrypts stored second-factor secrets. */
  readonly sealer: Sealer;
}

/** Returns the handlers of the calls about a store's balance and its moves. */
export function settlementRoutes(deps: SettlementDeps): { [N in Names]: Work<Routes[N]> } {
  const { db } = deps;
  return {
    storeBalance: async ({ store }) => balanceView(db, await openStore(db, store)),
    async settlements({ currency, ...input }) {
      const { timezone } = await openStore(db, input.store);
      const { settlements, total, next } = await settlementPage(db, { ...input, unit: currency }, timezone);
      return { data: settlements.map(settlementView), meta: listMeta(input, total, { rows: settlements.length, next }) };
    },
    settlementMake: async ({ currency: unit, ...input }, context) =>
      settlementView(await moveToWallet(deps, userOf(context), { ...input, unit })),
    settlementMoveBack: async ({ currency: unit, ...input }, context) =>
      settlementView(await moveToStore(deps, userOf(context), { ...input, unit }, context)),
    async settlementDaily({ store: id, on }) {
      const store = await db.tx(async (tx) => {
        const found = await lockStore(tx, id);
        // The balance of a personal store moves once it is deep, and a test store has none.
        if (found.kind !== 'business') throw new Problem('store_closed');
        await setDaily(tx, id, on);
        return found;
      });
      return balanceView(db, store);
    },
  };
}
