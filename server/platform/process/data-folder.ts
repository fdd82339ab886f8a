// The data folder: a lock for one supervisor at a time, and `run.json`, which says what runs on it.

import { mkdirSync, openSync, closeSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../files/append-file.ts';
import { isAlive } from './cluster.ts';

/** Content of `KURS_DATA/run.json`: what runs, for people and tools. It holds no secrets. */
export type RunNote = {
  pid: number;
  address: string;
  mode: string;
  /** Directory of the embedded PostgreSQL; absent if the operator's own is used. */
  cluster?: string | undefined;
  ports: Record<string, number>;
  /** Process ids by name; `postgres` is the server itself, `keeper` its parent. */
  pids: Record<string, number>;
  /** Times at which processes ended unexpectedly and were started again, by name: the last few. */
  ended?: Record<string, string[]>;
};

/** Thrown if another supervisor uses the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

/**
 * Locks the folder for this process, creating it if it is missing, and returns a function that unlocks it. Throws `FolderInUse`
 * while the process that holds the lock lives; the lock of a killed process is taken over.
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

/** Returns true if the process may be a supervisor: the id of a dead one may belong to any other process. */
function isSupervisor(pid: number): boolean {
  if (!isAlive(pid)) return false;
  try {
    return /\bnode\b|\.ts\b/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return true;
  }
}

/** Writes `run.json`, whole or not at all. */
export function writeRunNote(folder: string, note: RunNote): void {
  replaceFile(join(folder, 'run.json'), `${JSON.stringify(note, null, 2)}\n`, 0o644);
}

const NOTE_AGAIN_MS = 5_000;

/**
 * Returns a function that writes `run.json`; call it after each change of the note. If it can't be written, as on a full disk,
 * that is reported once and writing is retried. No process is stopped for it.
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

/** Returns what runs on the folder now; undefined if its supervisor has ended. */
export function readRunNote(folder: string): RunNote | undefined {
  try {
    const note = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunNote;
    return isSupervisor(note.pid) ? note : undefined;
  } catch {
    return undefined;
  }
}
