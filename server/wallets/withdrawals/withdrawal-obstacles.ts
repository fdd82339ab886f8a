// Obstacles to a withdrawal now, apart from the daily limits.

import { Problem } from '@kurs/contract';
import { REWARD_UNIT, format, money } from '@kurs/money';
import { whatStops } from '../../moneyout/index.ts';
import type { Statements } from '../../platform/index.ts';
import { findAffiliate, isTakeBackPending } from '../../referrals/index.ts';
import type { Withdrawal, WithdrawalSource } from './withdrawal.ts';

/** Returns the problem of `whatStops` for a withdrawal, otherwise that of `whatStopsRewards` for its source. */
export async function whatStopsWithdrawal(
  db: Statements,
  { holderId, source, unit, currency, key }: Pick<Withdrawal, 'holderId' | 'source' | 'unit' | 'currency' | 'key'>,
  now: Date,
): Promise<Problem | undefined> {
  const stop = await whatStops(db, { holderId, unit, to: { currency, key } }, now);
  return stop ?? whatStopsRewards(db, source, holderId);
}

/**
 * Returns the obstacle to a withdrawal of rewards: `affiliate_suspended`, `rewards_owed` if the holder owes rewards that were
 * taken back, `reversal_pending` if rewards are about to be taken back. Withdrawals from a wallet have none here.
 */
export async function whatStopsRewards(db: Statements, source: WithdrawalSource, holderId: string): Promise<Problem | undefined> {
  if (source !== 'affiliate') return undefined;
  const { suspendedAt, owed } = await findAffiliate(db, holderId);
  if (suspendedAt) return new Problem('affiliate_suspended');
  if (owed > 0n) return rewardsOwed(owed);
  return (await isTakeBackPending(db, holderId)) ? new Problem('reversal_pending') : undefined;
}

/** Returns the problem of a holder who owes rewards, given the parts. */
export const rewardsOwed = (owed: bigint): Problem =>
  new Problem('rewards_owed', { params: { owed: format(money(REWARD_UNIT, owed)), unit: REWARD_UNIT } });
