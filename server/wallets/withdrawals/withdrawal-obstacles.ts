// Finds the current obstacles to a withdrawal, except the daily limits.

import { Problem } from '@kurs/contract';
import { REWARD_UNIT, format, money } from '@kurs/money';
import { whatStops } from '../../moneyout/index.ts';
import type { Statements } from '../../platform/index.ts';
import { findAffiliate, isTakeBackPending } from '../../referrals/index.ts';
import type { Withdrawal, WithdrawalSource } from './withdrawal.ts';

/**
 * Returns the first problem that stops a withdrawal: the problem of `whatStops`, otherwise the problem of `whatStopsRewards`.
 * Undefined if nothing stops the withdrawal.
 */
export async function whatStopsWithdrawal(
  db: Statements,
  { holderId, source, unit, currency, key }: Pick<Withdrawal, 'holderId' | 'source' | 'unit' | 'currency' | 'key'>,
  now: Date,
): Promise<Problem | undefined> {
  const stop = await whatStops(db, { holderId, unit, to: { currency, key } }, now);
  return stop ?? whatStopsRewards(db, source, holderId);
}

/**
 * Returns the obstacle to a withdrawal of rewards. `affiliate_suspended`: the desk has suspended the affiliate. `rewards_owed`:
 * the holder owes rewards that were taken back. `reversal_pending`: rewards are about to be taken back. Undefined for a
 * withdrawal from a wallet.
 */
export async function whatStopsRewards(db: Statements, source: WithdrawalSource, holderId: string): Promise<Problem | undefined> {
  if (source !== 'affiliate') return undefined;
  const { suspendedAt, owed } = await findAffiliate(db, holderId);
  if (suspendedAt) return new Problem('affiliate_suspended');
  if (owed > 0n) return rewardsOwed(owed);
  return (await isTakeBackPending(db, holderId)) ? new Problem('reversal_pending') : undefined;
}

/** Returns the problem of a holder who owes rewards. `owed`: the amount in parts. */
export const rewardsOwed = (owed: bigint): Problem =>
  new Problem('rewards_owed', { params: { owed: format(money(REWARD_UNIT, owed)), unit: REWARD_UNIT } });
