import type { Statements } from '../../platform/index.ts';

/** Returns ids of those payments that are final and not yet swept: they still lie at their receiving address. */
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
