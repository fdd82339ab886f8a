// Our own addresses on chains: by the public half of the keys alone, without node, database or running system, and which of
// them a chain knows.

/** One of our own addresses, and where its key lies below the seed (BIP 32). */
export interface OwnAddress {
  readonly path: string;
  readonly address: string;
}

/** The addresses of one chain. */
export interface OwnAddresses {
  readonly rail: string;
  /** The network as people know it. */
  readonly network: string;
  /** Codes of the currencies that share these addresses. */
  readonly currencies: readonly string[];
  /** What kind of address it is, in the words of other wallets. */
  readonly type: string;
  /** The address that was handed out under this number; 0 is the desk's own and never handed out. */
  receiving(index: number): OwnAddress;
  /** Where the rest of what our own transactions spend comes back to; absent on chains that have accounts. */
  readonly change?: (index: number) => OwnAddress;
  /** The account that payouts leave from; absent where they leave from receiving and change addresses. */
  readonly hot?: OwnAddress;
}

/** One more than the highest index that a receiving address can have on every chain. */
export const INDEXES = 2 ** 30;

/**
 * Finds our own addresses that a chain knows, for a database that doesn't know them. Both calls name the addresses that were ever
 * used, with what lies there now. Both throw where any of the indexes can't be read: an address that is not named was never used.
 */
export interface Scan {
  receiving(indexes: readonly number[]): Promise<UsedAddress[]>;
  /** The same of change addresses; absent on chains that have none. */
  readonly change?: (indexes: readonly number[]) => Promise<UsedAddress[]>;
}

/** One of our own addresses that something was ever paid to. */
export interface UsedAddress {
  readonly index: number;
  readonly to: string;
  /** What lies there, in unit parts; empty where all of it has left. */
  readonly holds: readonly { readonly currency: string; readonly parts: bigint }[];
}
