import { monotonicMs } from './clock.ts';

/** Time for which an event counts as recent. */
const RECENT_MS = 3_600_000;
const MAX = 50;

/** Events of the last hour in this process, each listed once. */
export class Recent {
  readonly #last = new Map<string, { readonly said: string; readonly at: number }>();

  /** Notes an event. `said`: the sentence for people; the newest one counts. */
  note(what: string, said = what): void {
    this.#last.delete(what);
    if (this.#last.size >= MAX) this.#last.delete(this.#last.keys().next().value as string);
    this.#last.set(what, { said, at: monotonicMs() });
  }

  /** Returns the sentences by subject, the oldest first. */
  all(): ReadonlyMap<string, string> {
    for (const [what, { at }] of this.#last) if (monotonicMs() - at >= RECENT_MS) this.#last.delete(what);
    return new Map([...this.#last].map(([what, { said }]) => [what, said]));
  }
}
