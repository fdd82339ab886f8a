// Data of an earlier version, and a PostgreSQL that is too old, are refused by their version before anything is said of keys.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  type Config,
  clusterUrl,
  createCluster,
  freePort,
  keepPostgres,
  makeKeys,
  placeCluster,
  runningPid,
  secret,
} from '../platform/index.ts';
import { testDb, testDbBefore } from '../platform/testing.ts';
import { on } from './database-roles.ts';
import { letKnow, requireKeys, requireSameKeys } from './first-start.ts';
import { readyAddress } from './one-role.ts';
import { bringUpToDate } from './up-to-date.ts';

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

test('data of an earlier version is refused by its version, and says how to begin anew', async (t) => {
  const { owner, ownerUrl, drop } = await testDbBefore('0161');
  t.after(() => drop());
  await owner.run(`insert into installation (mode) values ('sandbox') on conflict do nothing`);
  const folder = newFolder();
  makeKeys(folder);
  // An earlier version had no such key.
  rmSync(join(folder, 'keys/books-v1.key'));
  const sandbox = await wordsOf(requireKeys(where(folder, ownerUrl)));
  assert.match(sandbox, /^This sandbox's data is of an earlier version \(it lacks \d+ migrations\)/);
  assert.match(sandbox, /books-v1\.key is missing/);
  assert.ok(sandbox.includes(`Begin anew: remove ${folder} and the database that DATABASE_URL names`), sandbox);
  assert.doesNotMatch(sandbox, /begun with keys/);
  const live = await wordsOf(requireKeys(where(folder, ownerUrl, 'live')));
  assert.match(live, /^This database is of an earlier version/);
  assert.match(live, /pay out what is owed, and begin anew with an empty database and another KURS_DATA/);
  assert.equal(existsSync(join(folder, 'keys/books-v1.key')), false, 'no key was made');
});

test('over data of an earlier version other keys are told with its version', async (t) => {
  const { owner, ownerUrl, drop } = await testDbBefore('0161');
  t.after(() => drop());
  await owner.run(`insert into installation (mode) values ('sandbox') on conflict do nothing`);
  await owner.run(`insert into key_fingerprint (name, fingerprint, at) values ('seed', '${'0'.repeat(32)}', now())`);
  const folder = newFolder();
  makeKeys(folder);
  const words = await wordsOf(requireSameKeys(ownerUrl, where(folder, ownerUrl)));
  assert.match(words, /is of an earlier version[^]*seed is another one/);
});

test('the embedded database is asked for its version, too, and stopped again', async () => {
  const folder = newFolder();
  makeKeys(folder);
  const place = await placeCluster(folder);
  folders.push(place.directory);
  const password = secret(folder, 'postgres.password');
  await createCluster(place, password);
  const port = await freePort();
  const keeper = await keepPostgres({ place, port, settings: {} });
  await on(clusterUrl(place.directory, port, { password }), (client) => client.query('create database kurs'));
  await on(clusterUrl(place.directory, port, { password, database: 'kurs' }), (client) =>
    client.query(`create table migration (name text primary key, hash text, applied_at timestamptz default now());
      insert into migration (name) values ('0001_platform')`),
  );
  const ended = once(keeper, 'exit');
  keeper.disconnect();
  await ended;
  rmSync(join(folder, 'keys/books-v1.key'));
  const words = await wordsOf(requireKeys(where(folder, '')));
  assert.match(words, /^This sandbox's data is of an earlier version/);
  assert.ok(words.includes(`Begin anew: remove ${folder}, and start again`), words);
  assert.equal(await runningPid(place.directory), undefined);
});

test('data of this version is refused for its keys as before', async (t) => {
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

/** A message of PostgreSQL's protocol (postgresql.org, "Message Formats"). */
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

/** A server that greets as PostgreSQL does and answers each statement with this version. Gives its address. */
async function oldServer(version: string): Promise<{ url: string; asked: string[]; stop(): void }> {
  const asked: string[] = [];
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
        asked.push(data.toString('utf8', 5));
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
  return { url: `postgres://kurs:none@127.0.0.1:${address.port}/kurs`, asked, stop };
}

test('a PostgreSQL below 15 is refused with words, at start, by migrate and on a machine with one role', async (t) => {
  const { url, asked, stop } = await oldServer('14.12 (Debian 14.12-1)');
  t.after(stop);
  const folder = newFolder();
  const role = { ...where(folder, '', 'live'), KURS_APP_DATABASE_URL: url };
  for (const refusal of [
    requireKeys(where(folder, url, 'live')),
    bringUpToDate(url, where(folder, url)),
    readyAddress('api', role, () => {}),
  ]) {
    const words = await wordsOf(refusal);
    assert.match(words, /^The database is PostgreSQL 14\.12 \(Debian 14\.12-1\), and Kurs needs 15 or later/);
    assert.match(words, /Nothing was made or changed/);
  }
  assert.ok(
    asked.every((statement) => statement.startsWith('show ')),
    asked.join('\n'),
  );
  assert.equal(existsSync(join(folder, 'keys')), false);
});

test('the least version that is refused is the least that the documentation names', () => {
  assert.match(readFileSync(new URL('../../docs/configure.md', import.meta.url), 'utf8'), /PostgreSQL 15 or later/);
});
