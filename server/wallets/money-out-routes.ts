// Binds the contract's routes that take money out of wallets to this room's functions; no logic.

import type { Routes } from '@kurs/contract';
import { fieldProblem } from '@kurs/contract';
import { format, subtract } from '@kurs/money';
import { confirmationOf, currencyBy, personConfirmation } from '../moneyout/index.ts';
import { checkGivenAccount, currencyOf } from '../payments/index.ts';
import { type Context, type StoredAnswer, type Work, listMeta, userOf } from '../platform/index.ts';
import { openTransfers, transferConfirmation } from './withdrawals/transfer.ts';
import { cancelWaiting } from './withdrawals/turn-down.ts';
import type { Withdrawal } from './withdrawals/withdrawal.ts';
import { type WithdrawDeps, cancelWithdrawal, openWithdrawals, quoteWithdrawal } from './withdrawals/withdraw.ts';
import { type WithdrawalFilter, withdrawalsOf } from './withdrawals/withdrawal-store.ts';
import { voucherConfirmation, showWithdrawalVoucher, withdrawalViews } from './views/withdrawal-voucher.ts';
import { withdrawalView } from './views/withdrawal-view.ts';

type RouteName =
  | 'userWithdrawStore'
  | 'walletWithdrawQuote'
  | 'walletWithdrawRequest'
  | 'walletWithdrawRequests'
  | 'userWithdrawals'
  | 'walletWithdrawCancel'
  | 'walletWithdrawCancelWaiting'
  | 'walletWithdrawVoucher'
  | 'walletTransfer'
  | 'walletConfirmation';

/** Returns the handlers of the routes that take money out. Each handler takes only from the caller's own wallets. */
export function moneyOutOfWallets(deps: WithdrawDeps): { [N in RouteName]: Work<Routes[N]> } {
  const { db } = deps;
  const transfer = openTransfers(deps);
  const ask = openWithdrawals(deps);
  const list = async (holderId: string, input: WithdrawalFilter & { page: number; per_page: number }) => {
    const { page, per_page, ...filter } = input;
    const { rows, total } = await withdrawalsOf(db, holderId, filter, { offset: (page - 1) * per_page, limit: per_page });
    return { data: await withdrawalViews(db, rows), meta: listMeta({ page, per_page }, total, { rows: rows.length }) };
  };
  return {
    async walletWithdrawQuote(input, context) {
      const quote = await quoteWithdrawal(db, userOf(context), input, context);
      const { info, leaving, fee, smallest, available, people, confirmation, known } = quote;
      return {
        ...{ currency: info.unit, by: info.code, amount: format(leaving), fee: format(fee) },
        arrives: format(subtract(leaving, fee)),
        ...{ min: format(smallest), available: format(available), people },
        ...(confirmation !== undefined && { confirmation }),
        ...(known && { known }),
      };
    },
    async userWithdrawStore({ currency, ...input }, context) {
      const { unit, rail } = currencyOf(currency) ?? unknownCurrency();
      const request = { ...input, currency: unit, rail, source: 'affiliate' as const };
      return withdrawalView(await ask(userOf(context), request, context, storedAnswerOf(context)));
    },
    walletWithdrawRequest: async (input, context) =>
      withdrawalView(await ask(userOf(context), input, context, storedAnswerOf(context))),
    walletWithdrawRequests: async (input, context) => list(userOf(context).id, input),
    userWithdrawals: async (input, context) => list(userOf(context).id, input),
    walletWithdrawCancel: async ({ id }, context) => withdrawalView(await cancelWithdrawal(deps, userOf(context), id)),
    walletWithdrawCancelWaiting: async (_input, context) => ({ cancelled: await cancelWaiting(db, userOf(context).id) }),
    async walletWithdrawVoucher(input, context) {
      await context.limit(`voucher in session ${userOf(context).sessionId}`, { max: 30, seconds: 3_600 });
      return showWithdrawalVoucher(deps, userOf(context), input, context.ip);
    },
    walletTransfer: async (input, context) => transfer(userOf(context), input, context),
    async walletConfirmation({ action, currency, rail, amount, email, to, id }, context) {
      const holder = userOf(context);
      if (action === 'allow_list') return { confirmation: confirmationOf(['allow_list', holder.id]) };
      if (action === 'voucher') {
        if (id === undefined) throw fieldProblem('id', 'required');
        return { confirmation: voucherConfirmation(holder.id, id) };
      }
      if (action === 'person') {
        if (email === undefined) throw fieldProblem('email', 'required');
        return { confirmation: personConfirmation(holder.id, email) };
      }
      if (currency === undefined) throw fieldProblem('currency', 'required');
      if (action === 'transfer') {
        if (amount === undefined) throw fieldProblem('amount', 'required');
        if (email === undefined) throw fieldProblem('email', 'required');
        return { confirmation: transferConfirmation(holder, { currency, amount, to: email }) };
      }
      if (rail === undefined) throw fieldProblem('rail', 'required');
      const { code } = currencyBy(currency, rail);
      const { key } = await checkGivenAccount(db, code, to ?? {}, 'to');
      return { confirmation: confirmationOf(['address', holder.id, code, key]) };
    },
  };
}

/** Returns the response to a withdrawal, in the form in which it is stored together with the withdrawal. */
const storedAnswerOf =
  ({ storedAnswer }: Context) =>
  (one: Withdrawal): StoredAnswer | undefined =>
    storedAnswer?.(withdrawalView(one));

function unknownCurrency(): never {
  throw fieldProblem('currency', 'currency_unknown');
}
