import assert from 'node:assert/strict';
import fs, { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, after, test } from 'node:test';
import { AppendFile, replaceFile } from './append-file.ts';
import { configureLog } from '../base/log.ts';

const folder = mkdtempSync(join(tmpdir(), 'kurs-append-'));
after(() => rmSync(folder, { recursive: true }));

const full = (): Error => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
const real = fs.writeSync as (file: number, bytes: Buffer, from: number, length?: number) => number;

/** A disk with `left` free bytes, and a limit of bytes for one write. */
function small(t: TestContext, { left, max = left }: { left: number; max?: number }): void {
  t.mock.method(fs, 'writeSync', (file: number, bytes: Buffer, from: number) => {
    if (left === 0) throw full();
    const taken = real(file, bytes, from, Math.min(left, max, bytes.length - from));
    left -= taken;
    return taken;
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
}

test('a record that the disk takes in pieces is whole', (t) => {
  const path = join(folder, 'pieces');
  const file = new AppendFile(path);
  small(t, { left: 1_000, max: 3 });
  file.append('{"one":1}\n', { lasting: true });
  assert.equal(readFileSync(path, 'utf8'), '{"one":1}\n');
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('leaves nothing of a record for which there is no space, and the next one is whole', (t) => {
  const path = join(folder, 'full');
  const file = new AppendFile(path);
  file.append('"one"\n');
  small(t, { left: 4 });
  assert.throws(() => file.append('"two"\n'), { code: 'ENOSPC' });
  assert.equal(readFileSync(path, 'utf8'), '"one"\n');
  t.mock.restoreAll();
  syncBuiltinESMExports();
  file.append('"three"\n');
  assert.deepEqual([...new AppendFile(path).values()], ['one', 'three']);
});

test('removes a record that never reached the disk', (t) => {
  const path = join(folder, 'unsynced');
  const file = new AppendFile(path);
  let isFirst = true;
  const sync = fs.fsyncSync;
  t.mock.method(fs, 'fsyncSync', (given: number) => {
    if (!isFirst) return sync(given);
    isFirst = false;
    throw Object.assign(new Error('input/output error'), { code: 'EIO' });
  });
  syncBuiltinESMExports();
  assert.throws(() => file.append('"one"\n', { lasting: true }), { code: 'EIO' });
  assert.equal(readFileSync(path, 'utf8'), '');
  t.mock.restoreAll();
  syncBuiltinESMExports();
});

test('writes nothing after a part that can’t be removed', (t) => {
  const path = join(folder, 'stuck');
  const file = new AppendFile(path);
  small(t, { left: 4 });
  t.mock.method(fs, 'ftruncateSync', () => {
    throw Object.assign(new Error('read-only file system'), { code: 'EROFS' });
  });
  syncBuiltinESMExports();
  assert.throws(() => file.append('"one"\n'), { code: 'EROFS' });
  t.mock.restoreAll();
  syncBuiltinESMExports();
  assert.throws(() => file.append('"two"\n'), /ends with a part of a record/);
  assert.equal(readFileSync(path, 'utf8'), '"one');
  const again = new AppendFile(path);
  assert.deepEqual([...again.values()], []);
  again.append('"two"\n');
  assert.equal(readFileSync(path, 'utf8'), '"two"\n');
});

test('removes what a crash left, with a warning; reads lines of any length in pieces', () => {
  const path = join(folder, 'torn');
  const long = 'ж'.repeat(100_000);
  writeFileSync(path, `"one"\n${JSON.stringify(long)}\n"two"\n`);
  appendFileSync(path, Buffer.from('"тор').subarray(0, 4));
  const { size } = statSync(path);
  let logged = '';
  configureLog({ sink: (text) => void (logged += text) });
  assert.deepEqual([...new AppendFile(path).values()], ['one', long, 'two']);
  configureLog({ sink: (text) => void process.stdout.write(text) });
  assert.equal(statSync(path).size, size - 4);
  assert.match(logged, /"bytes":4.*is removed/);
});

test('names an unreadable line in the middle, and cuts nothing', () => {
  const path = join(folder, 'damaged');
  const text = '"one"\n"tw\n"three"\n"fo';
  writeFileSync(path, text);
  assert.throws(() => [...new AppendFile(path).values()], /damaged: line 2 can't be read/);
  assert.equal(readFileSync(path, 'utf8'), text);
});

test('replaces a file whole or not at all', (t) => {
  const path = join(folder, 'note');
  replaceFile(path, 'one');
  t.mock.method(fs, 'writeFileSync', () => {
    throw full();
  });
  syncBuiltinESMExports();
  assert.throws(() => replaceFile(path, 'two'), { code: 'ENOSPC' });
  t.mock.restoreAll();
  syncBuiltinESMExports();
  assert.equal(readFileSync(path, 'utf8'), 'one');
  replaceFile(path, 'three');
  assert.equal(readFileSync(path, 'utf8'), 'three');
  assert.deepEqual(
    fs.readdirSync(folder).filter((name) => name.endsWith('.new')),
    [],
  );
});
