import { type Statements, type Tx, isMac, macOf, steady } from '../../platform/index.ts';

/**
 * Verification level of a customer. 0: has proven an e-mail at most; 1: has an account; 2: has proven a document; 3: has proven
 * address and source of funds.
 */
export type Level = 0 | 1 | 2 | 3;

interface LevelRow {
  readonly holderId: string;
  readonly level: Level;
  readonly by: string;
  readonly at: Date;
}
const contentOf = ({ holderId, level, by, at }: LevelRow): string => steady([holderId, level, by, at]);
const isAsSet = (row: LevelRow & { readonly mac: string | null }): boolean => isMac('level', contentOf(row), row.mac);
const LEVEL = 'holder_id as "holderId", level, by, at, mac';

/** Returns the stored levels of account holders. Holders without a stored level, or whose row was changed by SQL, are left out. */
export async function readLevels(db: Statements, holderIds: readonly string[]): Promise<Map<string, Level>> {
  const rows = await db.rows<LevelRow & { mac: string | null }>(
    `select ${LEVEL} from customer_level where holder_id = any ($1::uuid[])`,
    [holderIds],
    { name: 'compliance.levels' },
  );
  return new Map(rows.filter(isAsSet).map(({ holderId, level }) => [holderId, level]));
}

/** Returns the times at which account holders' levels were set, by holder. */
export async function levelsSetAt(db: Statements, holderIds: readonly string[]): Promise<Map<string, Date>> {
  const rows = await db.rows<{ holderId: string; at: Date }>(
    'select holder_id as "holderId", at from customer_level where holder_id = any ($1::uuid[])',
    [holderIds],
  );
  return new Map(rows.map(({ holderId, at }) => [holderId, at]));
}

/** Returns account holders whose level was changed by SQL. */
export async function alteredLevels(db: Statements): Promise<string[]> {
  const rows = await db.rows<LevelRow & { mac: string | null }>(`select ${LEVEL} from customer_level order by holder_id`);
  return rows.filter((row) => !isAsSet(row)).map(({ holderId }) => holderId);
}

/** Stores an account holder's level; `by` names the person who decided. */
export async function writeLevel(tx: Tx, holderId: string, level: Level, by: string): Promise<void> {
  await tx.run(
    `insert into customer_level (holder_id, level, by, at, mac) values ($1, $2, $3, $4, $5)
     on conflict (holder_id) do update set level = excluded.level, by = excluded.by, at = excluded.at, mac = excluded.mac`,
    [holderId, level, by, tx.now, macOf('level', contentOf({ holderId, level, by, at: tx.now }))],
  );
}

interface CustomerRow {
  readonly email: string;
  readonly by: string;
  readonly at: Date;
}
const ofCustomer = ({ email, by, at }: CustomerRow): string => steady([email, by, at]);
const isAsFinished = (row: CustomerRow & { readonly mac: string | null }): boolean => isMac('customer', ofCustomer(row), row.mac);

/**
 * Returns the row of a customer who has received a payout. Undefined if the customer has received none, or if the row was changed
 * by SQL.
 */
async function finishedRow(db: Statements, email: string): Promise<CustomerRow | undefined> {
  const row = await db.row<CustomerRow & { mac: string | null }>(
    'select email, by, at, mac from customer where email = $1 and finished',
    [email],
    { name: 'compliance.finished' },
  );
  return row && isAsFinished(row) ? row : undefined;
}

/** If the customer with the e-mail `from` has received a payout, records that for the e-mail `to`, too. */
export async function copyFinished(tx: Tx, from: string, to: string): Promise<void> {
  const row = await finishedRow(tx, from);
  if (row) await finishCustomers(tx, [{ email: to, by: row.by }]);
}

/** Returns true if the customer with this e-mail has already received a payout. */
export const hasFinished = async (db: Statements, email: string): Promise<boolean> =>
  (await finishedRow(db, email)) !== undefined;

/** Records that customers have received a payout. `by`: kind of the payout's owner. A customer's first record is never replaced. */
export async function finishCustomers(
  tx: Tx,
  customers: readonly { readonly email: string; readonly by: string }[],
): Promise<void> {
  if (customers.length === 0) return;
  const first = new Map(customers.toReversed().map(({ email, by }) => [email, { email, by, at: tx.now }]));
  const known = await tx.rows<CustomerRow & { mac: string | null }>(
    'select email, by, at, mac from customer where email = any ($1) and finished',
    [[...first.keys()]],
  );
  for (const row of known) if (isAsFinished(row)) first.delete(row.email);
  const rows = [...first.values()].toSorted((one, other) => (one.email < other.email ? -1 : 1));
  if (rows.length === 0) return;
  await tx.run(
    `insert into customer (email, finished, by, at, mac)
     select email, true, by, $3::timestamptz, mac from unnest($1::text[], $2::text[], $4::uuid[]) as given (email, by, mac)
     on conflict (email) do update set finished = true, by = excluded.by, at = excluded.at, mac = excluded.mac`,
    [rows.map(({ email }) => email), rows.map(({ by }) => by), tx.now, rows.map((row) => macOf('customer', ofCustomer(row)))],
  );
}

/** Returns the e-mails of customers whose record of a payout was changed by SQL. */
export async function alteredCustomers(db: Statements): Promise<string[]> {
  const rows = await db.rows<CustomerRow & { finished: boolean; mac: string | null }>(
    'select email, finished, by, at, mac from customer order by email',
  );
  return rows.filter((row) => !row.finished || !isAsFinished(row)).map(({ email }) => email);
}
