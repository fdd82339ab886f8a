// Limits repeated log lines: the first line is written at once, and then one line a minute with the number of repeats.

import { isDeepStrictEqual } from 'node:util';

const SAID_EACH_MS = 60_000;
/** Maximum number of different lines whose repeats are counted. If the maximum is reached, every further line is written. */
const MAX = 1_000;
/** Names of fields that may differ between repeats. All other fields of a line are its subject. */
const HOW: ReadonlySet<string> = new Set(['error', 'detail', 'errors', 'failures', 'tries', 'ms']);

type Fields = Readonly<Record<string, unknown>>;
type Write = (fields: Fields) => void;

interface Said {
  readonly about: Fields;
  /** Number of repeats since a line was last written. */
  repeated: number;
  newest: Fields;
}

/** Counts log lines with the same message and the same subject. */
export class Repeats {
  readonly #said = new Map<string, Said[]>();
  #count = 0;

  /**
   * Writes a new line at once. A repeat is only counted: within a minute the newest repeat is written, with the count as
   * `repeated`. `about`: the ids of the current `logAbout`, which are part of the subject.
   */
  say(words: string, fields: Fields, about: Fields, write: Write): void {
    const subject = { ...about, ...subjectOf(fields) };
    const said = this.#said.get(words) ?? [];
    const before = said.find((one) => isDeepStrictEqual(one.about, subject));
    if (before) {
      before.repeated += 1;
      before.newest = fields;
      return;
    }
    write(fields);
    if (this.#count >= MAX) return;
    this.#count += 1;
    const one: Said = { about: subject, repeated: 0, newest: fields };
    this.#said.set(words, [...said, one]);
    this.#later(words, one, write);
  }

  /** Writes the newest repeat once a minute. After a minute without repeats, stops counting repeats of this line. */
  #later(words: string, one: Said, write: Write): void {
    setTimeout(() => {
      if (one.repeated > 0) {
        write({ ...one.newest, repeated: one.repeated });
        one.repeated = 0;
        return this.#later(words, one, write);
      }
      const others = (this.#said.get(words) ?? []).filter((other) => other !== one);
      if (others.length > 0) this.#said.set(words, others);
      else this.#said.delete(words);
      this.#count -= 1;
    }, SAID_EACH_MS).unref();
  }
}

const subjectOf = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => !HOW.has(name) && !(value instanceof Date)));
