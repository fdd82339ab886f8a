import { type Statements, type Tx, canonicalEmail } from '../../../platform/index.ts';

/** Whether an order of somebody was completed, before a moment where one is given: by their address, or their account. */
export async function hasOrdered(
  db: Statements,
  { email, holderId }: { readonly email: string | undefined; readonly holderId: string | undefined },
  before?: Date,
): Promise<boolean> {
  const row = await db.row(
    `select from customer_order where state = 'completed' and customer = $1 and ($3::timestamptz is null or finished_at < $3)
     union all
     select from customer_order where state = 'completed' and holder_id = $2 and ($3::timestamptz is null or finished_at < $3) limit 1`,
    [email === undefined ? null : canonicalEmail(email), holderId ?? null, before ?? null],
    { name: 'exchange.has_ordered' },
  );
  return row !== undefined;
}

/** The moment by the database's clock. */
export async function nowOf(db: Statements | Tx): Promise<Date> {
  if ('now' in db && db.now instanceof Date) return db.now;
  const row = await db.row<{ now: Date }>('select clock_now() as now', [], { name: 'exchange.now' });
  if (!row) throw new Error('the database told no time');
  return row.now;
}
