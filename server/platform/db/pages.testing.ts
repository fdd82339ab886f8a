import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, openDb } from './db.ts';

const NAME = 'pages';

/**
 * Runs `work` over separate connections and waits until these have ended. PostgreSQL adds a connection's reads to its statistics
 * when the connection ends.
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

/** Number of measurements. A vacuum or a background loop may read the same tables meanwhile, so the smallest result is used. */
const COUNTS = 3;

/**
 * Returns how many pages `work` reads of each table and its indexes. `work` runs once unmeasured, and then several times, each
 * time after `prepare`. Concurrent reads by other connections are included.
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
  const min = new Map<string, number>();
  for (let count = 0; count < COUNTS; count += 1) {
    await prepare();
    const before = await read();
    await apart(db, url, work);
    for (const [name, pages] of await read()) min.set(name, Math.min(min.get(name) ?? Infinity, pages - (before.get(name) ?? 0)));
  }
  return min;
}

/** Tolerated number of additional pages, such as catalog entries and further leaves of an index. */
const ANYWAY = 40;

/**
 * Returns the tables of which `many` has more than twice the pages of `few`, plus a tolerance. `few` and `many`: results of
 * `pagesOf` for the same work, with few rows and with ten times as many.
 */
export const grownPages = (few: ReadonlyMap<string, number>, many: ReadonlyMap<string, number>): string[] =>
  [...many]
    .filter(([table, pages]) => pages > 2 * (few.get(table) ?? 0) + ANYWAY)
    .map(([table, pages]) => `${table} ${few.get(table) ?? 0} → ${pages}`);
