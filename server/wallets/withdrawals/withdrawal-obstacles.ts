// What stops a withdrawal as things stand now, beside the bounds of a day.

import { Problem } from '@kurs/contract';
import { REWARD_UNIT, format, money } from '@kurs/money';
import { whatStops } from '../../moneyout/index.ts';
import type { Statements } from '../../platform/index.ts';
import { findAffiliate, isTakeBackPending } from '../../referrals/index.ts';
import type { Withdrawal, WithdrawalSource } from './withdrawal.ts';

/** Returns what `whatStops` finds for a withdrawal, else what `whatStopsRewards` finds for its source. */
export async function whatStopsWithdrawal(
  db: Statements,
  { holderId, source, unit, currency, key }: Pick<Withdrawal, 'holderId' | 'source' | 'unit' | 'currency' | 'key'>,
  now: Date,
): Promise<Problem | undefined> {
  const stop = await whatStops(db, { holderId, unit, to: { currency, key } }, now);
  return stop ?? whatStopsRewards(db, source, holderId);
}

/**
 * Returns `affiliate_suspended` where rewards would leave of somebody whom people have suspended, `rewards_owed` where they would
 * leave of somebody who owes rewards that were taken back, and `reversal_pending` where they are about to be taken back. Nothing
 * stops a withdrawal from a wallet here.
 */
export async function whatStopsRewards(db: Statements, source: WithdrawalSource, holderId: string): Promise<Problem | undefined> {
  if (source !== 'affiliate') return undefined;
  const { suspendedAt, owed } = await findAffiliate(db, holderId);
  if (suspendedAt) return new Problem('affiliate_suspended');
  if (owed > 0n) return rewardsOwed(owed);
  return (await isTakeBackPending(db, holderId)) ? new Problem('reversal_pending') : undefined;
}

/** The problem of somebody who owes so many parts of rewards. */
export const rewardsOwed = (owed: bigint): Problem =>
  new Problem('rewards_owed', { params: { owed: format(money(REWARD_UNIT, owed)), unit: REWARD_UNIT } });
