// Data of another version, and a PostgreSQL that is too old, are refused for that reason before any check of keys.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  type Config,
  type Statements,
  clusterUrl,
  createCluster,
  freePort,
  runPostgres,
  writeRunNote,
  loadConfig,
  makeKeys,
  placeCluster,
  runningPid,
  secret,
} from '../platform/index.ts';
import { testDb } from '../platform/testing.ts';
import { on } from './database-roles.ts';
import { prepareDatabase, withDatabase } from './database.ts';
import { letKnow, requireKeys } from './first-start.ts';
import { readyAddress } from './one-role.ts';

const folders: string[] = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kurs-older-'));
  folders.push(folder);
  return folder;
}

const where = (folder: string, url: string, mode: Config['KURS_MODE'] = 'sandbox') => ({
  ...{ KURS_DATA: folder, KURS_MODE: mode, DATABASE_URL: url, KURS_APP_DATABASE_URL: '', KURS_SIGNER_DATABASE_URL: '' },
});
const wordsOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => assert.fail('was taken'),
    (error: Error) => {
      assert.equal(error.name, 'ConfigError', error.stack);
      return error.message;
    },
  );

/** Changes the hash of a database's first migration, as if another version had begun it. */
const asOfOtherVersion = (db: Statements): Promise<unknown> =>
  db.run(`update migration set hash = 'another' where name = (select min(name) from migration)`);

/**
 * Returns everything in a database that this version could change: its rights, and its rows of migrations, keys and
 * installations.
 */
const stateOf = async (db: Statements): Promise<unknown> => ({
  rights: await db.rows(`select relname, relacl::text from pg_class where relnamespace = 'public'::regnamespace order by 1`),
  migrations: await db.rows('select * from migration order by name'),
  keys: await db.rows('select * from key_fingerprint order by 1'),
  installations: await db.rows('select * from installation'),
});

const OTHER_VERSION = {
  sandbox: /^Another version of Kurs made this sandbox's data/,
  live: /^Another version of Kurs made this database/,
};

for (const mode of ['sandbox', 'live'] as const) {
  test(`start and migrate refuse a ${mode} database of another version before any check of keys, and change nothing`, async (t) => {
    const { owner, ownerUrl, drop } = await testDb();
    t.after(() => drop());
    await asOfOtherVersion(owner);
    await owner.run('update installation set mode = $1', [mode]);
    await owner.run(`insert into key_fingerprint (name, fingerprint, at) values ('seed', '${'0'.repeat(32)}', now())`);
    const before = await stateOf(owner);
    const folder = newFolder();
    const whole = { ...loadConfig({}), ...where(folder, ownerUrl, mode) };
    const apart = { ...whole, KURS_ROLE: 'api', KURS_APP_DATABASE_URL: ownerUrl } as const;
    const work = (): Promise<never> => Promise.reject(new Error('nothing is done with such a database'));
    for (const command of [
      () => requireKeys(whole),
      () => withDatabase(whole, work),
      () => withDatabase(apart, work),
      () => readyAddress('api', apart, () => {}),
      () => readyAddress('api', { ...apart, DATABASE_URL: '' }, () => {}),
    ]) {
      const words = await wordsOf(command());
      assert.match(words, OTHER_VERSION[mode]);
      assert.match(words, mode === 'sandbox' ? /Настоящих денег в ней нет/ : /выплатите всё, что должны/);
      if (mode === 'sandbox') assert.ok(words.includes(`Begin anew: remove ${folder} (`), words);
      else assert.match(words, /begin anew with an empty database and another KURS_DATA/);
    }
    assert.deepEqual(await stateOf(owner), before);
    assert.equal(existsSync(join(folder, 'keys')), false, 'no key was made');
  });
}

test('start and migrate refuse an embedded database of another version, with and without its keys, and stop it again', async () => {
  const folder = newFolder();
  makeKeys(folder);
  const place = await placeCluster(folder);
  folders.push(place.directory);
  const password = secret(folder, 'postgres.password');
  await createCluster(place, password);
  const run = async <T>(work: (port: number) => Promise<T>): Promise<T> => {
    const port = await freePort();
    const keeper = await runPostgres({ place, port, settings: {} });
    try {
      return await work(port);
    } finally {
      const ended = once(keeper, 'exit');
      keeper.disconnect();
      await ended;
    }
  };
  const ofDatabase = (port: number): string => clusterUrl(place.directory, port, { password, database: 'kurs' });
  await run(async (port) => {
    await on(clusterUrl(place.directory, port, { password }), (client) =>
      client.query('create role kurs_owner').then(() => client.query('create database kurs owner kurs_owner')),
    );
    await on(ofDatabase(port), (client) =>
      client.query(`create table migration (name text primary key, hash text);
        insert into migration (name) values ('0001_platform'); alter table migration owner to kurs_owner`),
    );
  });
  const config = { ...loadConfig({}), ...where(folder, '') };
  const refused = async (command: Promise<unknown>): Promise<void> => {
    const words = await wordsOf(command);
    assert.match(words, OTHER_VERSION.sandbox);
    assert.ok(words.includes(`Begin anew: remove ${folder} (`), words);
  };
  const work = (): Promise<never> => Promise.reject(new Error('nothing is done with such a database'));
  await refused(withDatabase(config, work));
  const { connect } = await prepareDatabase(config);
  await run((port) => refused(connect(port)));
  await run(async (port) => {
    const note = { pid: process.pid, address: '', mode: 'sandbox', pids: {}, cluster: place.directory } as const;
    writeRunNote(folder, { ...note, ports: { postgres: port } });
    await refused(withDatabase(config, work));
  });
  rmSync(join(folder, 'run.json'));
  const tables = await run((port) =>
    on(
      ofDatabase(port),
      async (client) => (await client.query(`select tablename from pg_tables where schemaname = 'public'`)).rows,
    ),
  );
  assert.deepEqual(tables, [{ tablename: 'migration' }]);
  for (const key of ['bot.key', 'seed']) {
    rmSync(join(folder, 'keys', key));
    await refused(requireKeys(config));
    assert.equal(existsSync(join(folder, 'keys', key)), false, 'no key was made');
  }
  assert.equal(await runningPid(place.directory), undefined);
});

test('data of this version is refused for its keys', async (t) => {
  const { owner, ownerUrl, drop } = await testDb();
  t.after(() => drop());
  const folder = newFolder();
  makeKeys(folder);
  await letKnow(ownerUrl, where(folder, ownerUrl));
  await owner.run(`insert into installation (mode) values ('sandbox') on conflict do nothing`);
  rmSync(join(folder, 'keys/seed'));
  assert.match(
    await wordsOf(requireKeys(where(folder, ownerUrl))),
    /^This database was begun with keys that are not in .*: seed/,
  );
});

/** Builds a message of PostgreSQL's protocol (postgresql.org, "Message Formats"). */
function message(type: string, ...parts: (string | number | Buffer)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'string') return Buffer.from(`${part}\0`);
      if (typeof part !== 'number') return part;
      const number = Buffer.alloc(4);
      number.writeInt32BE(part);
      return number;
    }),
  );
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Starts a server that greets as PostgreSQL does and answers each statement with this version. Returns its address. */
async function oldServer(version: string): Promise<{ url: string; requests: string[]; stop(): void }> {
  const requests: string[] = [];
  const ready = message('Z', Buffer.from('I'));
  const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
  const answer = Buffer.concat([
    message('T', int16(1), 'server_version', 0, int16(0), 25, int16(-1 & 0xffff), -1, int16(0)),
    message('D', int16(1), version.length, Buffer.from(version)),
    message('C', 'SHOW'),
    ready,
  ]);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let greeted = false;
    socket.on('error', () => {});
    socket.on('data', (data: Buffer) => {
      if (!greeted) {
        greeted = true;
        socket.write(Buffer.concat([message('R', 0), message('S', 'server_version', version), ready]));
      } else if (data.toString('latin1', 0, 1) === 'Q') {
        requests.push(data.toString('utf8', 5));
        socket.write(answer);
      }
    });
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const stop = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `postgres://kurs:none@127.0.0.1:${address.port}/kurs`, requests, stop };
}

test('a PostgreSQL below 15 is refused with a reason, at start, by migrate and on a machine with one role', async (t) => {
  const { url, requests, stop } = await oldServer('14.12 (Debian 14.12-1)');
  t.after(stop);
  const folder = newFolder();
  const role = { ...where(folder, '', 'live'), KURS_APP_DATABASE_URL: url };
  for (const refusal of [
    requireKeys(where(folder, url, 'live')),
    withDatabase({ ...loadConfig({}), ...where(folder, url) }, () => assert.fail('nothing is done with it')),
    readyAddress('api', role, () => {}),
  ]) {
    const words = await wordsOf(refusal);
    assert.match(words, /^The database is PostgreSQL 14\.12 \(Debian 14\.12-1\), and Kurs needs 15 or later/);
    assert.match(words, /Nothing was made or changed/);
  }
  assert.ok(
    requests.every((statement) => statement.startsWith('show ')),
    requests.join('\n'),
  );
  assert.equal(existsSync(join(folder, 'keys')), false);
});

test('the documentation names the same oldest version', () => {
  assert.match(readFileSync(new URL('../../docs/configure.md', import.meta.url), 'utf8'), /PostgreSQL 15 or later/);
});
