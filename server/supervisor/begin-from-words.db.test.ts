// Words become the seed of a new installation only, never of a database that was begun.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeKeys, newSeed, placeCluster } from '../platform/index.ts';
import { type TestDb, testDb } from '../platform/testing.ts';
import { requireUnbegun } from './begin-from-words.ts';
import { letKnow } from './first-start.ts';

let database: TestDb;
const home = mkdtempSync(join(tmpdir(), 'kurs-begin-'));
before(async () => {
  database = await testDb();
});
after(async () => {
  await database.drop();
  rmSync(home, { recursive: true });
});

const [first, other] = [newSeed(), newSeed()];
const where = (url: string, folder = join(home, 'empty')) => ({
  KURS_DATA: folder,
  KURS_MODE: 'live' as const,
  DATABASE_URL: url,
});
const refused = (work: () => Promise<unknown>, words: RegExp): Promise<void> =>
  assert.rejects(work, (error: Error) => error.name === 'ConfigError' && words.test(error.message));

test('refuses a database in use that knows no seed', () =>
  refused(() => requireUnbegun(where(database.ownerUrl), first), /is in use\..*Name an empty database/s));

test('refuses a database of another seed, and one of the same seed; both messages say what to do', async () => {
  const folder = join(home, 'served');
  makeKeys(folder, () => first);
  await letKnow(database.ownerUrl, where(database.ownerUrl, folder));
  await refused(
    () => requireUnbegun(where(database.ownerUrl), other),
    /begun with another seed.*Name an empty database.*keys -- restore FILE/s,
  );
  await refused(
    () => requireUnbegun(where(database.ownerUrl), first),
    /These are the words.*not enough.*keys -- restore FILE.*begin a new installation/s,
  );
});

test('refuses a database that was migrated with another seed and never served', async () => {
  await database.owner.run('delete from installation');
  await refused(() => requireUnbegun(where(database.ownerUrl), other), /begun with another seed/);
});

test('accepts an empty database, and names a cluster whose keys are lost', async () => {
  const url = new URL(database.ownerUrl);
  url.pathname = `${url.pathname}_unwritten`;
  await database.owner.run(`create database ${url.pathname.slice(1)} template template0`);
  await requireUnbegun(where(url.href), other);
  await database.owner.run(`drop database ${url.pathname.slice(1)} with (force)`);
  const folder = join(home, 'cluster');
  mkdirSync(folder);
  await requireUnbegun(where('', folder), first);
  const { directory } = await placeCluster(folder);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'PG_VERSION'), '18');
  await refused(
    () => requireUnbegun(where('', folder), first),
    /A database is in .*words don't open it.*another, empty KURS_DATA/s,
  );
  rmSync(directory, { recursive: true });
});
