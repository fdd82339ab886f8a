// Every test file runs once, and of each kind in its place; files that share a process don't meet in it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { type Batch, planRun } from './batches.ts';
import type { Line } from './reporter.ts';

const filesOf = (batches: readonly Batch[]): string[] => batches.flatMap(({ files }) => files);
const allOf = (isFull: boolean): string[] => {
  const { wide, tests, journeys } = planRun({ isFull, words: [] });
  return filesOf([wide, tests, journeys].flat());
};

test('every file runs once, those of the full run in that alone', () => {
  const [quick, full] = [allOf(false), allOf(true)];
  for (const files of [quick, full]) assert.equal(new Set(files).size, files.length);
  assert.deepEqual(new Set(quick), new Set(full.filter((file) => !file.includes('.full.'))));
  assert.ok(quick.includes('tools/runner/batches.test.ts'));
});

test('what has the machine for itself shares no process, and journeys share their systems', () => {
  const { wide, tests, journeys } = planRun({ isFull: false, words: [] });
  assert.deepEqual([...new Set(wide.map(({ files }) => files.length))], [1]);
  assert.ok(filesOf(tests).every((file) => !file.includes('.wide.')));
  assert.ok(filesOf(tests.filter(({ files }) => files.length > 1)).every((file) => !file.includes('.full.')));
  const [sharing, others] = [
    journeys.filter(({ files }) => files.length > 1),
    journeys.filter(({ files }) => files.length === 1),
  ];
  assert.ok(filesOf(sharing).every((file) => file.endsWith('.together.journey.ts')));
  assert.ok(filesOf(others).every((file) => !file.endsWith('.together.journey.ts')));
  const movesClock = (file: string): number => Number(file.endsWith('.clock.together.journey.ts'));
  assert.ok(filesOf(sharing).some(movesClock));
  for (const { files } of sharing)
    assert.deepEqual(
      files.toSorted((a, b) => movesClock(a) - movesClock(b)),
      files,
    );
});

test('words choose files', () => {
  const { wide, tests, journeys, hasDatabaseTests } = planRun({ isFull: false, words: ['tools/runner/batches.test'] });
  assert.deepEqual([filesOf([wide, tests, journeys].flat()), hasDatabaseTests], [['tools/runner/batches.test.ts'], false]);
});

/** Runs files in one process as the runner does, beside modules that they import; gives what the process printed. */
async function runTogether(t: TestContext, texts: Record<string, string>, imported: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'kurs-suites-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const paths = Object.keys(texts).map((name) => join(folder, name));
  for (const [name, body] of Object.entries({ ...texts, ...imported })) writeFileSync(join(folder, name), body);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const flags = [`--test-reporter=${join(import.meta.dirname, 'reporter.ts')}`, '--test-reporter-destination=stdout'];
  const child = spawn(process.execPath, [...flags, join(import.meta.dirname, 'suites.ts'), ...paths], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, noise] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'close')]);
  const lines = out
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);
  return { folder, lines, out, noise: noise.split('\n'), code: child.exitCode };
}

test('hooks at the root of a file apply to its own tests alone', async (t) => {
  const file = (name: string): string => `
    import { after, before, beforeEach, test } from 'node:test';
    before(() => console.error('${name} begins'));
    beforeEach(() => console.error('${name} before a test'));
    after(() => console.error('${name} is over'));
    test('one of ${name}', () => undefined);
  `;
  const { folder, lines, noise } = await runTogether(t, { 'a.test.mjs': file('a'), 'b.test.mjs': file('b') });
  const said = (name: string): string[] => [`${name} begins`, `${name} before a test`, `${name} is over`];
  assert.deepEqual(
    noise.filter((line) => /^[ab] /.test(line)),
    [...said('a'), ...said('b')],
  );
  assert.deepEqual(
    lines.map((line) => [line.file, line.name, line.error]),
    [
      [join(folder, 'a.test.mjs'), 'one of a', undefined],
      [join(folder, 'b.test.mjs'), 'one of b', undefined],
    ],
  );
});

test('files that wait for the same module keep their own tests', async (t) => {
  const slow = `import { setTimeout as sleep } from 'node:timers/promises'; await sleep(100);`;
  const file = (name: string): string => `
    import { test } from 'node:test';
    import './slow.mjs';
    test('one of ${name}', () => undefined);
  `;
  const files = { 'a.test.mjs': file('a'), 'b.test.mjs': file('b') };
  const { folder, lines } = await runTogether(t, files, { 'slow.mjs': slow });
  assert.deepEqual(
    lines.map((line) => [line.file, line.name]),
    [
      [join(folder, 'a.test.mjs'), 'one of a'],
      [join(folder, 'b.test.mjs'), 'one of b'],
    ],
  );
});

test('what files share is closed when the last of them is over, though the first has opened it', async (t) => {
  const shared = `
    import { closeLast } from '${join(import.meta.dirname, 'closing.ts')}';
    closeLast(async () => console.error('closed'));
  `;
  const file = (name: string): string => `
    import { test } from 'node:test';
    import './shared.mjs';
    test('one', () => console.error('${name}'));
  `;
  const { noise } = await runTogether(t, { 'a.test.mjs': file('a'), 'b.test.mjs': file('b') }, { 'shared.mjs': shared });
  assert.deepEqual(
    noise.filter((line) => /^(a|b|closed)$/.test(line)),
    ['a', 'b', 'closed'],
  );
});

test('what a journey had open stands with the error of its test, and with no other', async (t) => {
  const file = `
    import { test } from 'node:test';
    import { askOnFailure } from '${join(import.meta.dirname, 'on-failure.ts')}';
    askOnFailure(async () => ['the page says: no rates']);
    askOnFailure(async () => { throw new Error('is closed'); });
    test('waits in vain', () => { throw new Error('nothing came'); });
    test('sound', () => undefined);
  `;
  const { lines } = await runTogether(t, { 'a.test.mjs': file });
  assert.deepEqual(
    lines.map(({ name, error }) => [name, error?.split('\n').slice(0, 2)]),
    [
      ['waits in vain', ['the page says: no rates', 'Error: nothing came']],
      ['sound', undefined],
    ],
  );
});

test('a file that cannot be loaded fails by its name, and the others run', async (t) => {
  const sound = `import { test } from 'node:test'; test('sound', () => undefined);`;
  const { folder, lines, code } = await runTogether(t, { 'a.test.mjs': `import './gone.mjs';`, 'b.test.mjs': sound });
  const [a, b] = [join(folder, 'a.test.mjs'), join(folder, 'b.test.mjs')];
  assert.deepEqual(
    lines.map(({ file, name, error }) => [file, name, error !== undefined]),
    [
      [a, a, true],
      [b, 'sound', false],
    ],
  );
  assert.equal(code, 1);
});

test('an error that nobody catches fails its test, and the others run', async (t) => {
  const broken = `
    import { test } from 'node:test';
    test('breaks', () => new Promise(() => void setTimeout(() => { throw new Error('uncaught'); }, 1)));
    test('goes on', () => undefined);
  `;
  const { lines, code } = await runTogether(t, { 'a.test.mjs': broken });
  assert.deepEqual(
    lines.map(({ name, error }) => [name, error?.split('\n')[0]]),
    [
      ['breaks', 'Error: uncaught'],
      ['goes on', undefined],
    ],
  );
  assert.equal(code, 1);
});

test('an error that a test leaves behind fails the process, which prints the name of the test', async (t) => {
  const broken = `
    import { test } from 'node:test';
    import { setTimeout as sleep } from 'node:timers/promises';
    test('leaves it behind', async () => void sleep(1).then(() => { throw new Error('late'); }));
    test('is not over yet', () => sleep(50));
  `;
  const { lines, out, code } = await runTogether(t, { 'a.test.mjs': broken });
  assert.deepEqual(
    lines.map(({ error }) => error),
    [undefined, undefined],
  );
  assert.match(out, /^Error: Test "leaves it behind" at .*a\.test\.mjs.*"Error: late"/m);
  assert.equal(code, 1);
});
