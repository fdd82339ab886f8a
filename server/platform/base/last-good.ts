// Figures that pages show beside their own data, such as the number of completed orders. They are read in the background, and the
// last value stays, with its age, until a newer one arrives. A caller waits only briefly, so a slow figure never holds up a page.

import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from './clock.ts';
import { log } from './log.ts';

/** A value that was read, and its age in milliseconds. */
export interface LastValue<T> {
  readonly value: T;
  readonly ageMs: number;
}

/** Longest wait for a first reading, or for one after a long pause. */
const PATIENCE_MS = 700;
/**
 * Age from which a value counts as old: a multiple of `freshMs`, and a minimum in ms. Callers wait for a newer value, so that the
 * first visitor of a morning doesn't see the figures of the evening.
 */
const OLD = { times: 10, minMs: 10_000 };

/** A value that is read in the background: one reading at a time, and only once the value is `freshMs` old. */
export class LastGood<T> {
  readonly #name: string;
  readonly #freshMs: number;
  readonly #oldMs: number;
  #last: { readonly value: T; readonly readAt: number } | undefined;
  #reading: { readonly begunAt: number; readonly done: Promise<void> } | undefined;

  /** `name`: name of the value in the log. */
  constructor(name: string, freshMs: number) {
    this.#name = name;
    this.#freshMs = freshMs;
    this.#oldMs = Math.max(OLD.minMs, OLD.times * freshMs);
  }

  /** The last value; undefined before the first reading. Never waits, and starts no reading. */
  get last(): LastValue<T> | undefined {
    return this.#last && { value: this.#last.value, ageMs: monotonicMs() - this.#last.readAt };
  }

  /** Starts a reading unless the value is fresh. A failed reading is logged and leaves the last value. */
  renew(read: () => Promise<T>): void {
    if (this.#reading || (this.last?.ageMs ?? Infinity) < this.#freshMs) return;
    const begunAt = monotonicMs();
    const done = read().then(
      (value) => void (this.#last = { value, readAt: begunAt }),
      (error: unknown) => log.warn('a figure beside pages could not be read', { what: this.#name, error }),
    );
    this.#reading = { begunAt, done: done.then(() => void (this.#reading = undefined)) };
  }

  /** Returns the last value, and starts a reading unless it is fresh. Waits, briefly, only if there is no value or an old one. */
  async ask(read: () => Promise<T>): Promise<LastValue<T> | undefined> {
    this.renew(read);
    const reading = this.#reading;
    const left = reading ? PATIENCE_MS - (monotonicMs() - reading.begunAt) : 0;
    if (reading && left > 0 && (this.last?.ageMs ?? Infinity) > this.#oldMs) {
      const stop = new AbortController();
      await Promise.race([reading.done, sleep(left, undefined, { signal: stop.signal }).catch(() => undefined)]);
      stop.abort();
    }
    return this.last;
  }
}
