import type { Arrival, Head } from './chain.ts';

/** An address, and the height from which on it is to be read. */
export interface Since {
  readonly to: string;
  readonly from: number;
}

/** What a look has read of an address. `left`: it didn't come to the end, and from which height on the next one has to read. */
export interface Read {
  readonly arrivals: readonly Arrival[];
  readonly left?: Left | undefined;
}

export interface Left {
  readonly from: number;
  readonly why: string;
}

/** Reads what came to addresses, up to a head; `isTime` says whether there is time to read on. Throws Moved, Unreachable. */
export interface Reader {
  poll(addresses: readonly Since[], head: Head, isTime: () => boolean): Promise<ReadonlyMap<string, Read>>;
}

/** What this process remembers of an address: everything below a height, which nothing changes any more. */
export interface Past {
  readonly below: number;
  readonly arrivals: readonly Arrival[];
}

/** Addresses whose past is remembered; the oldest are forgotten and read again. */
const REMEMBERED = 50_000;

/** The pasts of addresses. Anyone who reads from a height on that lies above what is remembered has read the rest elsewhere. */
export class Pasts<P extends Past> {
  readonly #pasts = new Map<string, P>();

  /** What is remembered of an address, to be read on at `below`. */
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
