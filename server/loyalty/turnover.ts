// What customers turned over, by day: the USD worth of what their completed orders gave, under the canonical e-mail address of the
// account that an order was placed with, else of its contact. What is taken back of an order is taken off its day.

import { type Statements, type Tx, canonicalEmail } from '../platform/index.ts';

/** Days that count, and that are kept. */
const DAYS = 30;
const TODAY = `(clock_now() at time zone 'UTC')::date`;

/** What an order gave, or what of it is taken off again. */
export interface Counted {
  /** The address of its account or contact, in any spelling. */
  readonly email: string;
  /** When the order was completed. */
  readonly completedAt: Date;
  /** Its worth in cents of USD; below nothing where it is taken off. */
  readonly cents: bigint;
}

interface Sum {
  readonly customer: string;
  readonly day: string;
  cents: bigint;
}

/** Counts these orders, or takes them off again: at most what is there. What belongs to a day that counts no more is left out. */
export async function countTurnover(tx: Tx, counted: readonly Counted[]): Promise<void> {
  const sums = new Map<string, Sum>();
  for (const { email, completedAt, cents } of counted) {
    const [customer, day] = [canonicalEmail(email), completedAt.toISOString().slice(0, 10)];
    const sum = sums.get(`${customer} ${day}`) ?? { customer, day, cents: 0n };
    sum.cents += cents;
    sums.set(`${customer} ${day}`, sum);
  }
  // In one order, so that two groups with the same customers wait for each other in turn.
  const sorted = [...sums.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
  const [more, less] = [sorted.filter(({ cents }) => cents > 0n), sorted.filter(({ cents }) => cents < 0n)];
  if (more.length > 0) await tx.run(ADD, columnsOf(more), { name: 'loyalty.turnover_add' });
  if (less.length > 0) await tx.run(TAKE_OFF, columnsOf(less), { name: 'loyalty.turnover_take_off' });
}

const columnsOf = (sums: readonly Sum[]): unknown[] => [
  sums.map(({ customer }) => customer),
  sums.map(({ day }) => day),
  sums.map(({ cents }) => cents.toString()),
];

const ADD = `insert into turnover_day as t (customer, day, cents)
  select * from unnest($1::text[], $2::date[], $3::numeric[]) as n (customer, day, cents) where day > (select ${TODAY}) - ${DAYS}
  on conflict (customer, day) do update set cents = t.cents + excluded.cents`;
const TAKE_OFF = `update turnover_day t set cents = greatest(0, t.cents + n.cents)
  from unnest($1::text[], $2::date[], $3::numeric[]) as n (customer, day, cents)
  where t.customer = n.customer and t.day = n.day`;

/** What an address has turned over in 30 days, in cents of USD. */
export async function turnoverOf(db: Statements, email: string): Promise<bigint> {
  return (await turnoversOf(db, [email])).get(canonicalEmail(email)) ?? 0n;
}

/** The same of several addresses, by their canonical spelling; those without any are missing. */
export async function turnoversOf(db: Statements, emails: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.rows<{ customer: string; cents: string }>(
    `select customer, sum(cents)::text as cents from turnover_day where customer = any ($1) and day > ${TODAY} - ${DAYS}
     group by customer`,
    [emails.map(canonicalEmail)],
    { name: 'loyalty.turnovers_of' },
  );
  return new Map(rows.map(({ customer, cents }) => [customer, BigInt(cents)]));
}

/** What was turned over under one address counts under another from now on. */
export async function moveTurnover(tx: Tx, { from, to }: { readonly from: string; readonly to: string }): Promise<void> {
  const [was, is] = [canonicalEmail(from), canonicalEmail(to)];
  if (was === is) return;
  await tx.run(
    `with gone as (delete from turnover_day where customer = $1 returning day, cents)
     insert into turnover_day as t (customer, day, cents) select $2, day, cents from gone
     on conflict (customer, day) do update set cents = t.cents + excluded.cents`,
    [was, is],
  );
}

/** Forgets what an address has turned over. */
export async function forgetTurnoverOf(tx: Tx, email: string): Promise<void> {
  await tx.run('delete from turnover_day where customer = $1', [canonicalEmail(email)]);
}

/** Forgets days that count no more; gives how many rows. */
export const forgetTurnover = (db: Statements): Promise<number> =>
  db.run(`delete from turnover_day where day <= ${TODAY} - ${DAYS}`);
