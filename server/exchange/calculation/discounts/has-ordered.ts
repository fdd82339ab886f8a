import { emailKey, holdersByEmail } from '../../../auth/index.ts';
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

/** Which of these addresses, in canonical form, or the accounts that have them, had completed an order before a moment of each. */
export async function addressesThatOrdered(
  db: Statements,
  asked: readonly { readonly email: string; readonly before: Date }[],
): Promise<Set<string>> {
  if (asked.length === 0) return new Set();
  const holders = await holdersByEmail(db, asked.map(({ email }) => email)); // prettier-ignore
  const ids = asked.map(({ email }) => holders.get(emailKey(email))?.id ?? null);
  const rows = await db.rows<{ email: string }>(
    `select distinct email from unnest($1::text[], $2::timestamptz[], $3::uuid[]) as asked (email, before, holder)
     where exists (select from customer_order where customer = asked.email and state = 'completed' and finished_at < asked.before)
       or exists (select from customer_order where holder_id = asked.holder and state = 'completed' and finished_at < asked.before)`,
    [asked.map(({ email }) => email), asked.map(({ before }) => before), ids],
    { name: 'exchange.addresses_that_ordered' },
  );
  return new Set(rows.map(({ email }) => email));
}

/** The moment by the database's clock. */
export async function nowOf(db: Statements | Tx): Promise<Date> {
  if ('now' in db && db.now instanceof Date) return db.now;
  const row = await db.row<{ now: Date }>('select clock_now() as now', [], { name: 'exchange.now' });
  if (!row) throw new Error('the database told no time');
  return row.now;
}
