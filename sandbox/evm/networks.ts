/**
 * The chains of this family that the sandbox keeps, each in a node of its own. What differs is what differs outside: the
 * chain's number, its coin, the token's decimals, and how soon a block is final.
 */
export interface EvmNetwork {
  /** The rail's name, and of its files in the sandbox's folder. */
  readonly rail: string;
  readonly chainId: number;
  /** The chain's own coin: a unit of 18 digits. */
  readonly native: string;
  readonly token: { readonly currency: string; readonly unit: string; readonly decimals: number };
  /** anvil calls a block final when twice as many lie above it. */
  readonly slots: number;
  /** Variables of the product's configuration: address of the node, number of the chain, contract of the token. */
  readonly variables: { readonly rpc: string; readonly chainId: string; readonly token: string };
}

/** Ethereum with USDT as it is there: 6 decimals, final after 64 blocks. */
export const ETHEREUM: EvmNetwork = {
  rail: 'evm',
  chainId: 31_337,
  native: 'ETH',
  token: { currency: 'USDT_ERC20', unit: 'USDT', decimals: 6 },
  slots: 32,
  variables: { rpc: 'KURS_EVM_RPC', chainId: 'KURS_EVM_CHAIN_ID', token: 'KURS_USDT_ERC20' },
};

/**
 * BNB Smart Chain with USDT as it is there: 18 decimals. It is final within seconds there; here after 16 blocks, so that
 * reorgs can still be tried.
 */
export const BSC: EvmNetwork = {
  rail: 'bsc',
  chainId: 31_356,
  native: 'BNB',
  token: { currency: 'USDT_BEP20', unit: 'USDT', decimals: 18 },
  slots: 8,
  variables: { rpc: 'KURS_BSC_RPC', chainId: 'KURS_BSC_CHAIN_ID', token: 'KURS_USDT_BEP20' },
};
