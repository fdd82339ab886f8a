// Repeated log lines: the first is written at once, then one a minute with the number of repeats.

import { isDeepStrictEqual } from 'node:util';

const SAID_EACH_MS = 60_000;
/** Most different lines that are counted at a time; further ones are all written. */
const MAX = 1_000;
/** Fields that say how something went. All other fields name the subject of a line. */
const HOW: ReadonlySet<string> = new Set(['error', 'detail', 'errors', 'failures', 'tries', 'ms']);

type Fields = Readonly<Record<string, unknown>>;
type Write = (fields: Fields) => void;

interface Said {
  readonly about: Fields;
  /** Number of lines since the last one that was written. */
  repeated: number;
  newest: Fields;
}

/** Counts lines with the same words and the same subject. */
export class Repeats {
  readonly #said = new Map<string, Said[]>();
  #count = 0;

  /**
   * Writes a line, unless one with the same words and subject was written within the last minute. Such lines are counted, and the
   * newest is written at the end of that minute, with `repeated`. `about`: the ids of the current work.
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

  /** Writes the newest repeated line once a minute, and forgets a line that did not repeat. */
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
