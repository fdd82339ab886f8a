// What leaves wallets is asked about once more as it leaves: a withdrawal as its holder stands now, a deposit that is given
// back as it stands now itself.

import { type Stop, customerOf, owedBy, shownHolder, stopOf } from '../../compliance/index.ts';
import { accounts, balance } from '../../ledger/index.ts';
import { customerKey, peopleOut, readOut, screenedFirst, whatStops } from '../../moneyout/index.ts';
import { type Kept, type MayLeave, TAKEN_BACK, untoldTakeBacks } from '../../payments/index.ts';
import type { Tx } from '../../platform/index.ts';
import { depositsGivenBackBy } from '../store.ts';
import { worthNow } from './withdraw.ts';
import type { Withdrawal } from './withdrawal.ts';
import { withdrawalsById } from './withdrawal-store.ts';

/** Wallets' answer to payments: which of their payouts may not leave any more, and why. */
export const walletsMayLeave: MayLeave = screenedFirst(
  async (tx, payouts) => {
    const idsOf = (isRefund: boolean): string[] =>
      payouts.filter(({ purpose }) => (purpose === 'refund') === isRefund).map(({ id }) => id);
    const isUntold = await takenBackFrom(tx);
    return new Map([...(await keptWithdrawals(tx, idsOf(false), isUntold)), ...(await keptRefunds(tx, idsOf(true), isUntold))]);
  },
  // A deposit is given back by a person, to where it came from or to an account that was screened then.
  async (_tx, payouts) => new Map(payouts.flatMap(({ id, purpose }) => (purpose === 'refund' ? [[id, 'decided'] as const] : []))),
);

/** Says of a wallet whether something was taken back of it that it was not told of yet. */
type IsUntold = (wallet: { readonly holderId: string; readonly unit: string }) => boolean;

/** All that came into a wallet is one there: what leaves it stands on each of its deposits. */
async function takenBackFrom(tx: Tx): Promise<IsUntold> {
  const wallets = new Set((await untoldTakeBacks(tx)).map(({ customer, unit }) => `${customer} ${unit}`));
  return ({ holderId, unit }) => wallets.has(`${customerOf({ email: '', holder: { id: holderId } })} ${unit}`);
}

/** Withdrawals that something stops, or that take more people, at the rates and bounds of now, than have let them out. */
async function keptWithdrawals(tx: Tx, ids: readonly string[], isUntold: IsUntold): Promise<Map<string, Kept>> {
  const all = await withdrawalsById(tx, ids);
  const customerOf = ({ holderId }: Withdrawal): string => customerKey({ holderId, email: '' });
  const sums = await readOut(tx, tx.now, { customers: all.map(customerOf), currencies: [], payouts: ids });
  const kept = new Map<string, Kept>();
  for (const one of all) {
    const { id, holderId, unit, currency, key, approved } = one;
    const stop = await whatStops(tx, { holderId, unit, to: { currency, key } }, tx.now);
    // What it counts itself is no part of what left before; of one that doesn't leave nothing counts for the next.
    const counted = sums.drop(id);
    const people = peopleOut(worthNow(one), sums.of({ customer: customerOf(one), currency }));
    if (stop || people > approved) kept.set(id, { reason: stop?.code ?? 'above_bounds' });
    else if (isUntold(one)) kept.set(id, TAKEN_BACK);
    else if (counted) sums.add(counted);
  }
  return kept;
}

/**
 * Deposits whose giving back may not go on: what was taken back meanwhile is not there, and anyone who owes, or is blocked,
 * is paid nothing.
 */
async function keptRefunds(tx: Tx, ids: readonly string[], isUntold: IsUntold): Promise<Map<string, Kept>> {
  const kept = new Map<string, Kept>();
  for (const { backId = '', holderId, unit, owed } of await depositsGivenBackBy(tx, ids)) {
    const isOwed = owed > 0n || (await balance(tx, accounts.receivable(holderId, unit))) > 0n;
    const [elsewhere] = isOwed ? [] : await owedElsewhere(tx, holderId);
    if (isOwed) kept.set(backId, { reason: 'debt_open' });
    else if (elsewhere) kept.set(backId, { reason: stopOf(elsewhere).code });
    else if (isUntold({ holderId, unit })) kept.set(backId, TAKEN_BACK);
  }
  return kept;
}

/** What stops a holder: blocks and debts that are shown to be theirs. */
async function owedElsewhere(tx: Tx, holderId: string): Promise<readonly Stop[]> {
  const subject = { email: '', accounts: [], holder: await shownHolder(tx, holderId) };
  return (await owedBy(tx, new Map([['holder', { subject, payers: [] }]]))).get('holder')?.shown ?? [];
}
