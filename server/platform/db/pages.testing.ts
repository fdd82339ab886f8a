import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, openDb } from './db.ts';

const NAME = 'pages';

/**
 * Does a piece of work over connections of its own: a connection tells what it has read as it ends. `db` looks whether they
 * have.
 */
export async function apart(db: Db, url: string, work: (own: Db) => Promise<unknown>): Promise<void> {
  const own = openDb({ url, name: NAME, max: 4, budget: 60_000 });
  try {
    await work(own);
  } finally {
    await own.close();
  }
  while ((await db.rows('select from pg_stat_activity where application_name = $1', [NAME])).length > 0) await sleep(20);
}

/** So often pages are counted: while one is, a vacuum or a loop may read the same table, and the least of all is what counts. */
const COUNTS = 3;

/**
 * Pages of tables and indexes that a piece of work reads, by table. It is done once uncounted, and then a few times more, each
 * time after `prepare`. What others do all the while counts with it.
 */
export async function pagesOf(
  db: Db,
  url: string,
  work: (own: Db) => Promise<unknown>,
  prepare: () => Promise<unknown> = async () => {},
): Promise<Map<string, number>> {
  const read = async (): Promise<Map<string, number>> => {
    const rows = await db.rows<{ name: string; pages: string }>(
      `select relname as name, coalesce(heap_blks_read + heap_blks_hit, 0) + coalesce(idx_blks_read + idx_blks_hit, 0) as pages
       from pg_statio_user_tables`,
    );
    return new Map(rows.map(({ name, pages }) => [name, Number.parseInt(pages, 10)]));
  };
  await prepare();
  await apart(db, url, work);
  const least = new Map<string, number>();
  for (let count = 0; count < COUNTS; count += 1) {
    await prepare();
    const before = await read();
    await apart(db, url, work);
    for (const [name, pages] of await read())
      least.set(name, Math.min(least.get(name) ?? Infinity, pages - (before.get(name) ?? 0)));
  }
  return least;
}

/** Pages that are read anyway: what a plan looks up, and a leaf more here and there. */
const ANYWAY = 40;

/** Tables of which ten times the rows, or more, made the same work read more than twice the pages. */
export const grownPages = (few: ReadonlyMap<string, number>, many: ReadonlyMap<string, number>): string[] =>
  [...many]
    .filter(([table, pages]) => pages > 2 * (few.get(table) ?? 0) + ANYWAY)
    .map(([table, pages]) => `${table} ${few.get(table) ?? 0} → ${pages}`);
