import type { Statements } from '../../platform/index.ts';

/** Work that may be due on rails, by name: rows that wait for a moment, of which one that is due is enough. */
export interface DueWork {
  readonly what: string;
  /** Tables with `rail` and `due_at`, or queries of such rows in brackets. */
  readonly rows: readonly string[];
  /** Due counts what will be within so many seconds; now, by default. */
  readonly withinSeconds?: number;
}

/** One question for all rails and all work: gives what is due as `<what>:<rail>`. `name` is the statement's. */
export function dueLook(
  name: string,
  works: readonly DueWork[],
): (db: Statements, rails: readonly string[]) => Promise<string[]> {
  const parts = works.map(({ what, rows, withinSeconds = 0 }) => {
    const by = `clock_now() + interval '${withinSeconds} seconds'`;
    const some = rows.map((one) => `exists (select from ${one} as due where due.rail = asked.rail and due.due_at <= ${by})`);
    return `select '${what}:' || asked.rail as key from unnest($1::text[]) as asked (rail) where ${some.join(' or ')}`;
  });
  const sql = parts.join(' union all ');
  return async (db, rails) => (await db.rows<{ key: string }>(sql, [rails], { name })).map(({ key }) => key);
}
