// Alarms with a real database: findings, receivers, messages, reminders, and the end.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type IncomingMessage, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { queuedLetters } from '../deliveries/testing.ts';
import { openDeliveries, openPost, webhookChannel } from '../deliveries/index.ts';
import { type Context, type Db, advanceClock, livingLikeUs, noteLiving, putSetting, watchSettings } from '../platform/index.ts';
import { type TestDb, testDb, testSealer } from '../platform/testing.ts';
import type { AlarmKind, Found } from './alarm.ts';
import { type Beating, type Process, beat, foundSilent, signOff } from './beat.ts';
import { alarmWebhook, foundOfMail, foundOfWebhook, writeLines } from './deliver.ts';
import { alarmRoutes } from './routes.ts';
import { foundOfCertificate, foundOfDisk } from './state.ts';
import { storeFindings, raised } from './store.ts';

const RAIL: Found = { key: 'rail evm', kind: 'rail', words: 'evm is down: no answer' };
const posted: unknown[] = [];
const paths: string[] = [];
let answer = 200;
const hook = createServer(async (request: IncomingMessage, response) => {
  posted.push(await json(request));
  paths.push(request.url ?? '');
  response.writeHead(answer).end('{}');
});

let own: TestDb;
let db: Db;
let folder: string;
let settings: Awaited<ReturnType<typeof watchSettings>>;
before(async () => {
  own = await testDb();
  db = own.db;
  folder = mkdtempSync(join(tmpdir(), 'kurs-alarms-'));
  await new Promise<void>((done) => hook.listen(0, '127.0.0.1', done));
  const { port } = hook.address() as AddressInfo;
  await db.tx(async (tx) => {
    await putSetting(tx, 'alarms.mail', ['olga@example.org', 'petr@example.org'], 'test');
    await putSetting(tx, 'alarms.webhook', `http://127.0.0.1:${port}/bot1:x/sendMessage`, 'test');
    await putSetting(tx, 'alarms.chat', '-100500', 'test');
  });
  settings = await watchSettings(db);
});
after(async () => {
  noteLiving(1);
  await settings.stop();
  hook.close();
  rmSync(folder, { recursive: true });
  await own.drop();
});

const poll = (found: readonly Found[], kinds: readonly AlarmKind[] = ['rail'], process: Process = 'worker', machine = 'a1') =>
  db
    .tx((tx) => storeFindings(tx, kinds, found, { name: 'Kurs', by: { process, machine } }))
    .then((events) => events.map(({ notice, alarm }) => `${notice} ${alarm.key}`));
const mails = async () =>
  (await queuedLetters(db))
    .toSorted((one, other) => Number(one.queuedAt) - Number(other.queuedAt) || (one.recipient < other.recipient ? -1 : 1))
    .map(({ recipient, subject }) => ({ recipient, subject }));

test('a rail that is down is reported to every mailbox, the webhook and the file: once, as a reminder, and as over', async () => {
  const file = join(folder, 'log/alarms.log');
  assert.deepEqual(await poll([RAIL]), []);
  await advanceClock(db, 121_000);
  // Two workers check concurrently.
  const both = await Promise.all([poll([RAIL]), poll([RAIL])]);
  assert.deepEqual(both.flat(), ['raised rail evm']);
  assert.deepEqual(
    (await raised(db)).map(({ key }) => key),
    ['rail evm'],
  );
  const shown = await alarmRoutes(db).operatorAlarms({ all: '0' }, {} as Context);
  assert.deepEqual(
    [shown.open.map(({ alarm, words }) => `${alarm}: ${words}`), shown.reported],
    [[`rail evm: ${RAIL.words}`], []],
  );
  assert.match(shown.open[0]?.to_do ?? '', /^Check the node/);
  assert.deepEqual(await poll([], ['disk']), [], 'a look at something else ends nothing');
  await advanceClock(db, 6 * 3_600_000);
  assert.deepEqual(await poll([RAIL]), ['reminder rail evm']);
  assert.deepEqual(await poll([]), []);
  await advanceClock(db, 61_000);
  assert.deepEqual(await poll([]), ['over rail evm']);
  assert.deepEqual(await raised(db), []);
  const { open, reported } = await alarmRoutes(db).operatorAlarms({ all: '1' }, {} as Context);
  assert.deepEqual(open, []);
  assert.deepEqual(
    reported.map(({ notice, alarm }) => `${notice} ${alarm}`),
    ['over rail evm', 'reminder rail evm', 'raised rail evm'],
  );
  const subjects = ['Kurs: Alarm: rail evm', 'Kurs: Still: rail evm', 'Kurs: Over: rail evm'];
  assert.deepEqual(
    await mails(),
    subjects.flatMap((subject) => ['olga@example.org', 'petr@example.org'].map((recipient) => ({ recipient, subject }))),
  );

  const webhooks = openDeliveries({
    db,
    channels: [webhookChannel(alarmWebhook, { db, sealer: testSealer, poster: openPost() })],
  });
  answer = 500;
  assert.deepEqual(
    [await writeLines(db, file), await webhooks.deliver()],
    [3, 0],
    'the file takes its lines, the webhook nothing',
  );
  assert.equal(posted.length, 3);
  assert.deepEqual([await writeLines(db, file), await webhooks.deliver()], [0, 0], 'not due yet');
  assert.equal(posted.length, 3);
  answer = 200;
  await advanceClock(db, 60_000);
  assert.deepEqual([await writeLines(db, file), await webhooks.deliver()], [0, 3]);
  assert.deepEqual([await writeLines(db, file), await webhooks.deliver()], [0, 0]);
  const [first] = posted.slice(3) as { chat_id: string; text: string }[];
  assert.equal(first?.chat_id, '-100500');
  assert.match(first?.text ?? '', /^Alarm: rail evm\. evm is down: no answer \(since /);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => line.split(' ')[1]),
    ['Alarm:', 'Still:', 'Over:'],
  );
  assert.match(
    lines[2] ?? '',
    /Over: rail evm\. It is over\. It was: evm is down: no answer \(from \d{4}-\d\d-\d\d \d\d:\d\d to \d{4}-\d\d-\d\d \d\d:\d\d UTC\)$/,
  );

  // Waiting messages go to the present address of the setting, and nowhere without one.
  answer = 410;
  await poll([RAIL]);
  await advanceClock(db, 121_000);
  assert.deepEqual(await poll([RAIL]), ['raised rail evm']);
  assert.deepEqual(await foundOfWebhook(db), []);
  assert.equal(await webhooks.deliver(), 0);
  const [failing] = await foundOfWebhook(db);
  assert.match(failing?.words ?? '', /^The webhook has taken no alarm since 20\S+Z, 1 wait: it answers 410 \{\}$/);
  const { port } = hook.address() as AddressInfo;
  await db.tx((tx) => putSetting(tx, 'alarms.webhook', `http://127.0.0.1:${port}/bot2:x/sendMessage`, 'test'));
  await poll([RAIL]);
  await advanceClock(db, 60_000);
  answer = 200;
  assert.equal(await webhooks.deliver(), 1, 'an endpoint of alarms is never switched off');
  assert.deepEqual(await foundOfWebhook(db), []);
  assert.deepEqual(paths.slice(-2), ['/bot1:x/sendMessage', '/bot2:x/sendMessage']);
  await db.tx((tx) => putSetting(tx, 'alarms.webhook', '', 'test'));
  await poll([]);
  await advanceClock(db, 61_000);
  assert.deepEqual(await poll([]), ['over rail evm']);
  assert.equal(await webhooks.deliver(), 0);
  await webhooks.stop();
});

for (const process of ['worker', 'api', 'console'] as const)
  test(`a process without a sign of life for a minute is silent, one that never ran is not (${process})`, async () => {
    assert.deepEqual(await foundSilent(db, process), []);
    const one = { process, machine: 'a1' } as const;
    await beat(db, one);
    assert.deepEqual(await foundSilent(db, process), []);
    await db.run(`update process_beat set at = at - interval '61 seconds'`);
    assert.deepEqual(
      (await foundSilent(db, process)).map(({ kind }) => kind),
      [process],
    );
    await beat(db, one);
    assert.deepEqual(await foundSilent(db, process), []);
    await db.run(`update process_beat set at = at - interval '1 hour'`);
    await signOff(db, one);
    assert.deepEqual(await foundSilent(db, process), [], 'stopped, and started again an hour later');
  });

test('a mail server that accepts nothing causes an alarm', async () => {
  const reported = async (): Promise<(string | undefined)[]> =>
    (await foundOfMail(db)).map(({ kind, words }) => `${kind}: ${words}`);
  await poll([RAIL]);
  await advanceClock(db, 121_000);
  await poll([RAIL]);
  assert.deepEqual(await reported(), [], 'what waits was not tried');
  await db.run(`update delivery_endpoint set failing_since = clock_now() where kind = 'mail'`);
  assert.match((await reported()).join(), /^mail: The mail server has taken no letter since 20\S+Z, \d+ wait: nobody knows why$/);
  await db.run(`update delivery_endpoint set failing_since = null where kind = 'mail'`);
  await poll([]);
  await advanceClock(db, 61_000);
  await poll([]);
});

test('of two workers the silent one is reported with its machine, limits are divided among living ones, and one that is gone is forgotten', async () => {
  const [a1, b2] = (['a1', 'b2'] as const).map((machine) => ({ process: 'worker', machine }) as const) as [Beating, Beating];
  const silent = async (): Promise<string[]> => (await foundSilent(db, 'worker')).map(({ key, words }) => `${key}: ${words}`);
  await beat(db, a1);
  assert.equal(livingLikeUs(), 1);
  await beat(db, b2);
  assert.equal(livingLikeUs(), 2);
  await db.run(`update process_beat set at = at - interval '61 seconds' where machine = 'b2'`);
  await beat(db, a1);
  assert.equal(livingLikeUs(), 1, 'the other’s part is free');
  assert.deepEqual(await silent(), ['worker b2: The worker of b2 is silent. Those of other machines work.']);
  await db.run(`update process_beat set at = at - interval '61 seconds' where machine = 'a1'`);
  assert.deepEqual(await silent(), ['worker: The worker is silent: nothing is paid out and no payment is seen.']);
  await db.run(`update process_beat set at = at - interval '1 day'`);
  await beat(db, a1);
  assert.deepEqual(await silent(), []);
  await signOff(db, a1);
});

test('a machine’s own alarm is neither ended nor hidden by another, and is over once the machine is gone', async () => {
  const away: Found = { key: 'signer', kind: 'signer', words: 'The signer is silent' };
  const later = (): Promise<number> =>
    db.run(`update alarm set since = since - interval '1 hour', gone_since = gone_since - interval '1 hour'`);
  await beat(db, { process: 'worker', machine: 'a1' });
  await beat(db, { process: 'worker', machine: 'b2' });
  await poll([away], ['signer'], 'worker', 'b2');
  await later();
  assert.deepEqual(await poll([], ['signer'], 'worker', 'a1'), []);
  assert.deepEqual(await poll([away], ['signer'], 'worker', 'b2'), ['raised signer']);
  assert.deepEqual(
    (await raised(db)).map(({ words }) => words),
    ['The signer is silent (b2)'],
  );
  for (let polls = 0; polls < 2; polls += 1) assert.deepEqual((await later(), await poll([], ['signer'], 'worker', 'a1')), []);
  await signOff(db, { process: 'worker', machine: 'b2' });
  assert.deepEqual(await poll([], ['signer'], 'worker', 'a1'), []);
  await later();
  assert.deepEqual(await poll([], ['signer'], 'worker', 'a1'), ['over signer']);
  await signOff(db, { process: 'worker', machine: 'a1' });
});

test('a process decides only about alarms of its own loops', async () => {
  const loop = (by: Process): Found => ({ key: `loop ${by} mail`, kind: 'loop', words: 'The loop mail is overdue' });
  assert.deepEqual(await poll([loop('worker')], ['loop'], 'worker'), ['raised loop worker mail']);
  assert.deepEqual(await poll([loop('api')], ['loop'], 'api'), ['raised loop api mail']);
  await poll([], ['loop'], 'api');
  await advanceClock(db, 61_000);
  assert.deepEqual(await poll([], ['loop'], 'api'), ['over loop api mail']);
  assert.deepEqual(
    (await raised(db)).map(({ key }) => key),
    ['loop worker mail'],
  );
  await poll([], ['loop'], 'worker');
  await advanceClock(db, 61_000);
  assert.deepEqual(await poll([], ['loop'], 'worker'), ['over loop worker mail']);
});

test('a disk with room and an http address cause no alarm, a host without a valid certificate does', async () => {
  assert.deepEqual(await foundOfCertificate('http://kurs.test', new Date()), []);
  const [found] = await foundOfCertificate('https://127.0.0.1:1', new Date());
  assert.equal(found?.words, 'Nobody trusts the certificate of 127.0.0.1, or there is none: ECONNREFUSED.');
  assert.ok(
    (await foundOfDisk(folder)).every(({ words }) => /^The disk of .* is nearly full: \d+ MB \(\d+ %\) are free\.$/.test(words)),
  );
});
