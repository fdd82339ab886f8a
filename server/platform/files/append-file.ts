// Files to which records are only appended. A record is written completely or not at all. After a crash the file may end with
// an incomplete record, which is cut off when the file is opened again.

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

/** Number of bytes in one read. */
const PIECE = 65_536;
const NEWLINE = 10;
/** Free space in bytes below which nothing is appended. */
const MIN_ROOM = 262_144;

const torn = (path: string): string => `${path} ends with a part of a record, which is cut off at the next start`;

/** A file of consecutive records, readable by its owner alone (mode 0600). */
export class AppendFile {
  readonly #path: string;
  readonly #file: number;
  #isTorn = false;

  /** Opens the file, or creates it. */
  constructor(path: string) {
    this.#path = path;
    const isNew = !existsSync(path);
    this.#file = openSync(path, 'a+', 0o600);
    if (isNew) syncFolder(dirname(path));
  }

  /**
   * Appends a whole record. With `lasting`, waits until the record is on the disk. If appending fails, removes the incomplete
   * record and throws. If even the removal fails, refuses all further records, since no record may follow an incomplete one.
   */
  append(record: string | Uint8Array, { lasting = false } = {}): void {
    if (this.#isTorn) throw new Error(torn(this.#path));
    const bytes = Buffer.from(record);
    const { size } = fstatSync(this.#file);
    try {
      // On a nearly full disk, `write` may write only a part and returns its length (write(2)).
      for (let written = 0; written < bytes.length;) {
        const taken = writeSync(this.#file, bytes, written);
        if (taken === 0) throw new Error(`nothing more can be written to ${this.#path}`);
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
   * Returns all complete lines, oldest first, reading the file in pieces. An incomplete last line was left by a crash before
   * `append` returned. The line is cut off, with a warning in the log.
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

  /**
   * Returns the values of a file with one JSON value a line. Throws an error with the line's number if a line can't be parsed.
   */
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

  /** Returns all bytes, for records that are not lines. */
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

  /** Cuts the file to `length` bytes, to remove an incomplete record. */
  cutBack(length: number): void {
    const { size } = fstatSync(this.#file);
    ftruncateSync(this.#file, length);
    fsyncSync(this.#file);
    log.warn('the incomplete record that a crash or a full disk left is removed', { file: this.#path, bytes: size - length });
  }

  /**
   * Reason why nothing can be appended: a nearly full disk, or an incomplete record that could not be removed. Undefined if
   * appending works.
   */
  get stopped(): string | undefined {
    if (this.#isTorn) return torn(this.#path);
    const { bavail, bsize } = statfsSync(this.#path);
    return bavail * bsize < MIN_ROOM ? `there is no room left for ${this.#path}` : undefined;
  }

  /** Writes everything to the disk before it returns. */
  sync(): void {
    fsyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/**
 * Replaces a file. By default only its owner can read it. After a crash or on a full disk, the file has the whole old or the
 * whole new content. The new content is on the disk when this returns.
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

/** Writes a folder to the disk. Until then, a crash may lose the name of a new file in it (fsync(2)). */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
