import assert from 'node:assert/strict';
import type { Server } from 'node:net';
import { after, before, test } from 'node:test';
import { advanceClock } from '../db/sandbox-clock.ts';
import { type Db, openDb } from '../db/db.ts';
import { configureLog } from '../base/log.ts';
import { mail, runMail } from './mail.ts';
import { smtpServer } from '../smtp.testing.ts';
import { testDb, type TestDb } from '../testing.ts';

let own: TestDb;
let db: Db;
const letters: string[] = [];
const receivers: string[] = [];
let answer = '250 ok';
let smtp: { server: Server; url: string };
before(async () => {
  own = await testDb();
  db = own.db;
  configureLog({ sink: () => {} });
  smtp = await smtpServer(letters, () => answer, receivers);
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
const open = () => runMail(db, { smtpUrl: smtp.url, ...post });
const state = () => db.rows('select key, tries, sent_at is not null as sent, due_at is not null as due from mail order by key');

test('a letter is queued with its transaction, once per key, and sent once', async () => {
  for (const _ of [1, 2]) await db.tx((tx) => mail.queue(tx, { ...letter, key: 'order:1:placed' }));
  const postman = open();
  await postman.deliver();
  await postman.deliver();
  await postman.stop();
  assert.equal(letters.length, 1);
  assert.match(letters[0]!, /^To: .*anna@example\.org/m);
  assert.match(letters[0]!, /Content-Language: en/);
  assert.deepEqual(await state(), [{ key: 'order:1:placed', tries: 1, sent: true, due: false }]);
});

test('a letter the server refuses is tried again, later and later', async () => {
  answer = '451 later';
  await db.tx((tx) => mail.queue(tx, { ...letter, key: 'order:2:placed' }));
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

test('a letter is named by the site’s domain, its sender in quotes, and says how its kind is switched off where it can be', async () => {
  const offAt = 'https://kurs.example/En/letters?holder=1&token=2';
  await db.tx((tx) => mail.queue(tx, { ...letter, key: 'off', offAt }));
  const postman = open();
  await postman.deliver();
  const [plain, withSwitch] = letters.slice(-2).map((one) => one.replace(/\r\n[ \t]+/g, ' '));
  await postman.stop();
  assert.match(withSwitch ?? '', /^Message-ID: <[\w-]+@kurs\.example>\r$/m);
  assert.match(withSwitch ?? '', /^From: "Kurs, Ltd\. <desk>" <desk@example\.org>\r$/m);
  assert.ok(withSwitch?.includes(`\nList-Unsubscribe: <${offAt}>\r`), withSwitch);
  assert.match(withSwitch ?? '', /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  assert.doesNotMatch(plain ?? '', /List-Unsubscribe/);
  await db.run(`delete from mail where key = 'off'`);
});

test('an address is one address and a subject one line, whatever they hold', async () => {
  const before = letters.length;
  const evil = { ...letter, key: 'evil', subject: 'Hello\r\nBcc: victim@example.org', to: 'anna@example.org' };
  await db.tx((tx) => mail.queue(tx, evil));
  const postman = open();
  await postman.deliver();
  await postman.stop();
  assert.equal(letters.length, before + 1);
  assert.doesNotMatch(letters.at(-1)!, /^Bcc:/m);
});

test('what stands in an address names no second receiver, and no header', async () => {
  const addresses = [
    'anna@example.org, victim@example.org',
    'anna@example.org;victim@example.org',
    'Anna <anna@example.org>, <victim@example.org>',
    'anna@example.org\r\nBcc: victim@example.org',
    'anna@example.org>\r\nRCPT TO:<victim@example.org',
  ];
  for (const [at, to] of addresses.entries()) await db.tx((tx) => mail.queue(tx, { ...letter, key: `list ${at}`, to }));
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

test('letters that were sent to an address are forgotten however it was written, others and those to be sent are not', async () => {
  const to = ['Ann@Example.org', 'ann@example.org', 'ann2@example.org', 'ANN@example.org'];
  for (const [at, one] of to.entries()) await db.tx((tx) => mail.queue(tx, { ...letter, key: `closed ${at}`, to: one }));
  await db.run(`update mail set sent_at = queued_at, due_at = null where key in ('closed 0', 'closed 1', 'closed 2')`);
  await db.tx((tx) => mail.forget(tx, 'ann@example.org'));
  const left = await db.rows<{ key: string }>(`select key from mail where key like 'closed %' order by key`);
  assert.deepEqual(left.map(({ key }) => key), ['closed 2', 'closed 3']); // prettier-ignore
  await db.run(`delete from mail where key like 'closed %'`);
});

test('without SMTP_URL letters stay queued', async () => {
  await db.tx((tx) => mail.queue(tx, { ...letter, key: 'waiting' }));
  const postman = runMail(db, { smtpUrl: '', ...post });
  assert.equal(await postman.deliver(), 0);
  await postman.stop();
  assert.deepEqual((await state()).at(-1), { key: 'waiting', tries: 0, sent: false, due: true });
});

test('of two workers that send at once each letter is sent by one', async () => {
  const first = open();
  await first.deliver();
  await first.stop();
  const before = letters.length;
  await db.tx(async (tx) => {
    for (let n = 0; n < 60; n += 1) await mail.queue(tx, { ...letter, key: `two:${n}` });
  });
  const elsewhere = openDb({ url: own.url, name: 'elsewhere' });
  const postmen = [open(), runMail(elsewhere, { smtpUrl: smtp.url, ...post })];
  await Promise.all(postmen.map((one) => one.deliver()));
  await Promise.all(postmen.map((one) => one.stop()));
  await elsewhere.close();
  assert.equal(letters.length - before, 60);
  assert.deepEqual(
    await db.row(`select count(*)::int as letters, max(tries) as tries from mail where key like 'two:%' and sent_at is not null`),
    { letters: 60, tries: 1 },
  );
});
