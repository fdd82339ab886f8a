// What pages show beside their own data, as how many orders were done: it is read behind them, and what was read last stands
// with its age until there is something newer. Who asks waits for it shortly at most, so what decorates a page takes none down.

import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from './clock.ts';
import { log } from './log.ts';

/** Something that was read, and how long ago in milliseconds. */
export interface Known<T> {
  readonly value: T;
  readonly ageMs: number;
}

/** A first reading, or one after a long pause, is waited for so long at most. */
const PATIENCE_MS = 700;
/** What is much older than this is waited for, too, so that who comes after a quiet night isn't shown the evening. */
const OLD = { times: 10, leastMs: 10_000 };

/** One value that is read behind those who ask for it, at most once at a time and not before it is `freshMs` old. */
export class LastGood<T> {
  readonly #name: string;
  readonly #freshMs: number;
  readonly #oldMs: number;
  #last: { readonly value: T; readonly readAt: number } | undefined;
  #reading: { readonly begunAt: number; readonly done: Promise<void> } | undefined;

  /** `name`: for the log. */
  constructor(name: string, freshMs: number) {
    this.#name = name;
    this.#freshMs = freshMs;
    this.#oldMs = Math.max(OLD.leastMs, OLD.times * freshMs);
  }

  /** What was read last; undefined before anything was. Never waits, and reads nothing. */
  get last(): Known<T> | undefined {
    return this.#last && { value: this.#last.value, ageMs: monotonicMs() - this.#last.readAt };
  }

  /** Reads anew where what is there is no longer fresh; a reading that fails is logged and leaves what there was. */
  renew(read: () => Promise<T>): void {
    if (this.#reading || (this.last?.ageMs ?? Infinity) < this.#freshMs) return;
    const begunAt = monotonicMs();
    const done = read().then(
      (value) => void (this.#last = { value, readAt: begunAt }),
      (error: unknown) => log.warn('what stands beside pages could not be read', { what: this.#name, error }),
    );
    this.#reading = { begunAt, done: done.then(() => void (this.#reading = undefined)) };
  }

  /**
   * What is known, read anew behind it where it isn't fresh. Waits only where nothing or but something old is known, and
   * shortly.
   */
  async ask(read: () => Promise<T>): Promise<Known<T> | undefined> {
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
