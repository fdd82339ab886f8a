import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** The room of each table and view, in the order in which migrations create them. A migration is named after its room. */
export function tableRooms(): ReadonlyMap<string, string> {
  const files = globSync('server/migrations/*.sql', { cwd: ROOT }).sort();
  return new Map(
    files.flatMap((file) => {
      // 0014_exchange.sql, 0021_exchange_calculation.sql
      const room = /\d{4}_([a-z]+)/.exec(file)?.[1] ?? '';
      const sql = readFileSync(join(ROOT, file), 'utf8');
      const created = sql.matchAll(/^create (?:unlogged )?(?:table|view) (?:if not exists )?([a-z_]+)/gim);
      return [...created].map(([, table = '']) => [table, room] as const);
    }),
  );
}
