// pgbench's "simple update", one connection for each caller: code without groups, as a comparison for every durable action in the
// same PostgreSQL and the same run.

import pg from 'pg';

const ROWS = 10_000;
const below = (limit: number): number => Math.floor(Math.random() * limit);

export interface Simple {
  /** Updates a second with so many callers. */
  measure(callers: number, seconds: number): Promise<number>;
  close(): Promise<void>;
}

/** Makes its tables in a database of its own on the server. `admin`: address of the superuser. */
export async function openSimple(admin: string): Promise<Simple> {
  await inOne(admin, async (client) => {
    await client.query('drop database if exists bench_simple with (force)');
    await client.query('create database bench_simple');
  });
  const url = Object.assign(new URL(admin), { pathname: '/bench_simple' }).href;
  await inOne(url, (client) => client.query(TABLES));
  return {
    async measure(callers, seconds) {
      const clients = await Promise.all(Array.from({ length: callers }, () => connect(url)));
      const begin = performance.now();
      const until = begin + seconds * 1_000;
      const counts = clients.map(async (client) => {
        let done = 0;
        for (; performance.now() < until; done += 1) await update(client);
        return done;
      });
      const done = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
      const rate = (done * 1_000) / (performance.now() - begin);
      await Promise.all(clients.map((client) => client.end()));
      return rate;
    },
    close: () => inOne(admin, (client) => client.query('drop database if exists bench_simple with (force)')),
  };
}

const TABLES = `
  create table simple (id int primary key, balance bigint, filler text) with (fillfactor = 60);
  create table simple_history (id int, change bigint, at timestamptz);
  insert into simple select id, 0, repeat('x', 60) from generate_series(0, ${ROWS - 1}) id;`;

async function update(client: pg.Client): Promise<void> {
  const values = [below(ROWS), below(2_000_000)];
  await client.query('begin');
  await client.query({ name: 'update', text: 'update simple set balance = balance + $2 where id = $1', values });
  await client.query({ name: 'select', text: 'select balance from simple where id = $1', values: [values[0]] });
  await client.query({ name: 'insert', text: 'insert into simple_history values ($1, $2, now())', values });
  await client.query('commit');
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

async function inOne(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = await connect(url);
  await work(client).finally(() => client.end());
}
