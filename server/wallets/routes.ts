// Bindings of the contract's calls to this room's verbs; no logic.

import type { Routes } from '@kurs/contract';
import { type Db, type Work, userOf } from '../platform/index.ts';
import { openDeposit } from './open-deposit.ts';
import { depositsOf, unitsOf } from './store.ts';
import { depositView, placeView, transactionsView, unitsView, walletsView } from './views.ts';

type Names = 'walletCurrencies' | 'walletUserCurrencies' | 'wallets' | 'walletStore' | 'walletDeposits' | 'walletTransactions';

/** The room's calls by their names in the contract. Each sees and opens the caller's own wallets alone. */
export function walletRoutes(db: Db): { [N in Names]: Work<Routes[N]> } {
  return {
    walletCurrencies: async () => unitsView(),
    walletUserCurrencies: async (_input, context) => unitsOf(db, userOf(context).id),
    wallets: async (_input, context) => walletsView(db, userOf(context).id),
    async walletStore({ currency: unit, rail }, context) {
      const user = userOf(context);
      const opened = await db.tx((tx) => openDeposit(tx, user, { unit, rail }));
      const [wallet] = await walletsView(db, user.id, unit);
      if (!wallet) throw new Error(`the wallet of ${unit} is missing`);
      return { wallet, deposit: opened ? placeView(opened.currency, opened.place) : null };
    },
    walletDeposits: async ({ limit }, context) => (await depositsOf(db, userOf(context).id, { limit })).map(depositView),
    walletTransactions: async (input, context) => transactionsView(db, userOf(context).id, input),
  };
}
