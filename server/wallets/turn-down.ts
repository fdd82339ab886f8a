// Withdrawals that have not left while a deposit is taken back: they come back into the wallet first, so that what was taken
// back is taken from there and nothing is owed that we still hold.

import type { Journal } from '../ledger/index.ts';
import { takeBackOut } from '../moneyout/index.ts';
import { dropAnnounced, stopPayout } from '../payments/index.ts';
import { type Tx, newId } from '../platform/index.ts';
import { queueLetter } from './letters.ts';
import { type Withdrawal, stepOf } from './withdrawal.ts';
import { lockUnsent, saveWithdrawals } from './withdrawal-store.ts';

/**
 * Turns down what a holder asked for out of his wallet of a unit and nobody has sent; gives the journals, to be posted before
 * the take-back. What the sender has taken already stays: it may be out. `name`: the product's, for letters.
 */
export async function turnDownUnsent(
  tx: Tx,
  name: string,
  { holderId, unit }: Pick<Withdrawal, 'holderId' | 'unit'>,
): Promise<Journal[]> {
  const ended: Withdrawal[] = [];
  const journals: Journal[] = [];
  for (const one of await lockUnsent(tx, holderId, unit)) {
    const step = stepOf(one, 'turn_down', newId());
    if (!step?.journal || (one.status === 'queued' && !(await stopPayout(tx, one.id)))) continue;
    journals.push(step.journal);
    ended.push({ ...one, status: step.next, statusAt: tx.now, reason: 'debt_open', decidedBy: undefined });
  }
  await takeBackOut(tx, ended.map(({ id }) => id)); // prettier-ignore
  await saveWithdrawals(tx, ended);
  for (const one of ended) {
    await dropAnnounced(tx, one.id);
    await queueLetter(tx, name, one, 'taken_back');
  }
  return journals;
}
