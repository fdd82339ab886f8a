import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { after, test } from 'node:test';
import { FolderInUse, readRunNote, takeFolder, writeRunNote } from './data-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'kurs-folder-'));
const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
after(() => {
  other.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

test('a folder that a living process holds is refused with a sentence', () => {
  writeFileSync(join(folder, 'lock'), `${other.pid}\n`);
  assert.throws(
    () => takeFolder(folder),
    (error) => error instanceof FolderInUse && error.message.includes(`process ${other.pid}`),
  );
});

test('a lock left by a dead process, or by one that had our number, is taken over', () => {
  for (const pid of ['4194303', String(process.pid), '']) {
    writeFileSync(join(folder, 'lock'), pid);
    takeFolder(folder)();
  }
});

test('a run is noted until it ends', () => {
  const release = takeFolder(folder);
  const note = { pid: process.pid, address: 'http://x', mode: 'sandbox', ports: { postgres: 1 }, pids: {} };
  writeRunNote(folder, note);
  assert.deepEqual(readRunNote(folder), note);
  release();
  assert.equal(readRunNote(folder), undefined);
  writeRunNote(folder, { ...note, pid: 4194303 });
  assert.equal(readRunNote(folder), undefined, 'its supervisor is gone');
});
