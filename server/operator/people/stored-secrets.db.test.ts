// A row that is inserted for one's own secret, or moved to another person, grants nothing.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, afterEach, before, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { queuedLetters } from '../../deliveries/testing.ts';
import { makeCode, spendCode, tryCode, whoIs, whoseKey } from '../../auth/index.ts';
import { writeHolderMacs, keepOpeners } from '../../auth/testing.ts';
import { askForButton, buttonOf, mailButtons } from '../../loyalty/index.ts';
import { configureSecretHashes, newId, openTickets, secretHash } from '../../platform/index.ts';
import { type TestDb, testDb, testMacKeys } from '../../platform/testing.ts';
import { addOperator, authenticate, fingerprintOf } from './people.ts';
import { writeDeskMacs } from './store.ts';
import { whoActs } from './desk-sessions.ts';

const [ANN, BOB] = [newId(), newId()];
const ENDS = 'a'.repeat(43);
const plain = (text: string): Buffer => createHash('sha256').update(text).digest();
let world: TestDb;
before(async () => {
  world = await testDb();
  for (const [id, email] of [
    [ANN, 'ann@x.test'],
    [BOB, 'bob@x.test'],
  ])
    await world.db.run(
      `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at) values ($1, $2, $2, clock_now(), 'en', clock_now())`,
      [id, email],
    );
  await writeHolderMacs(world.db);
});
after(() => world.drop());
afterEach(() => void configureSecretHashes(testMacKeys));

const code = { purpose: 'sign_up', subject: 'ann@x.test', handle: 'h' };
const isRefused = (name: string) => (error: unknown) => error instanceof Problem && error.code === name;
/** Adds a second version of the keys, so that existing rows have the older one. */
const rotate = () => configureSecretHashes(new Map([...testMacKeys, [2, Buffer.alloc(32, 77)]]));

async function session(holder: string, hash: Buffer): Promise<void> {
  await world.db.run('delete from session');
  await world.db.run(
    `insert into session (id, holder_id, token_hash, device, ip, created_at, seen_at) values ($1, $2, $3, 'x', '10.0.0.1', clock_now(), clock_now())`,
    [newId(), holder, hash],
  );
}

test('refuses a one-time code that was inserted, moved or prolonged by SQL', async () => {
  const { db } = world;
  const made = await db.tx((tx) => makeCode(tx, code));
  await db.run('update one_time_code set code_hash = $1', [plain(`sign_up ann@x.test h ${made}`)]);
  await assert.rejects(tryCode(db, code, made), isRefused('code_wrong'));
  await db.run('delete from one_time_code');
  const good = await db.tx((tx) => makeCode(tx, code));
  await db.run(`update one_time_code set expires_at = expires_at + interval '1 hour'`);
  await assert.rejects(tryCode(db, code, good), isRefused('code_wrong'));
  await db.run(`update one_time_code set expires_at = expires_at - interval '1 hour', referral_code = 'THIEF000'`);
  await assert.rejects(tryCode(db, code, good), isRefused('code_wrong'), 'nobody is named as who sent its owner');
  await db.run(`update one_time_code set referral_code = null, subject = 'bob@x.test', purpose = 'password_reset'`);
  const moved = { ...code, subject: 'bob@x.test', purpose: 'password_reset' };
  await assert.rejects(tryCode(db, moved, good), isRefused('code_wrong'));
  await db.run(`update one_time_code set subject = 'ann@x.test', purpose = 'sign_up', tries = 0`);
  rotate();
  await tryCode(db, code, good);
  await db.tx((tx) => spendCode(tx, code));
});

test('resetting the count of tries by SQL gains no more tries', async () => {
  const { db } = world;
  const made = await db.tx((tx) => makeCode(tx, { ...code, handle: 'guessed' }));
  const wrong = (at: number): string => ((Number.parseInt(made, 10) + at) % 1_000_000).toString().padStart(6, '0');
  for (let at = 1; at <= 30; at += 1) {
    await assert.rejects(tryCode(db, { ...code, handle: 'guessed' }, wrong(at)));
    await db.run('update one_time_code set tries = 0');
  }
  await assert.rejects(tryCode(db, { ...code, handle: 'guessed' }, made), isRefused('code_expired'));
});

test('refuses a session that was inserted, moved, prolonged or reopened by SQL', async () => {
  const { db } = world;
  const token = `kurs_s_${ENDS}`;
  await session(ANN, plain(token));
  await keepOpeners(db);
  assert.equal(await whoIs(db, token), undefined, 'a plain hash finds nothing');
  await session(ANN, secretHash('session', token));
  assert.equal(await whoIs(db, token), undefined, 'a session without a MAC is none');
  await keepOpeners(db);
  assert.equal((await whoIs(db, token))?.holder.id, ANN);
  for (const [change, back] of [
    [`holder_id = '${BOB}'`, `holder_id = '${ANN}'`],
    [`created_at = created_at + interval '1 day'`, `created_at = created_at - interval '1 day'`],
    [`seen_at = seen_at + interval '20 days'`, `seen_at = seen_at - interval '20 days'`],
  ] as const) {
    await db.run(`update session set ${change}`);
    assert.equal(await whoIs(db, token), undefined, change);
    await db.run(`update session set ${back}`);
  }
  rotate();
  assert.equal((await whoIs(db, token))?.holder.id, ANN, 'an older key’s session stands');
});

test('refuses an API key that was inserted, moved, widened or prolonged by SQL', async () => {
  const { db } = world;
  const key = `kurs_test_${ENDS}`;
  const of = () => whoseKey(db, key, { mode: 'sandbox', ip: '10.0.0.1' });
  await db.run(
    `insert into api_key (id, holder_id, name, token_hash, hint, scopes, networks, created_at, expires_at)
     values ($1, $2, 'x', $3, 'kurs', '{orders.read}', '{10.0.0.0/8}', clock_now(), clock_now() + interval '1 day')`,
    [newId(), ANN, plain(key)],
  );
  await keepOpeners(db);
  assert.equal(await of(), undefined);
  await db.run('update api_key set token_hash = $1', [secretHash('API key', key)]);
  assert.equal(await of(), undefined, 'without a right MAC it is none');
  await keepOpeners(db);
  assert.equal((await of())?.holder.id, ANN);
  for (const change of [
    `holder_id = '${BOB}'`,
    `scopes = '{orders.read,wallets.read}'`,
    `networks = '{}'`,
    `expires_at = expires_at + interval '1 year'`,
    `resource_kind = 'store', resource_id = 's'`,
  ]) {
    const [before] = await db.rows<{ row: object }>('select to_jsonb(k) as row from api_key k');
    await db.run(`update api_key set ${change}`);
    assert.equal(await of(), undefined, change);
    await db.run(
      `update api_key k set (holder_id, scopes, networks, expires_at, resource_kind, resource_id) =
         (select r.holder_id, r.scopes, r.networks, r.expires_at, r.resource_kind, r.resource_id from jsonb_populate_record(k, $1) r)`,
      [before?.row],
    );
  }
  rotate();
  assert.equal((await of())?.holder.id, ANN);
});

test('refuses a desk key that was inserted, or moved to another person or role, by SQL', async () => {
  const { db } = world;
  const { key } = await db.tx((tx) => addOperator(tx, 'olga', 'operator'));
  const own = `kurs_op_${ENDS}`;
  assert.equal((await authenticate(db, key))?.name, 'olga');
  await db.run(
    `insert into operator (id, name, role, key_hash, fingerprint, created_at, key_since) values ($1, 'eve', 'compliance', $2, $2, clock_now(), clock_now())`,
    [newId(), fingerprintOf(own)],
  );
  assert.equal(await authenticate(db, own), undefined, 'a plain hash');
  await db.run(`update operator set key_hash = $1 where name = 'eve'`, [
    secretHash('desk key', fingerprintOf(own).toString('hex')),
  ]);
  assert.equal(await authenticate(db, own), undefined, 'without a MAC');
  await db.run(`update operator set role = 'compliance' where name = 'olga'`);
  assert.equal(await authenticate(db, key), undefined);
  await db.run(`update operator set role = 'operator' where name = 'olga'`);
  rotate();
  assert.equal((await authenticate(db, key))?.name, 'olga', 'an older version of our key finds it');
});

test('refuses a desk session that was inserted, moved or prolonged by SQL', async () => {
  const { db } = world;
  const token = `kurs_os_${ENDS}`;
  const who = () => whoActs(db, token, 'sandbox');
  const [olga, oleg] = [
    (await db.tx((tx) => addOperator(tx, 'olga2', 'operator'))).name,
    (await db.tx((tx) => addOperator(tx, 'oleg2', 'compliance'))).name,
  ];
  const put = (hash: Buffer) =>
    db.run(
      `insert into operator_session (id, operator_id, token_hash, created_at, expires_at) select $1, id, $2, clock_now(), clock_now() + interval '1 hour' from operator where name = $3`,
      [newId(), hash, olga],
    );
  await put(plain(token));
  assert.equal(await who(), undefined);
  await db.run('delete from operator_session');
  await put(secretHash('desk session', token));
  assert.equal(await who(), undefined);
  await db.run(`delete from operator where name = 'eve'`);
  await writeDeskMacs(db);
  assert.equal((await who())?.name, olga);
  await db.run('update operator_session set operator_id = (select id from operator where name = $1)', [oleg]);
  assert.equal(await who(), undefined, 'moved');
  await db.run('update operator_session set operator_id = (select id from operator where name = $1)', [olga]);
  await db.run(`update operator_session set expires_at = expires_at + interval '1 day'`);
  assert.equal(await who(), undefined, 'prolonged');
  await db.run(`update operator_session set expires_at = expires_at - interval '1 day'`);
  rotate();
  assert.equal((await who())?.name, olga);
});

test('refuses a download ticket that was inserted or changed by SQL', async () => {
  const { db } = world;
  const tickets = openTickets<{ file: string }>(db, 'orders');
  await db.run(
    `insert into download_ticket (hash, what, session_id, wanted, until) values ($1, 'orders', $2, '{"file": "a"}', clock_timestamp() + interval '1 minute')`,
    [plain('mine'), newId()],
  );
  assert.equal(await tickets.peek('mine'), undefined);
  const ticket = await tickets.issue({ sessionId: newId(), wanted: { file: 'a' } });
  for (const change of [
    'session_id = gen_random_uuid()',
    `wanted = '{"file": "b"}'`,
    `what = 'wallet'`,
    `until = until + interval '1 hour'`,
  ]) {
    const [before] = await db.rows<{ row: object }>('select to_jsonb(t) as row from download_ticket t where mac is not null');
    await db.run(`update download_ticket set ${change} where mac is not null`);
    const found = await openTickets<{ file: string }>(db, change.startsWith('what') ? 'wallet' : 'orders').peek(ticket);
    assert.equal(found, undefined, change);
    await db.run(
      `update download_ticket t set (session_id, wanted, what, until) = (select r.session_id, r.wanted, r.what, r.until from jsonb_populate_record(t, $1) r) where mac is not null`,
      [before?.row],
    );
  }
  rotate();
  assert.deepEqual((await tickets.take(ticket))?.wanted, { file: 'a' });
});

test('refuses a discount button that was inserted, or moved to another calculation, by SQL', async () => {
  const { db } = world;
  const [calculation, other] = [newId(), newId()];
  const expiresAt = new Date((await db.now()).getTime() + 3_600_000);
  for (const id of [calculation, other])
    await db.tx(async (tx) => askForButton(tx, { calculation: id, email: 'cat@x.test', locale: 'en', expiresAt }));
  await mailButtons(db, { name: 'Kurs', url: 'https://x.test' }, async (_tx, customers) => customers);
  const [letter] = await queuedLetters(db, { key: `discount ${calculation}` });
  const token = /token=([\w-]+)/.exec(letter?.text ?? '')?.[1] ?? '';
  assert.equal((await buttonOf(db, token))?.calculation, calculation);
  await db.run('update discount_button set token_hash = null, mac = null where calculation = $1', [other]);
  await db.run(`update discount_button set calculation = gen_random_uuid() where calculation = $1`, [calculation]);
  assert.equal(await buttonOf(db, token), undefined);
  await db.run('update discount_button set calculation = $1, token_hash = $2 where token_hash is not null', [
    calculation,
    plain('mine'),
  ]);
  assert.equal(await buttonOf(db, 'mine'), undefined);
});
