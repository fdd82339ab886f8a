// A folder holds no more files than a reader can tell apart, and each file has a plain name.

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
/** Maximum number of files: about fifteen, and some more if they are parts of one list. */
const MAX = 18;
const BESIDE = /node_modules|\/dist\/|web\/paraglide|\.(test|testing|contract|journey)\.tsx?$/;

test('no folder of source holds more than some fifteen files beside its tests', () => {
  const files = globSync('{money,contract,server,web,sandbox,e2e,bench,tools}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
    (path) => !BESIDE.test(path),
  );
  const full = [...Map.groupBy(files, dirname)]
    .filter(([, held]) => held.length > MAX)
    .map(([folder, held]) => `${folder} ${held.length}`);
  assert.deepEqual(full, []);
});

/** Folders that may hold files of others. */
const NOT_OURS = ['**/node_modules', '.git', '**/dist', '**/.build', '**/paraglide'];

test('each file has a name of plain letters', () => {
  const odd = globSync('**', { cwd: ROOT, exclude: NOT_OURS }).filter((path) => !/^[\w./$-]*$/.test(path));
  assert.deepEqual(odd, []);
});
