// What stops a withdrawal as things stand now, beside the bounds of a day.

import { Problem } from '@kurs/contract';
import { whatStops } from '../../moneyout/index.ts';
import type { Statements, Tx } from '../../platform/index.ts';
import { findAffiliate } from '../../referrals/index.ts';
import type { Withdrawal, WithdrawalSource } from './withdrawal.ts';

/** As `whatStops` for a withdrawal, and `affiliate_suspended` as `suspensionOf`. */
export async function whatStopsWithdrawal(
  tx: Tx,
  { holderId, source, unit, currency, key }: Pick<Withdrawal, 'holderId' | 'source' | 'unit' | 'currency' | 'key'>,
): Promise<Problem | undefined> {
  return (await whatStops(tx, { holderId, unit, to: { currency, key } }, tx.now)) ?? suspensionOf(tx, source, holderId);
}

/** `affiliate_suspended` where rewards would leave of somebody whom people have suspended. */
export async function suspensionOf(db: Statements, source: WithdrawalSource, holderId: string): Promise<Problem | undefined> {
  const isSuspended = source === 'affiliate' && (await findAffiliate(db, holderId)).suspendedAt !== undefined;
  return isSuspended ? new Problem('affiliate_suspended') : undefined;
}
