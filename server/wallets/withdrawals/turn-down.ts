// Ends a holder's unsent withdrawals: all of them if the holder cancels them, or all from one source if a deposit or a reward
// is taken back. Their money returns to its source, where it can be taken back, so the holder owes less.

import { type UnitOfWork, alone } from '../../collecting/index.ts';
import { takeBackOut } from '../../moneyout/index.ts';
import { releaseFloat, stopPayout } from '../../payments/index.ts';
import { type Db, newId } from '../../platform/index.ts';
import { queueLetter } from './letters.ts';
import { type Withdrawal, type WithdrawalSource, stepOf } from './withdrawal.ts';
import { lockOpen, saveWithdrawals } from './withdrawal-store.ts';

/** Reason for turning down withdrawals, by the source from which money is taken back. */
const TAKEN_FROM: Readonly<Record<WithdrawalSource, string>> = { wallet: 'debt_open', affiliate: 'rewards_taken_back' };

/**
 * Turns down every unsent withdrawal of a holder from one source in one unit. Call it before money is taken back from that
 * source. A withdrawal whose payout the sender has claimed stays, since it may already be sent. `name`: the product's name, for
 * letters.
 */
export async function turnDownUnsent(
  work: UnitOfWork,
  name: string,
  { holderId, unit, source }: Pick<Withdrawal, 'holderId' | 'unit' | 'source'>,
): Promise<void> {
  const ended = await endAll(work, await lockOpen(work.tx, holderId, { unit, source }), 'turn_down', TAKEN_FROM[source]);
  for (const one of ended) await queueLetter(work.tx, name, one, 'taken_back');
}

/**
 * Cancels all unsent withdrawals of a holder, and returns their number. No step-up is required, and a freeze doesn't prevent it,
 * since less money may leave afterwards.
 */
export async function cancelWaiting(db: Db, holderId: string): Promise<number> {
  return alone(db, async (work) => (await endAll(work, await lockOpen(work.tx, holderId), 'cancel')).length);
}

async function endAll(
  work: UnitOfWork,
  open: readonly Withdrawal[],
  event: 'turn_down' | 'cancel',
  reason?: string,
): Promise<readonly Withdrawal[]> {
  const { tx } = work;
  const ended: Withdrawal[] = [];
  for (const one of open) {
    const step = stepOf(one, event, newId());
    if (!step?.journal || (one.status === 'paying' && !(await stopPayout(tx, one.id)))) continue;
    work.post(step.journal, 'order_changed');
    ended.push({ ...one, status: step.next, statusAt: tx.now, reason, decidedBy: undefined });
    await releaseFloat(tx, one.id);
  }
  await takeBackOut(
    tx,
    ended.map(({ id }) => id),
  );
  await saveWithdrawals(tx, ended);
  return ended;
}
