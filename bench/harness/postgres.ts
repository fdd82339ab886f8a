// A durable PostgreSQL for the bench alone, with the settings of a running system.

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { System } from '../../e2e/harness/system.ts';
import { spawnPostgres } from '../../server/platform/process/cluster.ts';
import { clusterUrl, createCluster, freePort, placeCluster, secret, waitForPostgres } from '../../server/platform/index.ts';

/** A durable PostgreSQL: the address of its superuser and the process id of its server. */
export interface BenchServer {
  readonly url: string;
  readonly pid: number;
}

/** Settings by their names. */
export type Settings = Readonly<Record<string, string>>;

/** PostgreSQL's settings of a running system, and others that decide about durability and speed, as the server reports them. */
export async function settingsOf(system: System): Promise<{ given: Settings; words: string }> {
  const { cluster, ports } = await system.run();
  const url = clusterUrl(cluster, ports.postgres, { password: secret(system.data, 'postgres.password') });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const given = await client.query<{ name: string; value: string }>(
      `select name, current_setting(name) as value from pg_settings where source = 'command line' and name <> all ($1) order by name`,
      [['port', 'data_directory', 'config_file', 'hba_file', 'ident_file', 'listen_addresses', 'unix_socket_directories']],
    );
    const said = await client.query<{ name: string; value: string }>(
      `select name, current_setting(name) as value from pg_settings where name = any ($1) order by name`,
      [['data_checksums', 'fsync', 'full_page_writes', 'synchronous_commit', 'server_version']],
    );
    const words = [...said.rows, ...given.rows].map(({ name, value }) => `${name}=${value}`).join(' ');
    return { given: Object.fromEntries(given.rows.map(({ name, value }) => [name, value])), words };
  } finally {
    await client.end();
  }
}

/** Starts it in a folder of its own, which is removed when it stops. */
export async function startPostgres(settings: Settings): Promise<BenchServer & { stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'kurs-bench-'));
  const place = await placeCluster(folder);
  const [port, password] = [await freePort(), 'bench'];
  await createCluster(place, password);
  const child = spawnPostgres(place, port, settings, 'ignore');
  const url = clusterUrl(place.directory, port, { password });
  await waitForPostgres(url);
  return {
    url,
    pid: child.pid as number,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
      for (const directory of [place.directory, folder]) await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Makes an empty database on the server and returns its address. Drops one of the same name. */
export async function freshDatabase({ url }: BenchServer, name: string): Promise<string> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.query(`create database ${name}`);
  await admin.end();
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}
