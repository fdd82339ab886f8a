import type { RailBalance, WalletState } from '../rail.ts';

/** What lies at the deposit addresses of a chain, not yet swept. It remembers what it read of each. */
export interface Deposits {
  /** The sum at the addresses that payments names, per token, and of the coin at those that some was sent to, or at all. */
  balances(state: WalletState): Promise<RailBalance[]>;
}

/** What lies at one address: of each token, and of the chain's coin. */
export interface Held {
  readonly index: number;
  readonly tokens: readonly bigint[];
  readonly coin: bigint;
}

/** How a chain's addresses are read. */
export interface Places {
  /** Codes of the tokens, in the order in which `Held` has them. */
  readonly tokens: readonly string[];
  readonly coin: string;
  /**
   * Whether all of the coin there is ours. Else it is no currency, and coin at an address that we sent none to is a
   * stranger's.
   */
  readonly isCoinOurs: boolean;
  /**
   * How many addresses one reading asks about again: of those that may hold money, and of those that only former fuel lies
   * at.
   */
  readonly again: { readonly open: number; readonly left: number };
  /** What lies at these addresses. One whose answer can't be is left out: what is known of it stays. */
  read(indexes: readonly number[]): Promise<readonly Held[]>;
}

interface Known extends Held {
  /** Whether it was among those that may hold money when it was read. */
  readonly isOpen: boolean;
}

/** Addresses that are read together, so that what was read is kept when a later answer doesn't come. */
const TOGETHER = 100;

/**
 * The deposits of a chain. New addresses are asked about at once, and so is one that was swept; known ones in turn, the one
 * asked longest ago first, so that a reading stays small.
 */
export function openDeposits({ tokens, coin, isCoinOurs, again, read }: Places): Deposits {
  /** By index, the one read longest ago first. */
  const known = new Map<number, Known>();
  const readInto = async (indexes: readonly number[], open: ReadonlySet<number>): Promise<void> => {
    for (let from = 0; from < indexes.length; from += TOGETHER)
      for (const held of await read(indexes.slice(from, from + TOGETHER))) {
        known.delete(held.index);
        known.set(held.index, { ...held, isOpen: open.has(held.index) });
      }
  };
  const turn = (isOpen: boolean, max: number, fresh: ReadonlySet<number>): number[] =>
    [...known.values()]
      .filter((one) => one.isOpen === isOpen)
      .slice(0, max)
      .map(({ index }) => index)
      .filter((index) => !fresh.has(index));
  return {
    balances: async ({ indexes, fuelled = [] }) => {
      const open = new Set(indexes);
      const named = new Set([...indexes, ...fuelled]);
      for (const index of known.keys()) if (!named.has(index)) known.delete(index);
      const fresh = new Set([...named].filter((index) => known.get(index)?.isOpen !== open.has(index)));
      const old = [...turn(true, again.open, fresh), ...turn(false, again.left, fresh)];
      await readInto([...fresh], open);
      await readInto(old, open);
      const sum = (of: Iterable<number>, partsOf: (one: Known) => bigint): bigint =>
        [...of].reduce((all, index) => all + (known.has(index) ? partsOf(known.get(index) as Known) : 0n), 0n);
      const deposit = (currency: string, parts: bigint): RailBalance => ({ currency, place: 'deposit', parts, payable: 0n });
      const each = tokens.map((code, at) =>
        deposit(
          code,
          sum(named, (one) => one.tokens[at] ?? 0n),
        ),
      );
      return [
        ...each,
        deposit(
          coin,
          sum(isCoinOurs ? named : new Set(fuelled), (one) => one.coin),
        ),
      ];
    },
  };
}
