// What each of some tests costs: what all of them have a core for is shared out evenly among those that run at the time.

/** Tells the cost of tests that may run beside each other. `read` gives what they and all that they started have used so far. */
export class Meter {
  readonly #read: () => number;
  readonly #running = new Map<string, number>();
  #before = 0;

  constructor(read: () => number) {
    this.#read = read;
  }

  begins(test: string): void {
    this.#shareOut();
    this.#running.set(test, 0);
  }

  /** What a test has cost since it began; 0 of one that never did. */
  ends(test: string): number {
    this.#shareOut();
    const cost = this.#running.get(test) ?? 0;
    this.#running.delete(test);
    return cost;
  }

  #shareOut(): void {
    const now = this.#read();
    const share = (now - this.#before) / this.#running.size;
    this.#before = now;
    for (const [test, cost] of this.#running) this.#running.set(test, cost + share);
  }
}
