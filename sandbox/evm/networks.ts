/**
 * EVM chain that the sandbox runs in its own node. As in reality, chains differ in their id, coin, the token's decimals, and the
 * depth at which a block is final.
 */
export interface EvmNetwork {
  /** Name of the rail, and of its files in the sandbox's folder. */
  readonly rail: string;
  readonly chainId: number;
  /** Native coin of the chain: a unit of 18 decimals. */
  readonly native: string;
  readonly token: { readonly currency: string; readonly unit: string; readonly decimals: number };
  /** anvil reports a block as final once twice this number of blocks follow it. */
  readonly slots: number;
  /** Variables of the product's configuration: address of the node, number of the chain, contract of the token. */
  readonly variables: { readonly rpc: string; readonly chainId: string; readonly token: string };
}

/** Ethereum with USDT as on mainnet: 6 decimals, final after 64 blocks. */
export const ETHEREUM: EvmNetwork = {
  rail: 'evm',
  chainId: 31_337,
  native: 'ETH',
  token: { currency: 'USDT_ERC20', unit: 'USDT', decimals: 6 },
  slots: 32,
  variables: { rpc: 'KURS_EVM_RPC', chainId: 'KURS_EVM_CHAIN_ID', token: 'KURS_USDT_ERC20' },
};

/**
 * BNB Smart Chain with USDT as on mainnet: 18 decimals. Mainnet blocks are final within seconds; here they are after 16 blocks,
 * so that reorgs can be tested.
 */
export const BSC: EvmNetwork = {
  rail: 'bsc',
  chainId: 31_356,
  native: 'BNB',
  token: { currency: 'USDT_BEP20', unit: 'USDT', decimals: 18 },
  slots: 8,
  variables: { rpc: 'KURS_BSC_RPC', chainId: 'KURS_BSC_CHAIN_ID', token: 'KURS_USDT_BEP20' },
};
