// Errors of commands are printed in words, without a trace.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Cache of compiled code of the test runner (tools/test.ts), for processes that tests start. */
const { NODE_COMPILE_CACHE = '' } = process.env;

const folder = mkdtempSync(join(tmpdir(), 'kurs-command-'));
after(() => rmSync(folder, { recursive: true }));

type Ended = { readonly code: number; readonly out: string; readonly err: string };
const run = (name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  new Promise((done) => {
    const file = fileURLToPath(new URL(`../bin/${name}.ts`, import.meta.url));
    const child = execFile(
      process.execPath,
      [file, ...args],
      { env: { NODE_COMPILE_CACHE, KURS_DATA: folder, ...env } },
      (_error, out, err) => done({ code: child.exitCode ?? -1, out, err }),
    );
    child.stdin?.end();
  });

const TRACE = /\bat .*\.(ts|js)\b|node:/;

test('each command explains a wrong setting in words', { concurrency: 4 }, async () => {
  const commands = [
    ['start'],
    ['desk', 'rails'],
    ['add-operator', 'ann', 'operator'],
    ['keys'],
    ['init'],
    ['verify'],
    ['verify-audit'],
  ];
  const ended = await Promise.all(commands.map(([name = '', ...args]) => run(name, args, { KURS_MODE: 'lvie' })));
  for (const [at, { code, err }] of ended.entries()) {
    assert.equal(code, 1, commands[at]?.join(' '));
    assert.match(err, /^KURS_MODE .*can't be "lvie"\n$/, commands[at]?.join(' '));
  }
});

test('help is given with any settings', async () => {
  assert.equal((await run('desk', ['help'], { KURS_MODE: 'lvie' })).code, 0);
});

test('a file that is not there, and an address where nobody answers', { concurrency: 4 }, async () => {
  const [backup, evidence, key, nobody, address] = await Promise.all([
    run('keys', ['restore', join(folder, 'none')]),
    run('desk', ['block', 'ann@example.org', '--evidence', join(folder, 'none'), '--reason', 'for a test', '--key', 'k']),
    run('desk', ['rails'], { KURS_DESK_KEY_FILE: join(folder, 'none') }),
    run('desk', ['rails', '--key', 'k', '--url', 'http://127.0.0.1:1']),
    run('desk', ['rails', '--key', 'k', '--url', 'desk']),
  ]);
  for (const { code, err } of [backup, evidence, key, nobody, address]) {
    assert.equal(code, 1);
    assert.doesNotMatch(err, TRACE);
  }
  for (const { err } of [backup, evidence, key]) assert.match(err, /none does not exist\.\n$/);
  assert.match(nobody.err, /Nobody answers at http:\/\/127\.0\.0\.1:1\. Is it running\?/);
  assert.match(address.err, /desk is no address/);
});

test('a missing argument is reported with the command’s usage', async () => {
  const [direction, rail] = await Promise.all([
    run('desk', ['direction', 'BTC', '--key', 'k']),
    run('desk', ['rail', 'bitcoin', 'of', '--key', 'k', '--reason', 'for a test']),
  ]);
  assert.match(direction.err, /^.*Give TO\.\n {2}direction FROM TO on\|off --reason/ms);
  assert.match(rail.err, /Say on or off\.\n {2}rail NAME on\|off \[--for orders\|deposits\] --reason/);
});
