// Every patch applies, a few planted faults are found, and patches that would find nothing are refused. Each fault is
// planted in planted.db.full.test.ts.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { applyChanges, readDiff } from './patch.ts';
import { type Copy, copyTree, mustBeFound, mustPass, readAllPlanted, readPlanted } from './planting.ts';

const all = readAllPlanted();
/** Faults that tests of pure functions find within a second. */
const QUICK = ['deadline-runs-during-clearing', 'port-makes-its-own-network', 'unseen-payment-is-reversed'];
const quick = all.filter(({ name }) => QUICK.includes(name));

let copy: Copy;
before(() => void (copy = copyTree()));
after(() => copy.remove());

test('the tests that find faults pass without them', { timeout: 60_000 }, () =>
  mustPass(
    copy,
    quick.flatMap(({ foundBy }) => foundBy),
  ),
);

for (const planted of quick) {
  test(`${planted.kind}: ${planted.name} is found`, { timeout: 60_000 }, () => mustBeFound(copy, planted));
}

test('every patch still applies to the tree, and at most 50 are kept', () => {
  assert.ok(all.length <= 50, `${all.length} patches: delete one of a kind that has three, see docs/mutants.md`);
  for (const { name, changes } of all) assert.doesNotThrow(() => applyChanges(copy.root, changes)(), name);
});

const HEAD = 'Fault: text\nKind: limit\nFound by: tools/faults/patch.ts\n';
const diff = (before: string, after: string): string =>
  `--- a/package.json\n+++ b/package.json\n@@ -1 +1 @@\n-${before}\n+${after}\n`;

test('refuses a patch that no longer applies, that no test finds, or whose head is incomplete', { timeout: 60_000 }, async () => {
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
  assert.throws(() => readPlanted('five', HEAD.replace('limit', 'other')), /kind is one of/);
  assert.throws(() => readPlanted('six', HEAD.replace('Found by', 'Found')), /no "Found by:"/);
  assert.throws(() => readPlanted('seven', HEAD.replace('patch.ts', 'gone.ts')), /there is no tools\/faults\/gone\.ts/);
});

test('applies a diff where its lines are now, and takes it out again', () => {
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
