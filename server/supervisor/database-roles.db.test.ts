// Roles in the operator's own PostgreSQL, on a separate server, as roles belong to a whole server.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeKeys, migrate } from '../platform/index.ts';
import { startTestServer } from '../platform/testing.ts';
import { type DatabaseAddresses, createDatabase, on, ownAddresses } from './database-roles.ts';

const folder = mkdtempSync(join(tmpdir(), 'kurs-roles-'));
let server: { url: string; stop(): Promise<void> };
let warned = '';

before(async () => {
  makeKeys(folder);
  server = await startTestServer();
});
after(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});

const run = (url: string, ...statements: string[]): Promise<void> =>
  on(url, async (client) => {
    for (const sql of statements) await client.query(sql);
  });
const refused = (url: string, sql: string): Promise<void> => assert.rejects(run(url, sql), { code: '42501' }, sql);

/** Creates a database with an owner who may or may not create roles; returns the owner's address. */
async function made(owner: string, may: string): Promise<string> {
  await run(server.url, `create role ${owner} login password 'own' ${may}`, `create database ${owner} owner ${owner}`);
  const url = new URL(server.url);
  return Object.assign(url, { pathname: `/${owner}`, username: owner, password: 'own' }).href;
}

const addresses = (url: string, more: object = {}): Promise<DatabaseAddresses> =>
  ownAddresses(
    { KURS_DATA: folder, KURS_MODE: 'live', DATABASE_URL: url, KURS_APP_DATABASE_URL: '', KURS_SIGNER_DATABASE_URL: '', ...more },
    (words) => void (warned += words),
  );

/** Statements that only the owner may run, not the product's role. */
const FINAL = [
  'truncate audit',
  'truncate event',
  'alter table audit disable trigger all',
  'drop trigger audit_is_final on audit',
  'set session_replication_role = replica',
  'update audit set reason = reason',
  'delete from audit',
  'delete from audit_seal',
  'delete from posting',
  'update posting set parts = parts',
  'delete from account',
  'delete from journal_macs',
  'update journal_seal set wrong = 0',
  'delete from setting_history',
  'update key_fingerprint set fingerprint = fingerprint',
  'delete from migration',
  "update installation set mode = 'sandbox'",
  'create table mine (id int)',
  'create function mine() returns int language sql as $$ select 1 $$',
  'alter table payout add column mine int',
  'set role kurs_signer',
];

test('refuses a live start without the right to create roles, with statements that are enough', async () => {
  const ownerUrl = await made('plain', 'nocreaterole');
  const words = await addresses(ownerUrl).then(() => '', String);
  assert.match(words, /kurs_app does not open the database\. kurs_signer does not open/);
  const statements = [...words.matchAll(/^ {2}(create role \w+ .*;)$/gm)].map(([, sql]) => sql as string);
  assert.equal(statements.length, 2);

  const sandbox = await addresses(ownerUrl, { KURS_MODE: 'sandbox' });
  assert.deepEqual([sandbox.url, sandbox.signerUrl], [ownerUrl, ownerUrl]);
  assert.match(warned, /create role kurs_signer/);

  await run(server.url, ...statements);
  const found = await addresses(ownerUrl);
  await migrate(found.ownerUrl, 'live');
  for (const sql of FINAL) await refused(found.url, sql);
  await run(found.url, 'select from audit', 'select from payout', 'select * from posting', 'delete from short_lock');
  await run(found.signerUrl, 'select id, mac from payout');
  for (const sql of ['select * from payout', 'select from audit', "update payout set status = 'final'"])
    await refused(found.signerUrl, sql);
});

test('refuses the owner’s address for the product, and one of a role with its rights', async () => {
  const ownerUrl = await made('second', 'nocreaterole');
  await run(server.url, "create role heir login password 'own' in role second");
  const heir = Object.assign(new URL(ownerUrl), { username: 'heir' }).href;
  for (const url of [ownerUrl, heir, server.url]) {
    await assert.rejects(addresses(ownerUrl, { KURS_APP_DATABASE_URL: url }), /kurs_app may do what only the owner may/);
    await assert.rejects(addresses(ownerUrl, { KURS_SIGNER_DATABASE_URL: url }), /kurs_signer may do what only the owner may/);
  }
  const given = { KURS_APP_DATABASE_URL: (await addresses(ownerUrl)).url };
  assert.equal((await addresses(ownerUrl, given)).url, given.KURS_APP_DATABASE_URL);
});

test('roles that another installation on the server uses keep their passwords', async () => {
  const ownerUrl = await made('third', 'createrole');
  const before = (await addresses(ownerUrl)).url;
  const other = mkdtempSync(join(tmpdir(), 'kurs-roles-'));
  makeKeys(other);
  await assert.rejects(addresses(ownerUrl, { KURS_DATA: other }), /alter role kurs_app login/);
  await run(before, 'select 1');
  rmSync(other, { recursive: true });
});

test('creates the roles if the owner may; in the embedded cluster an older database gets its owner', async () => {
  const second = await startTestServer();
  try {
    const kurs = Object.assign(new URL(second.url), { pathname: '/kurs' }).href;
    await run(second.url, "create role maker login createrole password 'own'", 'create database made owner maker');
    const maker = Object.assign(new URL(second.url), { pathname: '/made', username: 'maker', password: 'own' }).href;
    await run((await addresses(maker)).signerUrl, 'select 1');
    await run(second.url, 'create database kurs owner kurs_app');
    await migrate(`${kurs}?options=${encodeURIComponent('-c role=kurs_app')}`, 'sandbox');
    await createDatabase(second.url, kurs, folder);
    await migrate(`${kurs}?options=${encodeURIComponent('-c role=kurs_owner')}`, 'sandbox');
    const { url, signerUrl } = await addresses(kurs, { KURS_MODE: 'sandbox' });
    for (const sql of FINAL) await refused(url, sql);
    await run(url, "update installation set clock_offset = '1 hour'", 'delete from short_lock');
    await run(signerUrl, 'select id from payout');
  } finally {
    await second.stop();
  }
});
