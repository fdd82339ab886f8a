// Bindings of the contract's calls to this room's verbs; no logic.

import { Problem, type Routes, fieldProblem } from '@kurs/contract';
import { isUnit } from '@kurs/money';
import { type Db, type Work, userOf } from '../platform/index.ts';
import type { CauseSource } from './causes.ts';
import { openDeposit } from './open-deposit.ts';
import { balanceThen, figures, operation, operations } from './operations.ts';
import { depositsOf, unitsOf } from './store.ts';
import { withdrawalSource } from './withdrawal-view.ts';
import { depositView, placeView, transactionsView, unitsView, walletsView } from './views.ts';

type Names =
  | 'walletCurrencies' | 'walletUserCurrencies' | 'wallets' | 'walletStore' | 'walletDeposits' | 'walletTransactions'
  | 'walletBalance' | 'userTransactions' | 'userTransaction' | 'userTransactionFigures'; // prettier-ignore

/**
 * The room's calls by their names in the contract. Each sees and opens the caller's own wallets alone. `sources`: what
 * rooms that this one doesn't know tell of operations, by the causes of their journals.
 */
export function walletRoutes(db: Db, sources: readonly CauseSource[] = []): { [N in Names]: Work<Routes[N]> } {
  const deps = { db, sources: [withdrawalSource, ...sources] };
  return {
    walletCurrencies: async () => unitsView(),
    walletUserCurrencies: async (_input, context) => unitsOf(db, userOf(context).id),
    wallets: async (_input, context) => walletsView(db, userOf(context).id),
    async walletStore({ currency: unit, rail }, context) {
      const user = userOf(context);
      const opened = await db.tx((tx) => openDeposit(tx, user, { unit, rail }));
      const [wallet] = await walletsView(db, user.id, unit);
      if (!wallet) throw new Error(`the wallet of ${unit} is missing`);
      return { ...wallet, deposit: opened ? placeView(opened.currency, opened.place) : null };
    },
    walletDeposits: async ({ limit }, context) => (await depositsOf(db, userOf(context).id, { limit })).map(depositView),
    walletTransactions: async (input, context) => transactionsView(db, userOf(context).id, input),
    async walletBalance({ currency, at }, context) {
      const { id } = userOf(context);
      if (!isUnit(currency)) throw fieldProblem('currency', 'currency_unknown');
      return balanceThen(db, id, { currency, at: at === undefined ? await db.now() : new Date(at) });
    },
    userTransactions: async (input, context) => operations(deps, userOf(context).id, input),
    userTransactionFigures: async (input, context) => figures(deps, userOf(context).id, input),
    async userTransaction({ id }, context) {
      const found = await operation(deps, userOf(context).id, id);
      if (!found) throw new Problem('not_found');
      return found;
    },
  };
}
