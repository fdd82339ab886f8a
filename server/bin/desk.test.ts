import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Cache of compiled code of the test runner (tools/test.ts), for processes that tests start. */
const { NODE_COMPILE_CACHE = '' } = process.env;

const tool = fileURLToPath(new URL('desk.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'kurs-desk-'));
after(() => rmSync(folder, { recursive: true }));

const desk = (...args: string[]): Promise<{ code: number; out: string; err: string }> =>
  new Promise((done) => {
    const child = execFile(
      process.execPath,
      [tool, ...args],
      { env: { NODE_COMPILE_CACHE, KURS_DATA: folder } },
      (_error, out, err) => done({ code: child.exitCode ?? -1, out, err }),
    );
  });

test('prints help, and refuses unknown arguments in words', { concurrency: 4 }, async () => {
  const [help, surplus, flag, amount, command] = await Promise.all([
    desk('help'),
    desk('fund', 'BTC', '1', '000', '--reason', 'for a test'),
    desk('--nope'),
    desk('fund', 'BTC', '-1', '--reason', 'for a test'),
    desk('nope', '--key', 'k'),
  ]);
  assert.equal(help.code, 0);
  assert.match(help.out, /withdraw CUR AMOUNT/);
  for (const { code, err } of [surplus, flag, amount, command]) {
    assert.equal(code, 1);
    assert.doesNotMatch(err, /at .*\.(ts|js)|node:/);
  }
  assert.match(surplus.err, /“000” has no place here/);
  assert.match(flag.err, /--nope/);
  assert.match(amount.err, /-1/);
  assert.match(command.err, /There is no command nope/);
});
