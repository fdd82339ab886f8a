/** The newest of many, by key: what this process has learnt and can learn again. */
export class Recent<V> {
  readonly #values = new Map<string, V>();
  readonly #max: number;

  /** Holds at most so many. */
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
