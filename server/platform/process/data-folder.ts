// The data folder: a lock that only one supervisor holds at a time, and `run.json` with the running processes.

import { mkdirSync, openSync, closeSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../files/append-file.ts';
import { isAlive } from './cluster.ts';

/** Content of `KURS_DATA/run.json`: the running installation, for people and tools. The file contains no secrets. */
export type RunNote = {
  pid: number;
  address: string;
  mode: string;
  /** Directory of the embedded PostgreSQL; absent if the operator's own PostgreSQL is used. */
  cluster?: string | undefined;
  ports: Record<string, number>;
  /** Process ids by name; `postgres` is the server itself, `keeper` its parent. */
  pids: Record<string, number>;
  /** Most recent times at which a process ended unexpectedly and was started again, by the process's name. */
  ended?: Record<string, string[]>;
};

/** Thrown if another supervisor uses the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

/**
 * Locks the folder for this process, and creates the folder if it is missing. Returns a function that unlocks the folder.
 * Throws `FolderInUse` if the process that holds the lock is running. The lock of a dead process is taken over.
 */
export function takeFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const path = join(folder, 'lock');
  for (let attempt = 0; ; attempt++) {
    try {
      const file = openSync(path, 'wx', 0o600);
      writeFileSync(file, `${process.pid}\n`);
      closeSync(file);
      return () => {
        rmSync(join(folder, 'run.json'), { force: true });
        rmSync(path, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 0) throw error;
    }
    const holder = Number.parseInt(readFileSync(path, 'utf8'), 10);
    if (holder > 0 && holder !== process.pid && isSupervisor(holder)) {
      throw new FolderInUse(
        `Kurs already runs on ${folder} (process ${holder}). Stop it, or give this one its own KURS_DATA and PORT.`,
      );
    }
    rmSync(path, { force: true });
  }
}

/** Returns true if the process may be a supervisor. After a supervisor's death another process may have the same id. */
function isSupervisor(pid: number): boolean {
  if (!isAlive(pid)) return false;
  try {
    return /\bnode\b|\.ts\b/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return true;
  }
}

/** Writes `run.json`. The file is replaced as a whole. */
export function writeRunNote(folder: string, note: RunNote): void {
  replaceFile(join(folder, 'run.json'), `${JSON.stringify(note, null, 2)}\n`, 0o644);
}

const NOTE_AGAIN_MS = 5_000;

/**
 * Returns a function that writes `run.json`; call it after each change of `note`. If the file can't be written, as on a full
 * disk, reports the failure once and retries. No process is stopped because of the failure.
 */
export function keepRunNote(folder: string, note: RunNote, say: (words: string) => void, againMs = NOTE_AGAIN_MS): () => void {
  let again: NodeJS.Timeout | undefined;
  const write = (): void => {
    try {
      writeRunNote(folder, note);
      clearInterval(again);
      again = undefined;
    } catch (error) {
      if (again) return;
      say(`${join(folder, 'run.json')} can’t be written: ${(error as Error).message}`);
      again = setInterval(write, againMs).unref();
    }
  };
  return write;
}

/** Returns the content of the folder's `run.json`; undefined if the folder's supervisor isn't running. */
export function readRunNote(folder: string): RunNote | undefined {
  try {
    const note = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunNote;
    return isSupervisor(note.pid) ? note : undefined;
  } catch {
    return undefined;
  }
}
