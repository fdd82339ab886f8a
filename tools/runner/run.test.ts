// Runs of tools/test.ts over small trees of test files: what they print, their second try, and what is left of one that is killed.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

const TOOLS = dirname(import.meta.dirname);
const NO_POSTGRES = `
  export const startTestServer = async () => ({ url: 'postgres://nowhere', stop: async () => undefined });
  export const ensureTemplate = async () => 'template';
`;

/** Makes a tree with the runner, these files, static checks that pass and no PostgreSQL. */
function treeOf(t: TestContext, files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'kurs-run-'));
  t.after(() => rmSync(root, { recursive: true }));
  cpSync(join(TOOLS, 'runner'), join(root, 'tools/runner'), { recursive: true, filter: (path) => !path.endsWith('.test.ts') });
  cpSync(join(TOOLS, 'test.ts'), join(root, 'tools/test.ts'));
  const passing = {
    'tools/rules/tidy.test.ts': `import { test } from 'node:test'; test('tidy', () => {});`,
    'tools/rules/commit-titles.ts': '',
  };
  const all = { 'package.json': '{"type":"module"}', 'server/platform/testing.ts': NO_POSTGRES, ...passing, ...files };
  for (const [path, body] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), body);
  }
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
  for (const check of ['tsc', 'oxfmt', 'oxlint', 'knip']) symlinkSync('/bin/true', join(root, 'node_modules/.bin', check));
  return root;
}

function start(root: string, ...words: string[]): ChildProcess {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawn(process.execPath, [join(root, 'tools/test.ts'), ...words], { env, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Runs all tests of a folder. Returns the output and the exit code. */
async function run(root: string, ...words: string[]): Promise<{ out: string; code: number | null }> {
  const child = start(root, ...words);
  const [out] = await Promise.all([text(child.stdout!), once(child, 'close')]);
  return { out, code: child.exitCode };
}

const FLAKY = `
  import { test } from 'node:test';
  import { existsSync, writeFileSync } from 'node:fs';
  test('sound', () => undefined);
  test('flaky', () => {
    if (existsSync('tried')) return;
    writeFileSync('tried', '');
    throw new Error('nothing came');
  });
`;

test('a journey that passes at its second try is named with its first error, and the run passes', async (t) => {
  const { out, code } = await run(treeOf(t, { 'e2e/flaky.journey.ts': FLAKY }));
  assert.equal(code, 0, out);
  const [first = '', last = ''] = out.split('✓ e2e/flaky.journey.ts · 2 ·');
  for (const part of [first, last]) assert.match(part, /^~ e2e\/flaky\.journey\.ts › flaky\n    Error: nothing came$/m);
  assert.match(out, /\npassed: 10 passed, 0 failed, 1 failed at first and were tried again, [\d.]+ s\n$/);
});

test('a test without a database, or of a run of some files, has no second try', async (t) => {
  for (const [path, words] of [
    ['money/flaky.test.ts', []],
    ['e2e/flaky.journey.ts', ['flaky']],
  ] as const) {
    const { out, code } = await run(treeOf(t, { [path]: FLAKY }), ...words);
    assert.equal(code, 1, out);
    assert.ok(out.split('\n').includes(`✗ ${path} › flaky`), out);
    assert.match(out, /\nFAILED: \d+ passed, 1 failed, [\d.]+ s\n$/);
  }
});

test('a file that cannot be loaded, one that holds no test and one that ends its process fail', async (t) => {
  const root = treeOf(t, {
    'money/gone.test.ts': `import './gone.ts';`,
    'money/none.test.ts': '',
    'money/sound.test.ts': `import { test } from 'node:test'; test('sound', () => undefined);`,
    'server/ends.db.test.ts': `import { test } from 'node:test'; test('ends', () => process.exit(0));`,
  });
  const { out, code } = await run(root, 'money/', 'server/');
  assert.equal(code, 1);
  assert.match(out, /^✗ money\/gone\.test\.ts › .*\n    Error \[ERR_MODULE_NOT_FOUND\]/m);
  for (const path of ['money/none.test.ts', 'server/ends.db.test.ts'])
    assert.match(out, new RegExp(`^✗ ${path}\n    none of its`, 'm'));
  assert.match(out, /^✓ money\/sound\.test\.ts · 1 · /m);
  assert.match(out, /\nFAILED: 1 passed, 3 failed, /);
  assert.match((await run(root, 'nowhere')).out, /no test file matches nowhere/);
});

test('the test processes of a run that is interrupted or killed end with it', async (t) => {
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    const waits = `
      import { test } from 'node:test';
      import { writeFileSync } from 'node:fs';
      test('waits', () => new Promise(() => { writeFileSync('pid', String(process.pid)); setInterval(() => undefined, 1_000); }));
    `;
    const root = treeOf(t, { 'money/waits.test.ts': waits });
    const child = start(root, 'waits');
    while (!existsSync(join(root, 'pid')) || readFileSync(join(root, 'pid'), 'utf8') === '') await pause(20);
    const pid = readFileSync(join(root, 'pid'), 'utf8');
    child.kill(signal);
    await once(child, 'exit');
    for (let tries = 0; existsSync(`/proc/${pid}`) && tries < 500; tries += 1) await pause(20);
    assert.equal(existsSync(`/proc/${pid}`), false, `a test process outlives ${signal}`);
  }
});
