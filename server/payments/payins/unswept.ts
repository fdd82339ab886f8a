import type { Statements } from '../../platform/index.ts';

/** Which of these payments, by id, still lie where they arrived: ours, and not yet where payouts are paid from. */
export async function unswept(db: Statements, payins: readonly string[]): Promise<Set<string>> {
  if (payins.length === 0) return new Set();
  const rows = await db.rows<{ id: string }>(
    `select payin.id from payin join receiving_address using (rail, number)
     where payin.id = any ($1::uuid[]) and payin.place = 'deposit' and payin.status = 'final' and not payin.spent and may_hold`,
    [payins],
    { name: 'payments.unswept' },
  );
  return new Set(rows.map(({ id }) => id));
}
