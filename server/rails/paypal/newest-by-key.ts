/** A cache of the newest values, by key. This process can read lost values again. */
export class Recent<V> {
  readonly #values = new Map<string, V>();
  readonly #max: number;

  /** `max`: highest number of values. */
  constructor(max: number) {
    this.#max = max;
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: V): void {
    this.#values.delete(key);
    if (this.#values.size >= this.#max) this.#values.delete(this.#values.keys().next().value as string);
    this.#values.set(key, value);
  }
}
