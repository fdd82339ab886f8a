// Checks payouts of wallets again before they leave: withdrawals by their holder's current status, refunds of deposits by the
// deposit's current state.

import { type Stop, owedBy, shownHolder, stopOf } from '../../compliance/index.ts';
import { accounts, balance } from '../../ledger/index.ts';
import { customerKey, peopleOut, readOut, reversalsPending, screenedFirst } from '../../moneyout/index.ts';
import { type PayoutObstacle, type Leaving, type MayLeave, TAKEN_BACK, checkAccount } from '../../payments/index.ts';
import type { Tx } from '../../platform/index.ts';
import { depositsGivenBackBy } from '../store.ts';
import { whatStopsWithdrawal } from './withdrawal-obstacles.ts';
import { worthNow } from './withdraw.ts';
import type { Withdrawal } from './withdrawal.ts';
import { withdrawalsById } from './withdrawal-store.ts';

/** Reports to the payments room which payouts of wallets may not leave, and why. */
export const walletsMayLeave: MayLeave = screenedFirst(
  async (tx, payouts) => {
    const idsOf = (isRefund: boolean): string[] =>
      payouts.filter(({ purpose }) => (purpose === 'refund') === isRefund).map(({ id }) => id);
    return new Map([
      ...(await obstaclesOfWithdrawals(tx, idsOf(false))),
      ...(await obstaclesOfRefunds(
        tx,
        payouts.filter(({ purpose }) => purpose === 'refund'),
      )),
    ]);
  },
  // Refunds are not screened again: a person decided them, and the account is the payment's source or was screened then.
  async (_tx, payouts) => new Map(payouts.flatMap(({ id, purpose }) => (purpose === 'refund' ? [[id, 'decided'] as const] : []))),
);

/**
 * Returns the obstacles of withdrawals that may not leave, by id: a problem stops them, or they need more approvals at current
 * rates and limits than they have.
 */
async function obstaclesOfWithdrawals(tx: Tx, ids: readonly string[]): Promise<Map<string, PayoutObstacle>> {
  const all = await withdrawalsById(tx, ids);
  const customerOf = ({ holderId }: Withdrawal): string => customerKey({ holderId, email: '' });
  const sums = await readOut(tx, tx.now, { customers: all.map(customerOf), currencies: [], payouts: ids });
  const obstacles = new Map<string, PayoutObstacle>();
  for (const one of all) {
    const { id, currency, approved } = one;
    const stop = await whatStopsWithdrawal(tx, one, tx.now);
    // The withdrawal's own sum is subtracted from the totals before they are checked, and added again only if the withdrawal
    // leaves.
    const counted = sums.drop(id);
    const people = peopleOut(worthNow(one), sums.of({ customer: customerOf(one), currency }));
    if (stop?.code === 'reversal_pending') obstacles.set(id, TAKEN_BACK);
    else if (stop || people > approved) obstacles.set(id, { reason: stop?.code ?? 'above_bounds' });
    else if (counted) sums.add(counted);
  }
  return obstacles;
}

/**
 * Returns the obstacles of refunds that may not leave, by id: the deposit was taken back meanwhile, or the holder is in debt or
 * blocked.
 */
async function obstaclesOfRefunds(tx: Tx, refunds: readonly Leaving[]): Promise<Map<string, PayoutObstacle>> {
  const obstacles = new Map<string, PayoutObstacle>();
  const accountOf = new Map(refunds.map(({ id, currency, to }) => [id, accountKey(currency, to)]));
  const deposits = await depositsGivenBackBy(tx, [...accountOf.keys()]);
  const pending = await reversalsPending(
    tx,
    deposits.map(({ holderId }) => holderId),
  );
  for (const { backId = '', holderId, unit, owed } of deposits) {
    const isOwed = owed > 0n || (await balance(tx, accounts.receivable(holderId, unit))) > 0n;
    const [elsewhere] = isOwed ? [] : await owedElsewhere(tx, holderId, accountOf.get(backId));
    if (isOwed) obstacles.set(backId, { reason: 'debt_open' });
    else if (elsewhere) obstacles.set(backId, { reason: stopOf(elsewhere).code });
    else if (pending.has(holderId)) obstacles.set(backId, TAKEN_BACK);
  }
  return obstacles;
}

/** Returns an account in the form that blocks use; undefined if the account is no longer valid. */
function accountKey(currency: string, to: Leaving['to']): string | undefined {
  const checked = checkAccount(currency, to);
  return checked.ok ? `${currency}:${checked.key}` : undefined;
}

/** Returns the debts and blocks that stop a holder: those with the holder's proven keys, and a block of the receiving account. */
async function owedElsewhere(tx: Tx, holderId: string, to: string | undefined): Promise<readonly Stop[]> {
  const subject = { email: '', accounts: to === undefined ? [] : [to], holder: await shownHolder(tx, holderId) };
  return (await owedBy(tx, new Map([['holder', { subject, payers: [] }]]))).get('holder')?.shown ?? [];
}
