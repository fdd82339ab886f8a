import assert from 'node:assert/strict';
import type { Server } from 'node:net';
import { after, before, test } from 'node:test';
import { type Db, advanceClock, configureLog, openDb } from '../platform/index.ts';
import { type SmtpStep, smtpServer } from '../platform/smtp.testing.ts';
import { type TestDb, testDb } from '../platform/testing.ts';
import { openDeliveries } from './deliver.ts';
import { attemptsOf, listDeliveries, replay, waitingDeliveries } from './log.ts';
import type { Channel } from './kind.ts';
import { failingMail, mail, mailChannel } from './mail.ts';

let own: TestDb;
let db: Db;
const letters: string[] = [];
const receivers: string[] = [];
let answer = '250 ok';
let early: Partial<Record<SmtpStep, string>> = {};
let smtp: { server: Server; url: string };
before(async () => {
  own = await testDb();
  db = own.db;
  configureLog({ sink: () => {} });
  smtp = await smtpServer(
    letters,
    () => answer,
    receivers,
    () => early,
  );
});
after(async () => {
  smtp.server.close();
  await own.drop();
});

const letter = {
  to: 'anna@example.org',
  locale: 'en',
  name: 'Kurs',
  subject: 'Placed',
  paragraphs: ['Your order'],
  keep: 'Keep it.',
} as const;
const post = { from: { name: 'Kurs, Ltd. <desk>', address: 'desk@example.org' }, host: 'kurs.example' };
const channel = () => mailChannel({ smtpUrl: smtp.url, ...post });
const open = (on = db) => openDeliveries({ db: on, channels: [channel()] });
const state = () =>
  db.rows(`select key, tries, taken_at is not null as sent, due_at is not null as due
           from mail join delivery on event_id = mail.id order by key`);

test('a letter is queued with its transaction, once per key, and sent once', async () => {
  for (const _ of [1, 2]) await db.tx(async (tx) => mail.queue(tx, { ...letter, key: 'order:1:placed' }));
  const postman = open();
  await postman.deliver();
  await postman.deliver();
  await postman.stop();
  assert.equal(letters.length, 1);
  assert.match(letters[0]!, /^To: .*anna@example\.org/m);
  assert.match(letters[0]!, /Content-Language: en/);
  assert.deepEqual(await state(), [{ key: 'order:1:placed', tries: 1, sent: true, due: false }]);
});

test('tells a failing mail server from a failing mailbox', async () => {
  const none = await testDb();
  const failing = async () => {
    const found = await failingMail(none.db);
    return found && [found.waiting, found.status, found.error ?? found.answer];
  };
  const send = async (by: Channel, ...to: string[]): Promise<void> => {
    await none.db.tx(async (tx) => mail.queue(tx, ...to.map((one) => ({ ...letter, to: one, key: one }))));
    const postman = openDeliveries({ db: none.db, channels: [by] });
    await postman.deliver();
    await postman.stop();
  };
  const away = () => mailChannel({ smtpUrl: 'smtp://127.0.0.1:9', ...post });
  assert.equal(await failing(), undefined);
  await send(away(), 'a@example.org');
  const [waiting, status, said] = (await failing()) ?? [];
  assert.deepEqual([waiting, status], [1, null]);
  assert.match(String(said), /ECONNREFUSED/);
  await advanceClock(none.db, 60_000);
  answer = '451 the mailbox is full';
  await send(channel());
  assert.equal(await failing(), undefined, 'it may be the mailbox');
  await send(channel(), 'b@example.org');
  assert.deepEqual(await failing(), [2, 451, answer]);
  await advanceClock(none.db, 600_000);
  answer = '250 ok';
  await send(channel());
  assert.equal(await failing(), undefined);
  letters.length = 1;
  receivers.length = 1;
  await none.drop();
});

test('retries a letter that the server refuses, with growing pauses', async () => {
  answer = '451 later';
  await db.tx(async (tx) => mail.queue(tx, { ...letter, key: 'order:2:placed' }));
  const postman = open();
  await postman.deliver();
  assert.deepEqual((await state())[1], { key: 'order:2:placed', tries: 1, sent: false, due: true });
  answer = '250 ok';
  assert.equal(await postman.deliver(), 0, 'not due yet');
  await advanceClock(db, 6_000);
  await postman.deliver();
  await postman.stop();
  assert.deepEqual((await state())[1], { key: 'order:2:placed', tries: 2, sent: true, due: false });
});

test('a letter has a Message-ID of the site, a quoted sender and, if possible, a way to unsubscribe', async () => {
  const offAt = 'https://kurs.example/En/letters?holder=1&token=2';
  await db.tx(async (tx) => mail.queue(tx, { ...letter, key: 'off', offAt }));
  const postman = open();
  await postman.deliver();
  const [plain, withSwitch] = letters.slice(-2).map((one) => one.replace(/\r\n[ \t]+/g, ' '));
  await postman.stop();
  assert.match(withSwitch ?? '', /^Message-ID: <[\w-]+@kurs\.example>\r$/m);
  assert.match(withSwitch ?? '', /^From: "Kurs, Ltd\. <desk>" <desk@example\.org>\r$/m);
  assert.ok(withSwitch?.includes(`\nList-Unsubscribe: <${offAt}>\r`), withSwitch);
  assert.match(withSwitch ?? '', /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  assert.doesNotMatch(plain ?? '', /List-Unsubscribe/);
  await db.run(`delete from delivery_event where id in (select id from mail where key = 'off')`);
  await db.run(`delete from mail where key = 'off'`);
});

test('sends to one address with a one-line subject, whatever they contain', async () => {
  const before = letters.length;
  const evil = { ...letter, key: 'evil', subject: 'Hello\r\nBcc: victim@example.org', to: 'anna@example.org' };
  await db.tx(async (tx) => mail.queue(tx, evil));
  const postman = open();
  await postman.deliver();
  await postman.stop();
  assert.equal(letters.length, before + 1);
  assert.doesNotMatch(letters.at(-1)!, /^Bcc:/m);
});

test('an address can’t add a second receiver or a header', async () => {
  const addresses = [
    'anna@example.org, victim@example.org',
    'anna@example.org;victim@example.org',
    'Anna <anna@example.org>, <victim@example.org>',
    'anna@example.org\r\nBcc: victim@example.org',
    'anna@example.org>\r\nRCPT TO:<victim@example.org',
  ];
  for (const [at, to] of addresses.entries()) await db.tx(async (tx) => mail.queue(tx, { ...letter, key: `list ${at}`, to }));
  receivers.length = 0;
  const postman = open();
  await postman.deliver();
  await postman.stop();
  for (const line of receivers) {
    assert.doesNotMatch(line, /^RCPT TO:<victim@example\.org>/im, line);
    assert.equal(line.match(/^RCPT TO/gim)?.length, 1, line);
  }
  for (const sent of letters) assert.doesNotMatch(sent, /^(To: (.*, )?<?victim@|Bcc:)/im);
});

test('deletes sent letters of an address in any case of letters, and no others', async () => {
  const to = ['Ann@Example.org', 'ann@example.org', 'ann2@example.org', 'ANN@example.org'];
  for (const [at, one] of to.entries()) await db.tx(async (tx) => mail.queue(tx, { ...letter, key: `closed ${at}`, to: one }));
  await db.run(
    `update delivery set taken_at = clock_now(), due_at = null
     where event_id in (select id from mail where key in ('closed 0', 'closed 1', 'closed 2'))`,
  );
  await db.tx((tx) => mail.forget(tx, 'ann@example.org'));
  const left = await db.rows<{ key: string }>(`select key from mail where key like 'closed %' order by key`);
  assert.deepEqual(
    left.map(({ key }) => key),
    ['closed 2', 'closed 3'],
  );
  const events = await db.rows(`select from delivery_event where id not in (select id from mail)`);
  assert.equal(events.length, 0, 'nor does the log name them');
  await db.run(`delete from delivery_event where id in (select id from mail where key like 'closed %')`);
  await db.run(`delete from mail where key like 'closed %'`);
});

test('without a mail server letters stay queued', async () => {
  await db.tx(async (tx) => mail.queue(tx, { ...letter, key: 'waiting' }));
  const postman = openDeliveries({ db, channels: [] });
  assert.equal(await postman.deliver(), 0);
  await postman.stop();
  assert.deepEqual((await state()).at(-1), { key: 'waiting', tries: 0, sent: false, due: true });
});

test('two concurrent workers send each letter once', async () => {
  const first = open();
  await first.deliver();
  await first.stop();
  const before = letters.length;
  await db.tx(async (tx) => {
    for (let n = 0; n < 60; n += 1) mail.queue(tx, { ...letter, key: `two:${n}` });
  });
  const elsewhere = openDb({ url: own.url, name: 'elsewhere' });
  const postmen = [open(), open(elsewhere)];
  await Promise.all(postmen.map((one) => one.deliver()));
  await Promise.all(postmen.map((one) => one.stop()));
  await elsewhere.close();
  assert.equal(letters.length - before, 60);
  assert.deepEqual(
    await db.row(`select count(*)::int as letters, max(tries) as tries from mail join delivery on event_id = mail.id
                  where key like 'two:%' and taken_at is not null`),
    { letters: 60, tries: 1 },
  );
});

test('logs the mail server’s answers; after ten tries a letter is given up with an alarm, and can be sent again', async () => {
  const alarms: string[] = [];
  configureLog({ sink: () => {}, onAlarm: (words) => void alarms.push(words) });
  const to = 'Bob@example.org';
  await db.tx(async (tx) => mail.queue(tx, { ...letter, key: 'refused', to }));
  answer = '450 no such mailbox yet';
  const postman = open();
  for (let tries = 0; tries < 12; tries += 1) {
    await postman.deliver();
    await advanceClock(db, 86_400_000);
  }
  const listed = async () => (await listDeliveries(db, { to: 'bob@example.org', page: 1, per_page: 10 })).rows;
  const [given] = await listed();
  assert.deepEqual([given?.state, given?.tries, given?.status, given?.to], ['given_up', 10, 450, to]);
  assert.match(given?.said ?? '', /no such mailbox/);
  assert.deepEqual(alarms, ['a delivery was given up']);
  assert.equal((await attemptsOf(db, given?.id ?? '')).length, 10);
  answer = '250 ok';
  await db.tx((tx) => replay(tx, given?.id ?? ''));
  assert.equal(await postman.deliver(), 1);
  await postman.stop();
  assert.deepEqual(
    (await listed()).map(({ state, status }) => [state, status]),
    [['taken', 250]],
  );
  assert.equal((await waitingDeliveries(db)).mails, 0);
});

for (const [what, refused] of [
  ['a receiver', { RCPT: '550 5.1.1 no such mailbox' }],
  ['a letter before it comes', { DATA: '554 5.7.1 not from here' }],
  ['a letter', { letter: '552 5.3.4 too large' }],
] as const)
  test(`${what} refused for good is given up at once and logged, without an alarm`, async (t) => {
    const alarms: string[] = [];
    configureLog({ sink: () => {}, onAlarm: (words) => void alarms.push(words) });
    t.after(() => void ([answer, early] = ['250 ok', {}]));
    const to = `${Object.keys(refused).join('')}@example.net`;
    const said = Object.values(refused)[0] as string;
    if ('letter' in refused) answer = said;
    else early = refused;
    await db.tx(async (tx) => mail.queue(tx, { ...letter, key: `for good ${what}`, to }));
    const postman = open();
    await postman.deliver();
    await advanceClock(db, 86_400_000);
    await postman.deliver();
    await postman.stop();
    const { rows } = await listDeliveries(db, { to, page: 1, per_page: 10 });
    assert.deepEqual(
      rows.map((one) => [one.state, one.tries, one.status, one.said]),
      [['given_up', 1, Number(said.slice(0, 3)), said]],
    );
    assert.deepEqual(alarms, []);
    assert.equal(await failingMail(db), undefined);
  });

for (const [step, said] of [
  ['greeting', '554 no service here'],
  ['MAIL', '550 5.7.1 sender refused'],
  ['AUTH', '535 5.7.8 wrong password'],
] as const)
  test(`retries a letter after a refusal at ${step}, which concerns the sender`, async (t) => {
    t.after(() => void (early = {}));
    early = { [step]: said };
    const to = `${step.toLowerCase()}@example.net`;
    await db.tx(async (tx) => mail.queue(tx, { ...letter, key: `own ${step}`, to }));
    const url = step === 'AUTH' ? smtp.url.replace('smtp://', 'smtp://desk:secret@') : smtp.url;
    const postman = openDeliveries({ db, channels: [mailChannel({ smtpUrl: url, ...post })] });
    await postman.deliver();
    const listed = async () =>
      (await listDeliveries(db, { to, page: 1, per_page: 10 })).rows.map(({ state, status }) => [state, status]);
    assert.deepEqual(await listed(), [['waiting', Number(said.slice(0, 3))]]);
    early = {};
    await advanceClock(db, 60_000);
    await postman.deliver();
    await postman.stop();
    assert.deepEqual(await listed(), [['taken', 250]]);
  });

test('no transaction is open while the mail server answers', async () => {
  let transactions: unknown[] | undefined;
  await db.tx(async (tx) => mail.queue(tx, { ...letter, key: 'slow' }));
  const held = mailChannel({ smtpUrl: smtp.url, ...post });
  const postman = openDeliveries({
    db,
    channels: [
      {
        ...held,
        async attempt(event, endpoint) {
          transactions = await own.owner.rows(
            `select query from pg_stat_activity
             where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`,
          );
          return held.attempt(event, endpoint);
        },
      },
    ],
  });
  assert.equal(await postman.deliver(), 1);
  await postman.stop();
  assert.deepEqual(transactions, []);
});
