// Payments that are final, but not deep: a reorg may still take them back.

import { type Statements, type Tx, wake } from '../../platform/index.ts';
import type { PayoutObstacle } from '../rails/gates.ts';
import type { Owner } from '../rails/owner.ts';

/** Seconds after which an owner is asked again about a payout of shallow money, unless the owner asks for it earlier. */
const WAIT_SECONDS = 60;

/** Reason for which a payout waits if it depends on a pay-in that is not deep. */
export const NOT_DEEP = {
  reason: 'a payment is not deep yet',
  mayWait: true,
  waitSeconds: WAIT_SECONDS,
} as const satisfies PayoutObstacle;

/** Returns the ids of those pay-ins that are final and not deep. Ids that belong to no pay-in are left out. */
export async function shallowAmong(db: Statements, payins: readonly string[]): Promise<ReadonlySet<string>> {
  if (payins.length === 0) return new Set();
  const rows = await db.rows<{ id: string }>(
    `select id from payin where id = any ($1::uuid[]) and status = 'final' and not deep`,
    [payins],
    { name: 'payments.shallow_among' },
  );
  return new Set(rows.map(({ id }) => id));
}

/** Lets payouts of these owners that wait for a deep pay-in be tried at once. `kind`: the owners' kind. */
export async function tryShallowAgain(tx: Tx, kind: Owner['kind'], ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const changed = await tx.run(
    `update payout set due_at = $4 where owner_kind = $1 and owner_id = any ($2::text[]) and status = 'queued' and reason = $3`,
    [kind, ids, NOT_DEEP.reason, tx.now],
    { name: 'payments.try_shallow_again' },
  );
  if (changed > 0) tx.afterCommit(() => wake('payments'));
}
