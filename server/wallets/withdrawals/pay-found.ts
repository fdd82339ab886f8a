// Pays for a withdrawal that was found late: its money had been returned to its source, but its payout was sent after all.

import { Problem } from '@kurs/contract';
import { UnitOfWork } from '../../collecting/index.ts';
import { type Tx, newId } from '../../platform/index.ts';
import { stepOf } from './withdrawal.ts';
import { lockWithdrawals, saveWithdrawals } from './withdrawal-store.ts';

/**
 * Pays for a withdrawal that was found late, with its fee, from its source. Call it last in the transaction. The caller ensures
 * that two people decided so. Throws `not_found`, `action_not_open` if the withdrawal hasn't failed, `not_enough_there` if the
 * source no longer has the money.
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
