import type { Statements, Tx } from '../../platform/index.ts';

/** What a customer has shown of themselves: nothing but an e-mail · an account · a document · address and source of funds. */
export type Level = 0 | 1 | 2 | 3;

/** Customers' levels by their e-mails; one without a row is left out. */
export async function readLevels(db: Statements, emails: readonly string[]): Promise<Map<string, Level>> {
  const rows = await db.rows<{ email: string; level: Level }>(
    'select email, level from customer where email = any ($1::text[])',
    [emails],
    {
      name: 'compliance.levels',
    },
  );
  return new Map(rows.map(({ email, level }) => [email, level]));
}

/** Stores a customer's level. */
export async function writeLevel(tx: Tx, email: string, level: Level, by: string): Promise<void> {
  await tx.run(
    `insert into customer (email, level, by, at) values ($1, $2, $3, $4)
     on conflict (email) do update set level = excluded.level, by = excluded.by, at = excluded.at`,
    [email, level, by, tx.now],
  );
}

/**
 * Moves a customer's level to another e-mail, which keeps its own where that is higher; that something was paid out to them
 * goes along.
 */
export async function moveLevel(tx: Tx, from: string, to: string): Promise<void> {
  await tx.run(
    `insert into customer (email, level, finished, by, at) select $2, level, finished, by, $3 from customer where email = $1
     on conflict (email) do update set level = greatest(customer.level, excluded.level),
       finished = customer.finished or excluded.finished, by = excluded.by, at = excluded.at`,
    [from, to, tx.now],
  );
  await tx.run('update customer set level = 0, at = $2 where email = $1', [from, tx.now]);
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
