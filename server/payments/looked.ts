import type { Statements, Tx } from '../platform/index.ts';
import { isChain } from './registry.ts';

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

/**
 * The accounts that payments came from, each as `<currency>:<its name there>`, by payment. Only those of providers say whose
 * they are: one address of a chain serves many people.
 */
export async function payersOf(db: Statements, payins: readonly string[]): Promise<Map<string, string[]>> {
  if (payins.length === 0) return new Map();
  const rows = await db.rows<{ id: string; currency: string; senders: string[] }>(
    'select id, currency, senders from payin where id = any ($1::uuid[])',
    [payins],
    { name: 'payments.payers_of' },
  );
  return new Map(
    rows.map(({ id, currency, senders }) => [id, isChain(currency) ? [] : senders.map((sender) => `${currency}:${sender}`)]),
  );
}
