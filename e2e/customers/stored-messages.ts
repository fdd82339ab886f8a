import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { System } from '../harness/system.ts';

/** Counts of the callbacks of one payment system that an installation has stored. */
export interface StoredMessages {
  /** Number of times that the most repeated message arrived. */
  readonly copies: number;
  readonly proven: number;
  readonly refused: number;
}

/** Counts the stored callbacks of a rail in the database of a running system, since no call of the API returns them. */
export async function storedMessages(system: System, rail: string): Promise<StoredMessages> {
  const { cluster, ports } = await system.run();
  const password = (await readFile(join(system.data, 'keys/database.password'), 'utf8')).trim();
  const host = existsSync(join(cluster, `.s.PGSQL.${ports.postgres}`)) ? cluster : '127.0.0.1';
  const client = new pg.Client({ host, port: ports.postgres, user: 'kurs_app', password, database: 'kurs' });
  await client.connect();
  try {
    const { rows } = await client.query<StoredMessages>(
      `select coalesce(max(copies), 0)::int as copies, count(*) filter (where proven)::int as proven,
         count(*) filter (where not proven)::int as refused from callback where rail = $1`,
      [rail],
    );
    return rows[0] as StoredMessages;
  } finally {
    await client.end();
  }
}
