import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, openDb } from './db.ts';

const NAME = 'pages';

/**
 * Runs `work` over separate connections and waits until they have ended: PostgreSQL counts what a connection has read when it
 * ends.
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

/** Number of measurements. A vacuum or another loop may read the same table meanwhile, so the smallest result counts. */
const COUNTS = 3;

/**
 * Counts the pages of tables and indexes that `work` reads, by table. It runs once uncounted, then several times, each time after
 * `prepare`. Reads of other connections meanwhile count too.
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

/** Pages that any plan may read in addition, such as catalog entries and further leaves of an index. */
const ANYWAY = 40;

/** Returns the tables of which the same work reads more than twice the pages when they have ten times the rows. */
export const grownPages = (few: ReadonlyMap<string, number>, many: ReadonlyMap<string, number>): string[] =>
  [...many]
    .filter(([table, pages]) => pages > 2 * (few.get(table) ?? 0) + ANYWAY)
    .map(([table, pages]) => `${table} ${few.get(table) ?? 0} → ${pages}`);
