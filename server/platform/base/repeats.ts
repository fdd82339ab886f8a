// Lines of a log that say the same again: each is said at once, and then once a minute with how often meanwhile.

import { isDeepStrictEqual } from 'node:util';

const SAID_EACH_MS = 60_000;
/** Different lines that are counted at a time; beyond that each is written. */
const MOST = 1_000;
/** Fields that tell how something went. Every other field names the subject of a line. */
const HOW: ReadonlySet<string> = new Set(['error', 'detail', 'errors', 'failures', 'tries', 'ms']);

type Fields = Readonly<Record<string, unknown>>;
type Write = (fields: Fields) => void;

interface Said {
  readonly about: Fields;
  /** Lines since the last one that was written, and the newest of them. */
  repeated: number;
  newest: Fields;
}

/** Counts lines that say the same of the same. */
export class Repeats {
  readonly #said = new Map<string, Said[]>();
  #count = 0;

  /**
   * Writes a line, unless the same words of the same subject were written within the last minute: those are counted, and the
   * newest is written at the end of that minute, with `repeated`. `about`: what the running work's lines are about.
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
    if (this.#count >= MOST) return;
    this.#count += 1;
    const one: Said = { about: subject, repeated: 0, newest: fields };
    this.#said.set(words, [...said, one]);
    this.#later(words, one, write);
  }

  /** Once a minute: writes what was counted; a line that did not come again is forgotten. */
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
