import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { type TestDb, testDb } from '../server/platform/testing.ts';
import { type CatalogTable, SCHEMA_PAGE, drawSchema, readCatalog } from './draw-schema.ts';

let own: TestDb;
let tables: CatalogTable[];
before(async () => {
  own = await testDb();
  tables = await readCatalog(own.db);
});
after(() => own.drop());

test('docs/schema.md is what the catalog says (else: node tools/draw-schema.ts)', () => {
  assert.equal(readFileSync(SCHEMA_PAGE, 'utf8'), drawSchema(tables));
});

test('the comment of every table says what a row is', () => {
  assert.ok(tables.length > 100);
  assert.deepEqual(
    tables.filter(({ comment }) => !comment).map(({ name }) => name),
    [],
  );
});
