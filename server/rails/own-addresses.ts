// Our own addresses on chains, derived from the public keys alone, without node, database or running system. And the scan for
// those that a chain knows.

/** One of our own addresses, and the path of its key below the seed (BIP 32). */
export interface OwnAddress {
  readonly path: string;
  readonly address: string;
}

/** The addresses of one chain. */
export interface OwnAddresses {
  readonly rail: string;
  /** The network's name for people. */
  readonly network: string;
  /** Codes of the currencies that share these addresses. */
  readonly currencies: readonly string[];
  /** Type of the address, in the words of other wallets. */
  readonly type: string;
  /** Returns the receiving address of an index. Index 0 is the desk's own and never given out. */
  receiving(index: number): OwnAddress;
  /** Returns the change address of our own transactions; absent on account chains. */
  readonly change?: (index: number) => OwnAddress;
  /** The account that payouts leave from; absent if they leave from receiving and change addresses. */
  readonly hot?: OwnAddress;
}

/** Number of indexes that receiving addresses can have on every chain. */
export const INDEXES = 2 ** 30;

/**
 * Finds our used addresses by the chain, for a database that doesn't have them. Both calls return every address that was ever
 * used, with its current balances. Both throw if any index can't be read, so an address that is not returned was never used.
 */
export interface Scan {
  receiving(indexes: readonly number[]): Promise<UsedAddress[]>;
  /** Finds used change addresses; absent on chains without them. */
  readonly change?: (indexes: readonly number[]) => Promise<UsedAddress[]>;
}

/** One of our own addresses that was ever used. */
export interface UsedAddress {
  readonly index: number;
  readonly to: string;
  /** Balances in minor units; empty if all of it has left. */
  readonly holds: readonly { readonly currency: string; readonly parts: bigint }[];
}
