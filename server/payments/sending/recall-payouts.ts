import { log } from '../../platform/index.ts';
import type { Rail } from '../../rails/rail.ts';
import { lockAttempts } from '../payouts/rows/attempt-store.ts';
import { type PaymentsDeps, within } from '../rails/deps.ts';
import { isUp } from '../rails/rail-state.ts';
import { settings } from '../rails/settings.ts';

const MAX = 20;

/**
 * Recalls money that nobody has claimed: payouts that have waited unclaimed at their provider for days, and bought vouchers that
 * were never shown. Makes their attempts due to be looked up, so that the outcome is found. Returns the number of attempts tried.
 */
export async function recallRail(deps: PaymentsDeps, rail: Rail): Promise<number> {
  const { payout } = rail;
  if (!payout?.recall) return 0;
  const due = await deps.db.rows<{ id: string }>(
    `select id from (
       select a.id from payment_attempt a
       where rail = $1 and purpose = 'payout' and status = 'sent' and accepted_at < clock_now() - $2 * interval '1 day'
       union
       select a.id from payout_voucher g join payout o on o.id = g.payout_id join payment_attempt a on a.id = o.attempt_id
       where g.recall_at <= clock_now() and a.rail = $1 and a.purpose = 'payout' and a.status in ('sent', 'final')
     ) due order by id limit $3`,
    [rail.id, settings.get('payments.recall_unclaimed_days'), MAX],
    { name: 'payments.due_recalls' },
  );
  if (due.length === 0 || !(await isUp(deps.db, rail.id))) return 0;
  const attempts = await deps.db.tx((tx) =>
    lockAttempts(
      tx,
      due.map(({ id }) => id),
    ),
  );
  for (const { id, signed } of attempts) {
    try {
      await within(deps.callMs, `${rail.id} recall`, async () => payout.recall?.(signed));
      await deps.db.tx(async (tx) => {
        await tx.run(`update payment_attempt set due_at = $2 where id = $1`, [id, tx.now]);
        await tx.run(`update payout_voucher set recall_at = null where payout_id = any ($1::uuid[])`, [signed.items]);
      });
    } catch (error) {
      log.alarm('an unclaimed payout could not be taken back', { rail: rail.id, attemptId: id, error });
    }
  }
  return attempts.length;
}
