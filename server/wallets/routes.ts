// Binds the contract's routes to this room's functions; no logic.

import { Problem, type Routes, fieldProblem } from '@kurs/contract';
import { isUnit } from '@kurs/money';
import { unswept } from '../payments/index.ts';
import { type Context, type Work, holderBehind, userOf } from '../platform/index.ts';
import { type RequestDeps, requestDeposit, redeemDeposit } from './deposits/request-deposit.ts';
import { depositRequestView } from './deposits/deposit-request.ts';
import { requestById } from './deposits/deposit-request-store.ts';
import type { CauseSource } from './statements/causes.ts';
import { depositView } from './deposits/deposit-view.ts';
import { openDeposit } from './deposits/open-deposit.ts';
import { balanceThen, figures, operation, operations } from './statements/operations.ts';
import { depositsOf, unitsOf } from './store.ts';
import { withdrawalSource } from './views/withdrawal-view.ts';
import { addressView, transactionsView, unitsView, walletsView } from './views/views.ts';

const HOUR = 3_600;
/** Maximum number of deposits that a holder may request within an hour. */
const ASKS = { max: 60, seconds: HOUR };
/** Maximum number of vouchers that a holder may enter within an hour. */
const ENTRIES = { max: 30, seconds: HOUR };

type RouteName =
  | 'walletCurrencies'
  | 'walletUserCurrencies'
  | 'wallets'
  | 'walletStore'
  | 'walletDeposits'
  | 'walletTransactions'
  | 'walletDepositAsk'
  | 'walletDepositAsked'
  | 'walletDepositRedeem'
  | 'walletBalance'
  | 'userTransactions'
  | 'userTransaction'
  | 'userTransactionFigures';

/**
 * Returns the handlers of the room's routes. Each handler reads and opens only the caller's own wallets. `sources`: functions of
 * other rooms that return details of operations, by the causes of journals.
 */
export function walletRoutes(given: RequestDeps, sources: readonly CauseSource[] = []): { [N in RouteName]: Work<Routes[N]> } {
  const { db } = given;
  const shown = async (holderId: string, id: string, { locale }: Context) => {
    const found = await requestById(db, holderId, id);
    if (!found) throw new Problem('not_found');
    return depositRequestView(found.request, found.deposits, locale, await db.now());
  };
  const deps = { db, sources: [withdrawalSource, ...sources] };
  return {
    walletCurrencies: async (_input, { locale }) => unitsView(locale),
    walletUserCurrencies: async (_input, context) => unitsOf(db, userOf(context).id),
    wallets: async (_input, context) => walletsView(db, holderBehind(context).id),
    async walletStore({ currency: unit, rail }, context) {
      const user = userOf(context);
      const opened = await db.tx((tx) => openDeposit(tx, user, { unit, rail }));
      const [wallet] = await walletsView(db, user.id, unit);
      if (!wallet) throw new Error(`the wallet of ${unit} is missing`);
      return { ...wallet, deposit: opened ? addressView(opened.currency, opened.address) : null };
    },
    async walletDeposits({ limit }, context) {
      const found = await depositsOf(db, userOf(context).id, { limit });
      const still = await unswept(
        db,
        found.map(({ payinId }) => payinId),
      );
      return found.map((one) => depositView(one, still));
    },
    async walletDepositAsk(input, context) {
      const user = userOf(context);
      await context.limit(`deposit ${user.id}`, ASKS);
      return shown(user.id, await requestDeposit(given, user, input, context), context);
    },
    walletDepositAsked: ({ id }, context) => shown(userOf(context).id, id, context),
    async walletDepositRedeem(input, context) {
      const user = userOf(context);
      await context.limit(`redeem ${user.id}`, ENTRIES);
      return shown(user.id, await redeemDeposit(given, user, input), context);
    },
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
