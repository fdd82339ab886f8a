// Cached values that pages show in addition to their own data, such as the number of completed orders. A value is read in the
// background. Until the new value arrives, callers get the last value with its age. A caller waits only briefly, so a slow
// query never delays a page.

import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from './clock.ts';
import { log } from './log.ts';

/** A value that was read, and its age in milliseconds. */
export interface LastValue<T> {
  readonly value: T;
  readonly ageMs: number;
}

/** Maximum time that a caller waits for a new value, in ms, if there is no value or only an old one. */
const PATIENCE_MS = 700;
/**
 * Age from which a value is old: the larger of `times` × `freshMs` and `minMs`. Then callers wait for a newer value. Otherwise
 * the first visitor in the morning would see last evening's value.
 */
const OLD = { times: 10, minMs: 10_000 };

/** A cached value that is read in the background: one reading at a time, and only once the value is `freshMs` old. */
export class LastGood<T> {
  readonly #name: string;
  readonly #freshMs: number;
  readonly #oldMs: number;
  #last: { readonly value: T; readonly readAt: number } | undefined;
  #reading: { readonly begunAt: number; readonly done: Promise<void> } | undefined;

  /** `name`: the value's name in the log. `freshMs`: age in ms below which the value is fresh. */
  constructor(name: string, freshMs: number) {
    this.#name = name;
    this.#freshMs = freshMs;
    this.#oldMs = Math.max(OLD.minMs, OLD.times * freshMs);
  }

  /** The last value; undefined before the first one was read. Doesn't start reading. */
  get last(): LastValue<T> | undefined {
    return this.#last && { value: this.#last.value, ageMs: monotonicMs() - this.#last.readAt };
  }

  /** Reads the value in the background, unless it is fresh or being read. A failure is logged, and the last value remains. */
  renew(read: () => Promise<T>): void {
    if (this.#reading || (this.last?.ageMs ?? Infinity) < this.#freshMs) return;
    const begunAt = monotonicMs();
    const done = read().then(
      (value) => void (this.#last = { value, readAt: begunAt }),
      (error: unknown) => log.warn('a figure beside pages could not be read', { what: this.#name, error }),
    );
    this.#reading = { begunAt, done: done.then(() => void (this.#reading = undefined)) };
  }

  /**
   * Returns the last value. If the value is not fresh (`freshMs`), starts to read a new one in the background. If there is no
   * value, or the last value is old (`OLD`), first waits briefly for the new value.
   */
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
