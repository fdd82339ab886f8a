// Rows that somebody changes with the database's password alone are not sent: letters, events, and addresses of endpoints.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { type Db, configureLog, newId } from '../platform/index.ts';
import { smtpServer } from '../platform/smtp.testing.ts';
import { type TestDb, testDb, testSealer } from '../platform/testing.ts';
import { openDeliveries } from './deliver.ts';
import { alteredDeliveries } from './delivery-macs.ts';
import { putEndpoint } from './endpoints.ts';
import { failingMail, mail, mailChannel } from './mail.ts';
import { type DeliveryKind, standardPause } from './kind.ts';
import { openPost } from './post.ts';
import { publish } from './publish.ts';
import { rotateSecret } from './secrets.ts';
import { standardHeaders } from './standard-webhooks.ts';
import { webhookChannel } from './webhook.ts';

const KIND: DeliveryKind = {
  kind: 'standard',
  bodyOf: ({ body }) => JSON.stringify(body),
  headersOf: standardHeaders,
  pauseAfter: standardPause,
  mayBePrivate: true,
  canSwitchOff: true,
  maxAtOnce: 4,
};

let own: TestDb;
let db: Db;
let smtp: { server: Server | { close(): unknown }; url: string };
let hook: Server;
let base: string;
const letters: string[] = [];
const posted: string[] = [];
const alarms: string[] = [];
before(async () => {
  own = await testDb();
  db = own.db;
  configureLog({ sink: () => {}, onAlarm: (words) => void alarms.push(words) });
  smtp = await smtpServer(letters, () => '250 ok', []);
  hook = createServer((request, response) => {
    posted.push(request.url ?? '');
    request.resume().on('end', () => response.end('ok'));
  });
  hook.listen(0, '127.0.0.1');
  await once(hook, 'listening');
  base = `http://127.0.0.1:${(hook.address() as AddressInfo).port}`;
});
after(async () => {
  smtp.server.close();
  hook.closeAllConnections();
  hook.close();
  await own.drop();
});
beforeEach(() => {
  [letters.length, posted.length, alarms.length] = [0, 0, 0];
});
afterEach(async () => {
  await own.owner.run('truncate mail, delivery_event cascade');
  await own.owner.run(`delete from delivery_endpoint where kind <> 'mail'`);
});

async function deliver(): Promise<number> {
  const post = { from: { name: 'Kurs', address: 'desk@example.org' }, host: 'kurs.example' };
  const channels = [
    mailChannel({ smtpUrl: smtp.url, ...post }),
    webhookChannel(KIND, { db, sealer: testSealer, poster: openPost() }),
  ];
  const deliveries = openDeliveries({ db, channels });
  const taken = await deliveries.deliver();
  await deliveries.stop();
  return taken;
}

const given = (): Promise<unknown[]> => db.rows('select from delivery where given_up_at is not null and due_at is null');
const accused = (): Promise<string[]> => own.owner.tx((tx) => alteredDeliveries(tx, { isOpen: true }));

const SAID = { name: 'Kurs', subject: 'Your code', paragraphs: ['123456', 'https://kurs.example/En/sign-in'], keep: 'Keep it.' };
async function queue(key: string, to = 'ann@example.org'): Promise<void> {
  await db.tx(async (tx) => mail.queue(tx, { ...SAID, to, key, locale: 'en' }));
}

/** SQL changes of the letter `code`. The attacker's own letter `eve` waits beside it. */
const LETTERS: Readonly<Record<string, string>> = {
  'another receiver': `update mail set recipient = 'eve@example.org' where key = 'code'`,
  'another language': `update mail set locale = 'ru' where key = 'code'`,
  'another key': `update mail set key = 'other' where key = 'code'`,
  'another text': `update mail set sealed = set_byte(sealed, 40, 255 - get_byte(sealed, 40)) where key = 'code'`,
  'the text of another letter': `update mail set sealed = (select sealed from mail where key = 'code') where key = 'eve'`,
  'the text and the MAC of another letter': `update mail set (sealed, mac) = (select sealed, mac from mail where key = 'code') where key = 'eve'`,
  'no MAC': `update mail set mac = null where key = 'code'`,
  'no text': `update mail set sealed = null where key = 'code'`,
  'another moment': `update mail set queued_at = queued_at + interval '1 hour' where key = 'code'`,
  'the id of another letter': `with ids as (select max(id::text) filter (where key = 'code')::uuid as code, max(id::text) filter (where key = 'eve')::uuid as eve from mail),
       gone as (delete from mail where key = 'eve' returning id)
     update mail set id = gen_random_uuid() from ids where key = 'code'`,
};

for (const [name, sql] of Object.entries(LETTERS)) {
  test(`sends no letter that was given ${name} by SQL`, async () => {
    await queue('code');
    await queue('eve', 'eve@example.org');
    await own.owner.run(sql);
    const isGone = name.startsWith('the id');
    if (!isGone) assert.equal((await accused()).length, 1);
    await deliver();
    assert.ok(
      !letters.some((letter) => /^To: .*eve@/m.test(letter) && letter.includes('123456') && !/eve/.test(letter)),
      'no code for the attacker',
    );
    assert.equal(letters.length, isGone ? 0 : 1);
    if (isGone) return;
    assert.equal((await given()).length, 1);
    assert.deepEqual(alarms, ['a letter or webhook was altered by SQL: it is not sent']);
    assert.equal(await failingMail(db), undefined, 'the mail server is not at fault');
    assert.equal(await deliver(), 0, 'and nobody tries it again');
  });
}

test('sends no letter that was inserted by SQL, even with its event and delivery', async () => {
  await queue('code');
  await own.owner.run(`
    with event as (insert into delivery_event (id, owner, type, body, at, mac)
        select gen_random_uuid(), owner, type, body, at, mac from delivery_event returning id),
      letter as (insert into mail (id, key, recipient, locale, queued_at, sealed, mac)
        select event.id, 'copy', 'eve@example.org', locale, queued_at, sealed, mac from mail, event)
    insert into delivery (id, event_id, endpoint_id, due_at)
      select gen_random_uuid(), event.id, endpoint_id, due_at from event, delivery`);
  assert.equal((await accused()).length, 2, 'the letter and its event');
  assert.equal(await deliver(), 1);
  assert.equal(letters.length, 1);
  assert.match(letters[0] ?? '', /^To: .*ann@example\.org/m);
});

test('the queue shows neither the code nor the link of a letter', async () => {
  await queue('code');
  const rows = await db.rows<Record<string, unknown>>('select mail.*, delivery_event.* from mail join delivery_event using (id)');
  const all = rows
    .flatMap((row) => Object.values(row))
    .map((cell) => (Buffer.isBuffer(cell) ? cell.toString('latin1') : JSON.stringify(cell)));
  assert.doesNotMatch(all.join('\n'), /123456|sign-in|Your code/);
  assert.equal(await deliver(), 1);
  assert.match(letters[0] ?? '', /123456/);
});

/** SQL changes of an event of the owner `shop`, or of its endpoint. The attacker has the endpoint `/eve`. */
const WEBHOOKS: Readonly<Record<string, string>> = {
  'another address': `update delivery_endpoint set url = replace(url, '/shop', '/thief') where owner = 'shop'`,
  'another owner of its address': `update delivery_endpoint set owner = 'shop' where owner = 'eve';`,
  'another body': `update delivery_event set body = '{"state": "completed"}'`,
  'another type': `update delivery_event set type = 'other'`,
  'the attacker as its owner': `update delivery_event set owner = 'eve'`,
  'no MAC': 'update delivery_event set mac = null',
  'the endpoint of the attacker': `update delivery set endpoint_id = (select id from delivery_endpoint where owner = 'eve')`,
  'the secret of the attacker': `update delivery_secret set sealed = (select sealed from delivery_secret s join delivery_endpoint e on e.id = s.endpoint_id where owner = 'eve')
     where endpoint_id = (select id from delivery_endpoint where owner = 'shop')`,
  'the secret of the attacker, moved': `with gone as (delete from delivery_secret where endpoint_id = (select id from delivery_endpoint where owner = 'shop'))
     update delivery_secret set endpoint_id = (select id from delivery_endpoint where owner = 'shop')`,
};

for (const [name, sql] of Object.entries(WEBHOOKS)) {
  test(`posts no event that was given ${name} by SQL`, async () => {
    for (const owner of ['shop', 'eve']) {
      const id = newId();
      await db.tx(async (tx) => {
        await putEndpoint(tx, { id, owner, kind: KIND.kind, url: `${base}/${owner}` });
        await rotateSecret(tx, testSealer, id, tx.now);
      });
    }
    await db.tx((tx) => publish(tx, { id: newId(), owner: 'shop', type: 'order', body: { state: 'placed', sum: 1.5 } }));
    await own.owner.run(sql);
    if (name === 'another owner of its address')
      await own.owner.run(`update delivery set endpoint_id = (select id from delivery_endpoint where url like '%/eve')`);
    await deliver();
    assert.deepEqual(posted, []);
    assert.equal((await given()).length, 1);
    assert.equal(alarms.length, 1);
  });
}

test('sends unchanged rows, and the proof reports nothing', async () => {
  const id = newId();
  await db.tx((tx) => putEndpoint(tx, { id, owner: 'shop', kind: KIND.kind, url: `${base}/shop`, types: ['order'] }));
  await db.tx((tx) =>
    publish(tx, { id: newId(), owner: 'shop', type: 'order', body: { at: new Date(0), none: undefined, sum: 1.5 } }),
  );
  await queue('code');
  assert.deepEqual(await accused(), []);
  assert.equal(await deliver(), 2);
  assert.deepEqual(await own.owner.tx((tx) => alteredDeliveries(tx, { isOpen: false })), []);
  await own.owner.run(`update mail set recipient = 'eve@example.org'`);
  assert.deepEqual(await accused(), [], 'a night asks what is still to go');
  assert.equal(
    (await own.owner.tx((tx) => alteredDeliveries(tx, { isOpen: false }))).length,
    1,
    'the whole proof asks all of it',
  );
});
