import type { RailBalance, WalletState } from '../rail.ts';

/** Unswept balances at the deposit addresses of a chain. It remembers the last reading of each address. */
export interface Deposits {
  /**
   * Returns the sum of each token at the addresses in the state, and of the chain's coin there. Unless all coin is ours
   * (`isCoinOurs`), coin counts only at addresses that got fuel.
   */
  balances(state: WalletState): Promise<RailBalance[]>;
}

/** Balances at one address: of each token, and of the chain's coin. */
export interface Held {
  readonly index: number;
  readonly tokens: readonly bigint[];
  readonly coin: bigint;
}

/** A chain's tokens and coin, and the way to read its addresses. */
export interface Places {
  /** Codes of the tokens, in the order in which `Held` has them. */
  readonly tokens: readonly string[];
  readonly coin: string;
  /**
   * True if all coin at our addresses is ours. Otherwise the coin is no currency, and coin at an address that got no fuel from us
   * is a stranger's.
   */
  readonly isCoinOurs: boolean;
  /**
   * Numbers of known addresses that one reading queries again: `open` of those that may hold money, `left` of those with only
   * former fuel.
   */
  readonly again: { readonly open: number; readonly left: number };
  /** Reads the balances of these addresses. An impossible answer is left out: the last reading of that address stays. */
  read(indexes: readonly number[]): Promise<readonly Held[]>;
}

interface Known extends Held {
  /** True if the address was among those that may hold money when it was read. */
  readonly isOpen: boolean;
}

/** Number of addresses that are read together. A failure later in the list loses none of the balances read before. */
const TOGETHER = 100;

/**
 * Opens the deposits of a chain. New addresses and just swept ones are read at once. Known ones are read in turn, the oldest
 * reading first, so that the number of calls stays small.
 */
export function openDeposits({ tokens, coin, isCoinOurs, again, read }: Places): Deposits {
  /** Last readings by index, the oldest first. */
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
