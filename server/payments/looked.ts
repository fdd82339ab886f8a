import type { Tx } from '../platform/index.ts';

/**
 * Whether everything that these payments' rails had taken back by a moment is known: their places were looked at since.
 * Where one wasn't it is looked at now, and whoever asks comes again; while its rail doesn't answer it stays so.
 */
export async function lookedSince(tx: Tx, payins: readonly string[], moment: Date): Promise<boolean> {
  const stale = await tx.run(
    `update place set due_at = least(due_at, $3), asked = true
     where (rail, number) in (select rail, number from payin where id = any ($1::uuid[]))
       and (looked_at is null or looked_at < $2)`,
    [payins, moment, tx.now],
    { name: 'payments.looked_since' },
  );
  return stale === 0;
}
