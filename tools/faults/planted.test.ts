// One planted fault of each kind is found, and what would find nothing is told. All of them: planted.db.full.test.ts.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { applyChanges, readDiff } from './patch.ts';
import { type Copy, copyTree, mustBeFound, mustHold, oneOfEachKind, readAllPlanted, readPlanted, shareOf } from './planting.ts';

const all = readAllPlanted();
const some = oneOfEachKind(all);

let copy: Copy;
before(() => void (copy = copyTree()));
after(() => copy.remove());

test('the tests that find faults hold without them', { timeout: 60_000 }, () =>
  mustHold(
    copy,
    some.flatMap(({ foundBy }) => foundBy),
  ),
);

for (const planted of some) {
  test(`${planted.kind}: ${planted.name} is found`, { timeout: 60_000 }, () => mustBeFound(copy, planted));
}

test('every planted fault still fits the tree', () => {
  for (const { name, changes } of all) assert.doesNotThrow(() => applyChanges(copy.root, changes)(), name);
});

test('each planted fault is in one share, and all that one test finds in the same', () => {
  const shares = [1, 2, 3, 4].map((share) => shareOf(all, share, 4));
  assert.deepEqual(new Set(shares.flat()), new Set(all));
  assert.equal(shares.flat().length, all.length);
  const finders = shares.flatMap((share) => [...new Set(share.map(({ foundBy }) => foundBy[0]))]);
  assert.equal(new Set(finders).size, finders.length);
  const sizes = shares.map(({ length }) => length);
  assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 3, sizes.join(', '));
});

const HEAD = 'Fault: text\nKind: bounds\nFound by: tools/faults/patch.ts\n';
const diff = (before: string, after: string): string =>
  `--- a/package.json\n+++ b/package.json\n@@ -1 +1 @@\n-${before}\n+${after}\n`;

test('a fault that no longer applies, is found by nobody or says too little is told', { timeout: 60_000 }, async () => {
  const harmless = readPlanted(
    'one',
    `${HEAD.replace('tools/faults/patch', 'server/rails/webmoney/contract.test')}\n${diff('{', '{ ')}`,
  );
  await assert.rejects(mustBeFound(copy, harmless), /webmoney\/contract\.test\.ts does not find it: text/);
  const gone = readPlanted('two', `${HEAD}\n${diff('{ "gone": true }', '{}')}`);
  await assert.rejects(mustBeFound(copy, gone), /no longer applies to package\.json: these lines are not there/);
  const [lineless] = [diff('x', 'y').replace('@@ -1 +1 @@', '@@ -1,2 +1 @@')];
  assert.throws(() => readPlanted('three', `${HEAD}\n${lineless}`), /ends 1 lines too early/);
  assert.throws(() => readPlanted('four', HEAD), /changes nothing/);
  assert.throws(() => readPlanted('five', HEAD.replace('bounds', 'other')), /kind is one of/);
  assert.throws(() => readPlanted('six', HEAD.replace('Found by', 'Found')), /no "Found by:"/);
  assert.throws(() => readPlanted('seven', HEAD.replace('patch.ts', 'gone.ts')), /there is no tools\/faults\/gone\.ts/);
});

test('a diff is put in where its lines are, and taken out again', () => {
  const [path, file] = ['tools/faults/patch.ts', join(copy.root, 'tools/faults/patch.ts')];
  const sound = readFileSync(file, 'utf8');
  const lines = sound.split('\n');
  const at = lines.indexOf("import { join } from 'node:path';");
  const moved = `--- a/${path}\n+++ b/${path}\n@@ -${at + 9} +${at + 9},2 @@ from\n-${lines[at]}\n+// one\n+// two\n`;
  const takeOut = applyChanges(copy.root, readDiff(moved));
  assert.equal(readFileSync(file, 'utf8'), lines.toSpliced(at, 1, '// one', '// two').join('\n'));
  takeOut();
  assert.equal(readFileSync(file, 'utf8'), sound);
});
