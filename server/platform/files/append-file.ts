// Files that are only ever appended to: a record is written whole or not at all, and what a crash cut off at the end is
// cut back when the file is opened again.

import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { log } from '../base/log.ts';

/** Bytes that are read at a time. */
const PIECE = 65_536;
const NEWLINE = 10;
/** Bytes of a disk below which it counts as full. */
const LEAST_ROOM = 262_144;

const torn = (path: string): string => `${path} ends with a part of a record: it is cut back at the next start`;

/** A file of records, one after the other, for its owner alone (mode 0600). */
export class AppendFile {
  readonly #path: string;
  readonly #file: number;
  #isTorn = false;

  /** Opens the file, or makes it. */
  constructor(path: string) {
    this.#path = path;
    const isNew = !existsSync(path);
    this.#file = openSync(path, 'a+', 0o600);
    if (isNew) syncFolder(dirname(path));
  }

  /**
   * Appends a record whole, `lasting`: it is on the disk when this returns. Throws where that can't be done, and the file
   * is as it was then. Where even that fails, everything more is refused: nothing may stand behind a part of a record.
   */
  append(record: string | Uint8Array, { lasting = false } = {}): void {
    if (this.#isTorn) throw new Error(torn(this.#path));
    const bytes = Buffer.from(record);
    const { size } = fstatSync(this.#file);
    try {
      // A disk that is nearly full takes a part, and says how much (write(2)).
      for (let written = 0; written < bytes.length;) {
        const taken = writeSync(this.#file, bytes, written);
        if (taken === 0) throw new Error(`${this.#path} takes nothing more`);
        written += taken;
      }
      if (lasting) fsyncSync(this.#file);
    } catch (error) {
      this.#takeBack(size);
      throw error;
    }
  }

  #takeBack(size: number): void {
    this.#isTorn = true;
    ftruncateSync(this.#file, size);
    fsyncSync(this.#file);
    this.#isTorn = false;
  }

  /**
   * Every whole line, oldest first, read piece by piece. What stands behind the last one is a part that a crash left, of
   * which nobody was told: it is cut off, with a word in the log.
   */
  *lines(): Generator<string> {
    const piece = Buffer.alloc(PIECE);
    let rest = Buffer.alloc(0);
    let position = 0;
    for (;;) {
      const count = readSync(this.#file, piece, 0, PIECE, position);
      if (count === 0) break;
      position += count;
      const bytes = Buffer.concat([rest, piece.subarray(0, count)]);
      let from = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
        yield bytes.toString('utf8', from, end);
        from = end + 1;
      }
      rest = bytes.subarray(from);
    }
    if (rest.length > 0) this.cutBack(position - rest.length);
  }

  /** The values of a file that holds one in JSON a line. Throws, naming the line, where one in the middle can't be read. */
  *values<T>(): Generator<T> {
    let number = 0;
    for (const line of this.lines()) {
      number += 1;
      try {
        yield JSON.parse(line) as T;
      } catch (error) {
        throw error instanceof SyntaxError ? new Error(`${this.#path}: line ${number} can't be read: it was changed`) : error;
      }
    }
  }

  /** All bytes, for records that are no lines. */
  bytes(): Buffer {
    const { size } = fstatSync(this.#file);
    const bytes = Buffer.alloc(size);
    let read = 0;
    while (read < size) {
      const count = readSync(this.#file, bytes, read, size - read, read);
      if (count === 0) break;
      read += count;
    }
    return bytes.subarray(0, read);
  }

  /** Cuts off what stands behind so many bytes: a part of a record. */
  cutBack(length: number): void {
    const { size } = fstatSync(this.#file);
    ftruncateSync(this.#file, length);
    fsyncSync(this.#file);
    log.warn('a record that was cut off by a crash or a full disk is taken back', { file: this.#path, bytes: size - length });
  }

  /** Why nothing can be appended: no room, or a part of a record that could not be taken back; undefined where it can be. */
  get stopped(): string | undefined {
    if (this.#isTorn) return torn(this.#path);
    const { bavail, bsize } = statfsSync(this.#path);
    return bavail * bsize < LEAST_ROOM ? `there is no room left for ${this.#path}` : undefined;
  }

  /** Everything so far is on the disk when this returns. */
  sync(): void {
    fsyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/**
 * Writes a file in place of what is there, for its owner alone unless a mode is given: after a crash or on a full disk it
 * holds the one or the other, whole. It is on the disk when this returns.
 */
export function replaceFile(path: string, content: string | Uint8Array, mode = 0o600): void {
  const draft = `${path}.new`;
  try {
    writeFileSync(draft, content, { mode, flush: true });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/** A file's name lasts only once its folder is on the disk (fsync(2)). */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
