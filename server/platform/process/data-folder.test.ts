import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FolderInUse, keepRunNote, readRunNote, takeFolder, writeRunNote } from './data-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'kurs-folder-'));
const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
after(() => {
  other.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

test('refuses a folder that a living process holds, and says why', () => {
  writeFileSync(join(folder, 'lock'), `${other.pid}\n`);
  assert.throws(
    () => takeFolder(folder),
    (error) => error instanceof FolderInUse && error.message.includes(`process ${other.pid}`),
  );
});

test('takes over the lock of a dead process, or of one that had the id of this process', () => {
  for (const pid of ['4194303', String(process.pid), '']) {
    writeFileSync(join(folder, 'lock'), pid);
    takeFolder(folder)();
  }
});

test('writes what runs, until it ends', () => {
  const release = takeFolder(folder);
  const note = { pid: process.pid, address: 'http://x', mode: 'sandbox', ports: { postgres: 1 }, pids: {} };
  writeRunNote(folder, note);
  assert.deepEqual(readRunNote(folder), note);
  release();
  assert.equal(readRunNote(folder), undefined);
  writeRunNote(folder, { ...note, pid: 4194303 });
  assert.equal(readRunNote(folder), undefined, 'its supervisor is gone');
});

test('reports once that run.json can’t be written, as on a full disk, and retries', async () => {
  const place = mkdtempSync(join(tmpdir(), 'kurs-note-'));
  const said: string[] = [];
  const note = { pid: process.pid, address: 'http://127.0.0.1', mode: 'sandbox', ports: {}, pids: { api: 1 } };
  // A folder with this name that is not empty can't be replaced by a file.
  mkdirSync(join(place, 'run.json', 'full'), { recursive: true });
  const save = keepRunNote(place, note, (words) => said.push(words), 20);
  save();
  note.pids.api = 2;
  save();
  assert.equal(said.length, 1);
  assert.match(said[0] ?? '', /run\.json can’t be written: /);
  rmSync(join(place, 'run.json'), { recursive: true });
  for (let i = 0; i < 200 && readRunNote(place) === undefined; i++) await sleep(20);
  assert.equal(readRunNote(place)?.pids['api'], 2);
  rmSync(place, { recursive: true });
});
