// Shows the voucher that a withdrawal bought to its holder.

import { type Input, type Output, Problem, type Routes } from '@kurs/contract';
import { type Confirming, freezeOf, spendStep, stepUp } from '../../auth/index.ts';
import { MONEY_OUT, confirmationOf, whatStops } from '../../moneyout/index.ts';
import { VOUCHER_SHOWN_DAYS, type VoucherState, voucherStates, showVoucher } from '../../payments/index.ts';
import type { Statements } from '../../platform/index.ts';
import type { WithdrawDeps } from '../withdrawals/withdraw.ts';
import { shownStatus } from '../withdrawals/shown-status.ts';
import type { Withdrawal } from '../withdrawals/withdrawal.ts';
import { whatStopsRewards } from '../withdrawals/withdrawal-obstacles.ts';
import { withdrawalView } from './withdrawal-view.ts';
import { withdrawalsAmong } from '../withdrawals/withdrawal-store.ts';

const DAY_MS = 86_400_000;

/** Returns true if a withdrawal was sent and has not come back. Otherwise there is no voucher to show. */
const isAway = (one: Withdrawal): boolean => ['sent', 'done'].includes(shownStatus(one));

/** Returns withdrawals as their holder sees them. A withdrawal that bought a voucher has the voucher's state. */
export async function withdrawalViews(
  db: Statements,
  rows: readonly Withdrawal[],
): Promise<Output<Routes['walletWithdrawRequest']>[]> {
  const away = rows.filter(isAway).map(({ id }) => id);
  const states: ReadonlyMap<string, VoucherState> = away.length === 0 ? new Map() : await voucherStates(db, away);
  return rows.map((one) => {
    const voucher = states.get(one.id);
    return { ...withdrawalView(one), ...(voucher && { voucher }) };
  });
}

/** Returns the subject that a mailed code confirms for showing a withdrawal's voucher again. */
export const voucherConfirmation = (holderId: string, id: string): string => confirmationOf(['voucher', holderId, id]);

const whatStopsShowing = async (
  db: Statements,
  { holderId, unit, source }: Withdrawal,
  now: Date,
): Promise<Problem | undefined> =>
  (await whatStops(db, { holderId, unit, to: undefined }, now)) ?? whatStopsRewards(db, source, holderId);

/**
 * Shows a withdrawal's voucher to its holder, and records each showing with `who`, the caller's IP address. After the first
 * showing, each showing requires a step-up.
 *
 * Anyone who reads a voucher has its money, so no voucher is shown while the account is frozen. A voucher that was never shown
 * stays hidden while the holder is in debt or blocked. A voucher that was bought with rewards also stays hidden while the holder
 * owes rewards or is suspended. Throws `not_found`, and `nothing_to_show` (also after the voucher was taken back or has expired).
 * Throws `withdrawals_frozen`, `debt_open`, `debt_stops`, `blocked`, `reversal_pending`, `affiliate_suspended`, `rewards_owed`,
 * `voucher_sealed`, and the errors of `stepUp`.
 */
export async function showWithdrawalVoucher(
  deps: WithdrawDeps,
  holder: Confirming,
  { id, ...codes }: Input<Routes['walletWithdrawVoucher']>,
  who: string,
): Promise<Output<Routes['walletWithdrawVoucher']>> {
  const { db, voucher } = deps;
  const [one] = await withdrawalsAmong(db, holder.id, [id]);
  if (!one) throw new Problem('not_found');
  const until = new Date(one.statusAt.getTime() + VOUCHER_SHOWN_DAYS * DAY_MS);
  const state = isAway(one) ? (await voucherStates(db, [id])).get(id) : undefined;
  const now = await db.now();
  if (state === undefined || until <= now) throw new Problem('nothing_to_show');
  const frozen = await freezeOf(db, holder.id, now);
  if (frozen) throw new Problem('withdrawals_frozen', { params: { until: frozen.until.toISOString() } });
  const stop = state === 'unseen' ? await whatStopsShowing(db, one, now) : undefined;
  if (stop) throw stop;
  const stepped =
    state === 'seen' && (await stepUp(deps, holder, codes, { purpose: MONEY_OUT, about: voucherConfirmation(holder.id, id) }));
  return db.tx(async (tx) => {
    if (stepped) await spendStep(tx, stepped);
    const fields = await showVoucher(tx, voucher, id, who, state);
    // Another session of this account has just shown the voucher for the first time.
    if (!fields) throw new Problem('code_required');
    return { fields, until: until.toISOString() };
  });
}
