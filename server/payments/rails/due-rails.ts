import type { Statements } from '../../platform/index.ts';

/** Work that may be due on rails, by name. It is due once any of its rows is. */
export interface DueWork {
  readonly what: string;
  /** Tables with `rail` and `due_at`, or queries of such rows in brackets. */
  readonly rows: readonly string[];
  /** Rows that become due within this number of seconds count as due; 0 by default. */
  readonly withinSeconds?: number;
}

/** Returns a function that finds due work of all rails by one query, as `<what>:<rail>`. `name`: the statement's name. */
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
