// Customers' turnover by day: the USD worth of the amounts given in their completed orders, under the canonical e-mail address of
// the order's account, otherwise of its contact. Amounts taken back are subtracted from the order's day.

import { type Statements, type Tx, canonicalEmail, isMac, macOf, steady } from '../platform/index.ts';

/** Days that count, and days that are stored. */
const DAYS = 30;
const TODAY = `(clock_now() at time zone 'UTC')::date`;

/** Amount given in an order, or the part of it that is subtracted. */
export interface Counted {
  /** The address of its account or contact, in any spelling. */
  readonly email: string;
  /** Time of the order's completion. */
  readonly completedAt: Date;
  /** Its worth in cents of USD; negative if it is subtracted. */
  readonly cents: bigint;
}

interface Sum {
  readonly customer: string;
  readonly day: string;
  cents: bigint;
}

/** Adds these orders, or subtracts them, at most down to zero. Days that no longer count are left out. */
export async function countTurnover(tx: Tx, counted: readonly Counted[]): Promise<void> {
  const sums = new Map<string, Sum>();
  for (const { email, completedAt, cents } of counted) {
    const [customer, day] = [canonicalEmail(email), completedAt.toISOString().slice(0, 10)];
    const sum = sums.get(`${customer} ${day}`) ?? { customer, day, cents: 0n };
    sum.cents += cents;
    sums.set(`${customer} ${day}`, sum);
  }
  // In a fixed order, so that two groups with the same customers don't deadlock.
  const sorted = [...sums.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
  // A day's row is inserted before it is locked, so that two groups never overwrite each other's sum.
  const more = sorted.filter(({ cents }) => cents > 0n).map((one) => ({ ...one, cents: 0n }));
  if (more.length > 0) await tx.run(OPEN, columnsOf(more), { name: 'loyalty.turnover_open' });
  const rows = await tx.rows<Row>(LOCK, [sorted.map(({ customer }) => customer), sorted.map(({ day }) => day)], {
    name: 'loyalty.turnover_lock',
  });
  const after = rows.map((row) => {
    const sum = BigInt(row.cents) + (sums.get(`${row.customer} ${row.day}`)?.cents ?? 0n);
    return { ...row, cents: sum < 0n ? 0n : sum, isAltered: !isAsCounted(row) };
  });
  if (after.length > 0) await tx.run(SAVE, columnsOf(after), { name: 'loyalty.turnover_save' });
}

interface Row {
  readonly customer: string;
  readonly day: string;
  readonly cents: string;
  readonly mac: string | null;
}

const contentOf = ({
  customer,
  day,
  cents,
}: {
  readonly customer: string;
  readonly day: string;
  readonly cents: bigint;
}): string => steady([customer, day, cents]);
const isAsCounted = (row: Row): boolean => isMac('turnover', contentOf({ ...row, cents: BigInt(row.cents) }), row.mac);

/** Returns the sums as columns, with their MACs; none for a row that SQL changed. */
const columnsOf = (sums: readonly (Sum & { readonly isAltered?: boolean })[]): unknown[] => [
  sums.map(({ customer }) => customer),
  sums.map(({ day }) => day),
  sums.map(({ cents }) => cents.toString()),
  sums.map((one) => (one.isAltered ? null : macOf('turnover', contentOf(one)))),
];

const ROW = 'customer, day::text as day, cents::text as cents, mac';
const GIVEN = 'unnest($1::text[], $2::date[], $3::numeric[], $4::uuid[]) as n (customer, day, cents, mac)';
const OPEN = `insert into turnover_day (customer, day, cents, mac) select * from ${GIVEN} where day > (select ${TODAY}) - ${DAYS}
  on conflict (customer, day) do nothing`;
const LOCK = `select ${ROW} from turnover_day where (customer, day) in (select * from unnest($1::text[], $2::date[]))
  order by customer, day for update`;
const SAVE = `update turnover_day t set cents = n.cents, mac = n.mac from ${GIVEN} where t.customer = n.customer and t.day = n.day`;

/** Returns an address's turnover in 30 days, in cents of USD. */
export async function turnoverOf(db: Statements, email: string): Promise<bigint> {
  return (await turnoversOf(db, [email])).get(canonicalEmail(email)) ?? 0n;
}

/**
 * Returns the same for several addresses, by their canonical spelling; those without turnover are missing. Rows that SQL changed
 * don't count.
 */
export async function turnoversOf(db: Statements, emails: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.rows<Row>(
    `select ${ROW} from turnover_day where customer = any ($1) and day > ${TODAY} - ${DAYS}`,
    [emails.map(canonicalEmail)],
    { name: 'loyalty.turnovers_of' },
  );
  const sums = new Map<string, bigint>();
  for (const { customer, cents } of rows.filter(isAsCounted)) sums.set(customer, (sums.get(customer) ?? 0n) + BigInt(cents));
  return sums;
}

/** Returns sums of turnover whose rows SQL changed, by customer and day. */
export async function alteredTurnover(db: Statements): Promise<string[]> {
  const rows = await db.rows<Row>(`select ${ROW} from turnover_day order by customer, day`);
  return rows.filter((row) => !isAsCounted(row)).map(({ day }) => day);
}

/** Moves the turnover of one address to another. */
export async function moveTurnover(tx: Tx, { from, to }: { readonly from: string; readonly to: string }): Promise<void> {
  const [was, is] = [canonicalEmail(from), canonicalEmail(to)];
  if (was === is) return;
  const gone = await tx.rows<Row>(`delete from turnover_day where customer = $1 returning ${ROW}`, [was]);
  const counted = gone.filter(isAsCounted).filter(({ cents }) => cents !== '0');
  await countTurnover(
    tx,
    counted.map(({ day, cents }) => ({ email: is, completedAt: new Date(`${day}T00:00:00Z`), cents: BigInt(cents) })),
  );
}

/** Deletes the turnover of an address. */
export async function forgetTurnoverOf(tx: Tx, email: string): Promise<void> {
  await tx.run('delete from turnover_day where customer = $1', [canonicalEmail(email)]);
}

/** Deletes days that no longer count. Returns the number of rows. */
export const forgetTurnover = (db: Statements): Promise<number> =>
  db.run(`delete from turnover_day where day <= ${TODAY} - ${DAYS}`);
