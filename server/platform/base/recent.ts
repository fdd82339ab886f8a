import { monotonicMs } from './clock.ts';

/** Time for which an event is recent, in ms. */
const RECENT_MS = 3_600_000;
const MAX = 50;

/** Events of the last hour in this process. An event that happens repeatedly is listed once. */
export class Recent {
  readonly #last = new Map<string, { readonly said: string; readonly at: number }>();

  /**
   * Records an event by its name (`what`). `said`: sentence about the event for people; it replaces the sentence of an earlier
   * event with the same name.
   */
  note(what: string, said = what): void {
    this.#last.delete(what);
    if (this.#last.size >= MAX) this.#last.delete(this.#last.keys().next().value as string);
    this.#last.set(what, { said, at: monotonicMs() });
  }

  /** Returns a map from names of events to their sentences, the oldest event first. */
  all(): ReadonlyMap<string, string> {
    for (const [what, { at }] of this.#last) if (monotonicMs() - at >= RECENT_MS) this.#last.delete(what);
    return new Map([...this.#last].map(([what, { said }]) => [what, said]));
  }
}
