import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { migrate, readMigrations } from './migrate.ts';
import { testDb, type TestDb } from '../testing.ts';

let own: TestDb;
const folder = mkdtempSync(join(tmpdir(), 'kurs-migrations-'));
const directory = pathToFileURL(`${folder}/`);
const write = (name: string, sql: string): void => writeFileSync(join(folder, name), sql);
before(async () => {
  own = await testDb();
});
after(async () => {
  await own.drop();
  rmSync(folder, { recursive: true });
});

test('applies each migration once, also when processes start together', async () => {
  const all = await readMigrations();
  const applied = await own.db.rows('select name from migration order by name');
  assert.deepEqual(
    applied,
    all.map(({ name }) => ({ name })),
  );
  const again = await Promise.all([1, 2, 3].map(() => migrate(own.ownerUrl, 'sandbox')));
  assert.deepEqual(again, [[], [], []]);
});

test('applies new migrations in order, each whole or not at all', async () => {
  write('9001_one.sql', '-- One.\ncreate table one (id int);');
  write('9002_two.sql', '-- Two.\ncreate table two (id int); select 1/0;');
  await assert.rejects(migrate(own.ownerUrl, 'sandbox', directory), /9002_two: division by zero/);
  assert.deepEqual(await own.db.row(`select to_regclass('one') is not null as one, to_regclass('two') is not null as two`), {
    one: true,
    two: false,
  });
  write('9002_two.sql', '-- Two.\ncreate table two (id int);');
  assert.deepEqual(await migrate(own.ownerUrl, 'sandbox', directory), ['9002_two']);
});

test('refuses a migration that was edited after it was applied', async () => {
  write('9001_one.sql', '-- One.\ncreate table one (id bigint);');
  await assert.rejects(migrate(own.ownerUrl, 'sandbox', directory), /9001_one was edited/);
});

test('a sandbox’s database never serves live mode', async () => {
  await assert.rejects(migrate(own.ownerUrl, 'live'), /belongs to a sandbox installation/);
});
