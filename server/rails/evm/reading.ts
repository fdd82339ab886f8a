import type { Arrival, Head } from './chain.ts';

/** An address, and the height from which it must be read. */
export interface Since {
  readonly to: string;
  readonly from: number;
}

/** Result of a poll for one address. `left`: the part that the next poll must read; absent if everything was read. */
export interface Read {
  readonly arrivals: readonly Arrival[];
  readonly left?: Left | undefined;
}

/** An unread part of the chain: its lowest height, and the reason, for people. */
export interface Left {
  readonly from: number;
  readonly why: string;
}

/** Reads payments to addresses up to a head, while `isTime()` is true. Throws `Moved` or `Unreachable`. */
export interface Reader {
  poll(addresses: readonly Since[], head: Head, isTime: () => boolean): Promise<ReadonlyMap<string, Read>>;
}

/** Payments to an address that this process remembers: all below a height, which can no longer change. */
export interface Past {
  readonly below: number;
  readonly arrivals: readonly Arrival[];
}

/** Maximum number of addresses whose past is remembered. The oldest are forgotten and read again. */
const REMEMBERED = 50_000;

/** Remembered pasts of addresses. If a poll begins above the remembered height, another process has read the blocks between. */
export class Pasts<P extends Past> {
  readonly #pasts = new Map<string, P>();

  /** Returns the past of an address. Reading continues at its `below`. */
  of({ to, from }: Since): (Past | P) & { readonly to: string } {
    const past = this.#pasts.get(to);
    return past && past.below >= from ? { to, ...past } : { to, below: from, arrivals: past?.arrivals ?? [] };
  }

  remember(to: string, past: P): void {
    this.#pasts.delete(to);
    this.#pasts.set(to, past);
    if (this.#pasts.size > REMEMBERED) this.#pasts.delete(this.#pasts.keys().next().value as string);
  }
}
