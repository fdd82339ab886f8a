// pgledger (github.com/pgr0ss/pgledger), an alternative ledger in SQL, on the same PostgreSQL. Each transfer is a transaction of
// its own, as its documents say. It is not part of this repository: `PGLEDGER=<its folder>`.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

const FILES = ['vendor/scoville-pgsql-ulid/ulid-to-uuid.sql', 'vendor/scoville-pgsql-ulid/uuid-to-ulid.sql', 'pgledger.sql'];
const below = (limit: number): number => Math.floor(Math.random() * limit);

/** Its accounts in a database of its own: many that may not be overdrawn, and one that takes part in every hot transfer. */
export interface Pgledger {
  readonly url: string;
  readonly accounts: readonly string[];
  readonly house: string;
}

/** Installs it from its folder, with so many funded accounts. `url`: address of an empty database. */
export async function openPgledger(folder: string, url: string, count: number): Promise<Pgledger> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const file of FILES) await client.query(await readFile(join(folder, file), 'utf8'));
    const [bank = '', house = '', ...accounts] = (
      await client.query<{ id: string }>(
        `select (pgledger_create_account('account ' || number, 'USD', number <= 2)).id as id from generate_series(1, $1) number`,
        [count + 2],
      )
    ).rows.map(({ id }) => id);
    await client.query(`select pgledger_create_transfer($1, id, 1000000000) from unnest($2::text[]) id`, [bank, accounts]);
    await client.query('vacuum analyze');
    return { url, accounts, house };
  } finally {
    await client.end();
  }
}

/** Makes one transfer, between two accounts or with the shared one. */
export async function transferIn(client: pg.Client, { accounts, house }: Pgledger, isHot: boolean): Promise<void> {
  const one = accounts[below(accounts.length)];
  const other = isHot ? house : accounts[below(accounts.length)];
  const [from, to] = isHot && below(2) === 0 ? [other, one] : [one, other];
  if (from === to) return transferIn(client, { accounts, house, url: '' }, isHot);
  const values = [from, to, `${1 + below(2_000)}.${10 + below(90)}`];
  await client.query({ name: 'transfer', text: 'select id from pgledger_create_transfer($1, $2, $3)', values });
}
