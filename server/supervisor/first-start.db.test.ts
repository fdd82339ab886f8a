import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { configureLog, makeKeys, missingKeys, placeCluster, rotateKey } from '../platform/index.ts';
import { type TestDb, testDb } from '../platform/testing.ts';
import { hasNoDatabase, letKnow, requireKeys, requireNoKeys, requireSameKeys } from './first-start.ts';

let database: TestDb;
let folder: string;
let logged = '';
const folders: string[] = [];

before(async () => {
  database = await testDb();
  configureLog({ sink: (text) => void (logged += text) });
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kurs-first-'));
  folders.push(folder);
});
after(async () => {
  configureLog({ sink: (text) => void process.stdout.write(text) });
  await database.drop();
  for (const each of folders) rmSync(each, { recursive: true, force: true });
});

const key = (name: string): string => join(folder, 'keys', name);
const where = (mode: 'sandbox' | 'live', url = '') => ({ KURS_DATA: folder, KURS_MODE: mode, DATABASE_URL: url });
const refused = (work: () => Promise<unknown>, words: RegExp): Promise<void> =>
  assert.rejects(work, (error: Error) => error.name === 'ConfigError' && words.test(error.message));

/** Another, empty database of the same server. */
async function unwritten(work: (url: string) => Promise<void>): Promise<void> {
  const url = new URL(database.ownerUrl);
  url.pathname = `${url.pathname}_unwritten`;
  await database.owner.run(`create database ${url.pathname.slice(1)} template template0`);
  try {
    await work(url.href);
  } finally {
    await database.owner.run(`drop database ${url.pathname.slice(1)} with (force)`);
  }
}

test('a sandbox’s first start creates keys; a live one is refused, and says how to create them', () =>
  unwritten(async (url) => {
    await refused(() => requireKeys(where('live', url)), /npm run init/);
    assert.equal(missingKeys(folder).length, 9);
    await requireKeys(where('sandbox', url));
    assert.deepEqual(missingKeys(folder), []);
    const seed = readFileSync(key('seed'), 'utf8');
    await requireKeys(where('live', url));
    assert.equal(readFileSync(key('seed'), 'utf8'), seed);
  }));

test('creates no key for a database in use', async () => {
  for (const mode of ['sandbox', 'live'] as const) {
    await refused(() => requireKeys(where(mode, database.ownerUrl)), /begun with keys that are not in .*seed/);
    assert.equal(missingKeys(folder).length, 9);
  }
  makeKeys(folder);
  for (const name of ['seed', 'server-v1.key', 'receipt-v1.key', 'books-v1.key', 'references.key', 'database.password']) {
    const stored = readFileSync(key(name));
    rmSync(key(name));
    await refused(() => requireKeys(where('sandbox', database.ownerUrl)), new RegExp(`not in .*: ${name}`));
    assert.equal(existsSync(key(name)), false);
    writeFileSync(key(name), stored);
  }
  rmSync(key('bot.key'));
  await requireKeys(where('live', database.ownerUrl));
  assert.deepEqual(missingKeys(folder), [], 'the bot check’s alone is made anew');
});

test('a database without fingerprints accepts the keys once, and reports it; later ones are refused', async () => {
  makeKeys(folder);
  assert.match(
    (await letKnow(database.ownerUrl, where('sandbox'))) ?? '',
    /keys registered: from now on this database starts with those in/,
  );
  assert.equal(await letKnow(database.ownerUrl, where('sandbox')), undefined);
  rotateKey(folder, 'server');
  assert.match((await letKnow(database.ownerUrl, where('sandbox'))) ?? '', /fingerprints of new keys: server-v2\.key/);
  const own = folder;
  folder = mkdtempSync(join(tmpdir(), 'kurs-other-'));
  folders.push(folder);
  makeKeys(folder);
  const words = await requireSameKeys(database.ownerUrl, where('sandbox')).then(String, String);
  for (const name of ['seed differs', 'server-v2.key is missing', 'books-v1.key differs', 'restore FILE']) {
    assert.ok(words.includes(name), `${name}: ${words}`);
  }
  await refused(() => letKnow(database.ownerUrl, where('sandbox')), /Nothing was changed/);
  assert.deepEqual([...(await requireSameKeys(database.ownerUrl, { ...where('sandbox'), KURS_DATA: own })).news], []);
  writeFileSync(join(own, 'keys/bot.key'), 'ab'.repeat(32));
  assert.match((await letKnow(database.ownerUrl, { ...where('sandbox'), KURS_DATA: own })) ?? '', /bot\.key/);
  assert.match(logged, /robot check has changed/);
  assert.equal(await letKnow(database.ownerUrl, { ...where('sandbox'), KURS_DATA: own }), undefined);
});

test('writes keys only if there are none in folder and environment, and no other files', () => {
  const refusal = (): string => {
    try {
      requireNoKeys(folder);
      return '';
    } catch (error) {
      assert.equal((error as Error).name, 'ConfigError');
      return (error as Error).message;
    }
  };
  assert.equal(refusal(), '');
  mkdirSync(join(folder, 'keys'));
  assert.equal(refusal(), '');
  writeFileSync(key('signed.jsonl'), '');
  assert.match(refusal(), /keys is not empty: signed\.jsonl/);
  process.env['KURS_KEY_SEED'] = 'words';
  try {
    assert.match(refusal(), /The environment gives keys already: KURS_KEY_SEED/);
  } finally {
    delete process.env['KURS_KEY_SEED'];
  }
  makeKeys(folder);
  assert.match(refusal(), /There are keys in .*keys already/);
});

test('refuses an empty database for keys that have served', () =>
  unwritten(async (url) => {
    makeKeys(folder);
    writeFileSync(key('books.seal'), '{}');
    for (const mode of ['sandbox', 'live'] as const) {
      await refused(() => requireKeys(where(mode, url)), /served a database that is not there/);
    }
  }));

test('never removes the embedded database for missing keys, but that of a removed sandbox', async () => {
  const { directory } = await placeCluster(folder);
  const version = join(directory, 'PG_VERSION');
  const note = (mode: string): void => writeFileSync(`${directory}.owner`, JSON.stringify({ mark: 'x', folder, mode }));
  mkdirSync(directory, { recursive: true });
  folders.push(directory, `${directory}.owner`);
  writeFileSync(version, '18\n');
  const isOutside = !directory.startsWith(folder);
  note('live');
  for (const mode of ['live', 'sandbox'] as const) {
    await refused(() => requireKeys(where(mode)), /begun with keys that are not in/);
    assert.ok(existsSync(version));
  }
  note('sandbox');
  await refused(() => requireKeys(where('live')), /begun with keys that are not in/);
  mkdirSync(join(folder, 'sandbox'));
  await refused(() => requireKeys(where('sandbox')), /begun with keys that are not in/);
  assert.ok(existsSync(version), 'the folder was not removed: only its keys are gone');
  rmSync(join(folder, 'sandbox'), { recursive: true });
  assert.equal(await hasNoDatabase(where('sandbox')), isOutside);
  assert.equal(existsSync(version), !isOutside);
});

test('a database that doesn’t answer does not count as empty', async () => {
  await assert.rejects(requireKeys(where('sandbox', 'postgres://127.0.0.1:1/none')));
  assert.equal(missingKeys(folder).length, 9);
});
