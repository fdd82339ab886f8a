import { type Statements, type Tx, isMac, macOf, steady } from '../../platform/index.ts';

/** What a customer has shown of themselves: nothing but an e-mail · an account · a document · address and source of funds. */
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

/** Stored levels by account holder. A holder without a row, or whose row was changed by SQL, is left out. */
export async function readLevels(db: Statements, holderIds: readonly string[]): Promise<Map<string, Level>> {
  const rows = await db.rows<LevelRow & { mac: string | null }>(
    `select ${LEVEL} from customer_level where holder_id = any ($1::uuid[])`,
    [holderIds],
    { name: 'compliance.levels' },
  );
  return new Map(rows.filter(isAsSet).map(({ holderId, level }) => [holderId, level]));
}

/** Account holders whose level was changed by SQL. */
export async function alteredLevels(db: Statements): Promise<string[]> {
  const rows = await db.rows<LevelRow & { mac: string | null }>(`select ${LEVEL} from customer_level order by holder_id`);
  return rows.filter((row) => !isAsSet(row)).map(({ holderId }) => holderId);
}

/** Stores an account holder's level; `by` names who decided it. */
export async function writeLevel(tx: Tx, holderId: string, level: Level, by: string): Promise<void> {
  await tx.run(
    `insert into customer_level (holder_id, level, by, at, mac) values ($1, $2, $3, $4, $5)
     on conflict (holder_id) do update set level = excluded.level, by = excluded.by, at = excluded.at, mac = excluded.mac`,
    [holderId, level, by, tx.now, macOf('level', contentOf({ holderId, level, by, at: tx.now }))],
  );
}

/** Notes under a second e-mail, too, that something was paid out to its customer. */
export async function copyFinished(tx: Tx, from: string, to: string): Promise<void> {
  await tx.run(
    `insert into customer (email, finished, by, at) select $2, true, by, $3 from customer where email = $1 and finished
     on conflict (email) do update set finished = true where not customer.finished`,
    [from, to, tx.now],
  );
}

/** Whether something was paid out to a customer already. */
export async function hasFinished(tx: Tx, email: string): Promise<boolean> {
  return (
    (await tx.row('select from customer where email = $1 and finished', [email], { name: 'compliance.finished' })) !== undefined
  );
}

/** Notes that something was paid out to these customers; `by` is the kind of what it was. */
export async function finishCustomers(
  tx: Tx,
  customers: readonly { readonly email: string; readonly by: string }[],
): Promise<void> {
  if (customers.length === 0) return;
  await tx.run(
    `insert into customer (email, finished, by, at)
     select distinct on (email) email, true, by, $3::timestamptz from unnest($1::text[], $2::text[]) as given (email, by) order by 1, 2
     on conflict (email) do update set finished = true where not customer.finished`,
    [customers.map(({ email }) => email), customers.map(({ by }) => by), tx.now],
  );
}
