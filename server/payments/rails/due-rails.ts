import type { Statements } from '../../platform/index.ts';

/** A kind of work that may be due on rails. The work is due on a rail if any of that rail's rows is due. */
export interface DueWork {
  readonly what: string;
  /** Tables with columns `rail` and `due_at`, or queries in parentheses that return these columns. */
  readonly rows: readonly string[];
  /** Seconds by which rows are treated as due ahead of time; 0 by default. */
  readonly withinSeconds?: number;
}

/**
 * Returns a function that finds the due work of all rails by one query. It returns keys of the form `<what>:<rail>`. `name`: name
 * of the prepared statement.
 */
export function duePoll(
  name: string,
  tasks: readonly DueWork[],
): (db: Statements, rails: readonly string[]) => Promise<string[]> {
  const parts = tasks.map(({ what, rows, withinSeconds = 0 }) => {
    const by = `clock_now() + interval '${withinSeconds} seconds'`;
    const some = rows.map((one) => `exists (select from ${one} as due where due.rail = given.rail and due.due_at <= ${by})`);
    return `select '${what}:' || given.rail as key from unnest($1::text[]) as given (rail) where ${some.join(' or ')}`;
  });
  const sql = parts.join(' union all ');
  return async (db, rails) => (await db.rows<{ key: string }>(sql, [rails], { name })).map(({ key }) => key);
}
