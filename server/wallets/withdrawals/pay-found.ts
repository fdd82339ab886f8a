// A withdrawal that had counted as not sent, and was sent after all: its money went back into the wallet, and pays for it now.

import { Problem } from '@kurs/contract';
import { UnitOfWork } from '../../collecting/index.ts';
import { type Tx, newId } from '../../platform/index.ts';
import { stepOf } from './withdrawal.ts';
import { lockWithdrawals, saveWithdrawals } from './withdrawal-store.ts';

/**
 * Pays for a withdrawal that turned up as sent out of what it was taken from, its fee too; the last thing that its transaction
 * does. That two people said so is the caller's to ensure. Throws `not_found`, `action_not_open` where it didn't come to nothing,
 * `not_enough_there` where the money was spent meanwhile.
 */
export async function payFoundWithdrawal(
  tx: Tx,
  { id, txid, by }: { readonly id: string; readonly txid: string; readonly by: readonly string[] },
): Promise<void> {
  const one = (await lockWithdrawals(tx, [id])).get(id);
  if (!one) throw new Problem('not_found');
  const step = stepOf(one, 'counted', newId());
  if (!step?.journal) throw new Problem('action_not_open');
  await saveWithdrawals(tx, [{ ...one, status: step.next, statusAt: tx.now, txid, decidedBy: by.join(', ') }]);
  const unit = new UnitOfWork(tx);
  unit.post(step.journal, 'not_enough_there');
  await unit.commit();
}
