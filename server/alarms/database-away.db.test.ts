// A database that is down causes an alarm, although all other alarms are stored in it.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { type Db, configureLog, openDb, putSetting, watchSettings } from '../platform/index.ts';
import { smtpServer } from '../platform/smtp.testing.ts';
import { type TcpProxy, startTcpProxy } from '../platform/tcp-proxy.ts';
import { type TestDb, testDb } from '../platform/testing.ts';
import { watchDatabase } from './database-away.ts';
import { reportedLately } from './store.ts';

const letters: string[] = [];
const posted: unknown[] = [];
const hook = createServer(async (request, response) => {
  posted.push(await json(request));
  response.end();
});
let answer = '250 ok';
let own: TestDb;
let db: Db;
let proxy: TcpProxy;
let smtp: { server: Server; url: string };
let settings: Awaited<ReturnType<typeof watchSettings>>;
const folder = mkdtempSync(join(tmpdir(), 'kurs-away-'));
const file = join(folder, 'log/alarms.log');
before(async () => {
  own = await testDb();
  configureLog({ sink: () => {} });
  await new Promise<void>((done) => hook.listen(0, '127.0.0.1', done));
  const webhook = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
  await own.db.tx(async (tx) => {
    await putSetting(tx, 'alarms.mail', ['olga@example.org'], 'test');
    await putSetting(tx, 'alarms.webhook', webhook, 'test');
  });
  settings = await watchSettings(own.db);
  const url = new URL(own.url);
  proxy = await startTcpProxy(Number.parseInt(url.port, 10));
  Object.assign(url, { hostname: '127.0.0.1', port: proxy.port });
  db = openDb({ url: url.href, name: 'away' });
  smtp = await smtpServer(letters, () => answer);
});
after(async () => {
  await settings.stop();
  await db.close();
  await proxy.close();
  smtp.server.close();
  hook.close();
  rmSync(folder, { recursive: true });
  await own.drop();
});

const at = (seconds: number): Date => new Date(Date.UTC(2026, 10, 25, 12) + seconds * 1_000);
const lines = (): string[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ').slice(1, 3).join(' '));
const subjects = (): string[] => letters.map((letter) => /^Subject: (.*)\r$/m.exec(letter)?.[1] ?? '');

test('reports a database that is down once, repeats a refused letter, and reports its return', async () => {
  const post = { smtpUrl: smtp.url, from: { name: 'Kurs', address: 'desk@kurs.example' }, host: 'kurs.example' };
  const poll = watchDatabase({ db, name: 'Kurs', file, post });
  await poll(at(0));
  proxy.refuse();
  await poll(at(10));
  await poll(at(30));
  assert.deepEqual(letters, [], 'it may be back at once');
  answer = '451 later';
  await poll(at(41));
  assert.deepEqual(lines(), ['Alarm: database.']);
  answer = '250 ok';
  await poll(at(51));
  await poll(at(61));
  assert.deepEqual([lines(), subjects()], [['Alarm: database.'], ['Kurs: Alarm: database']]);
  assert.match(letters[0] ?? '', /does not answer/);
  assert.match((posted as { text: string }[]).map(({ text }) => text).join(), /^Alarm: database\. [^,]*does not answer/);
  proxy.restore();
  await poll(at(71));
  assert.equal(letters.length, 1, 'it may be away again at once');
  await poll(at(132));
  assert.deepEqual(subjects(), ['Kurs: Alarm: database', 'Kurs: Over: database']);
  assert.deepEqual(
    (await reportedLately(own.db, 10)).map(({ notice, key }) => `${notice} ${key}`),
    ['over database', 'raised database'],
  );
});
