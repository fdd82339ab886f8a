import { monotonicMs } from './clock.ts';

/** How long something that happens at a moment counts as there. */
const RECENT_MS = 3_600_000;
const MOST = 50;

/** What happened within the last hour in this process, each once, however often. */
export class Recent {
  readonly #last = new Map<string, { readonly said: string; readonly at: number }>();

  /** `said`: the sentence for people, of which the newest counts. */
  note(what: string, said = what): void {
    this.#last.delete(what);
    if (this.#last.size >= MOST) this.#last.delete(this.#last.keys().next().value as string);
    this.#last.set(what, { said, at: monotonicMs() });
  }

  /** Sentences by what they are about, the oldest first. */
  all(): ReadonlyMap<string, string> {
    for (const [what, { at }] of this.#last) if (monotonicMs() - at >= RECENT_MS) this.#last.delete(what);
    return new Map([...this.#last].map(([what, { said }]) => [what, said]));
  }
}
