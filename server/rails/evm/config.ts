import type { Address } from 'viem';
import type { OwnLinks } from '../pasted.ts';

/** Configuration of one chain with Ethereum's JSON-RPC. */
export interface EvmConfig {
  /** The rail's id: `evm` (Ethereum), `bsc`. */
  readonly id: string;
  /** The network's name for people: `Ethereum · ERC-20`. */
  readonly network: string;
  /** One JSON-RPC endpoint over HTTP. */
  readonly rpc: string;
  readonly chainId: number;
  /** Names of the chain in payment links. A test chain also has the number of the main chain that it stands for. */
  readonly links: OwnLinks & { readonly chains: readonly number[] };
  /** Code and unit of the chain's own coin (`ETH`), which pays network fees. It always has 18 decimals. */
  readonly native: string;
  /** The coin as a currency; absent: it only pays network fees. */
  readonly coin?: EvmCoin;
  readonly tokens: readonly EvmToken[];
  /**
   * Number of the xpub's child with the deposit index 0. All chains share the keys, and an address is the same text on each of them.
   * So each chain has its own range of children: a payment on the wrong chain reaches an address that no other customer has.
   */
  readonly firstChild: number;
  /** Maximum wei per unit of gas, tip included: above it a send waits. */
  readonly maxFeePerGas: bigint;
  /** Maximum cost of one transaction, in wei. */
  readonly maxFee: bigint;
  /** Maximum number of blocks in one `eth_getLogs` at this provider. */
  readonly logBlocks: number;
  /** Maximum number of addresses in one `eth_getLogs`. */
  readonly logAddresses: number;
  /** Maximum number of settled blocks that one poll reads for payments in the chain's own coin. The next poll continues. */
  readonly scanBlocks: number;
  /**
   * The node's method for traces of the calls within transactions: `debug` (`debug_traceBlockByNumber` with geth's callTracer),
   * `filter` (`trace_filter` of Erigon, Nethermind, Reth); empty: none.
   */
  readonly traces: '' | 'debug' | 'filter';
  /** Time in ms after which a poll leaves further reads to the next poll. */
  readonly pollMs: number;
  /** Timeout of a request, in ms. */
  readonly timeoutMs: number;
}

/** A token by its allow-listed contract. All other contracts are ignored, even if they call themselves USDT. */
export interface EvmToken {
  readonly code: string;
  readonly unit: string;
  readonly contract: Address;
  /** The contract's own decimals (USDT: 6 on Ethereum, 18 on BSC). Configured, never read from the contract. */
  readonly decimals: number;
  readonly payDigits: number;
  /** Smallest payment that counts, in minor units. An address that holds less is treated as empty. */
  readonly dust: bigint;
  /** Gas of a transfer to an account that holds none of the token, for estimates of a payout's cost. */
  readonly transferGas: bigint;
}

/** The chain's own coin as a currency. Its minor unit is the wei. */
export interface EvmCoin {
  readonly payDigits: number;
  /** Smallest payment that counts, and smallest balance that is swept, in wei. */
  readonly dust: bigint;
}

const GWEI = 10n ** 9n;

/** USDT on Ethereum mainnet. */
const ETHEREUM_USDT: Address = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
/** USDT on BNB Smart Chain mainnet ("Binance-Peg"), with 18 decimals. */
const BSC_USDT: Address = '0x55d398326f99059fF775485246999027B3197955';

/** Number of children for each chain: half of an xpub's 2³¹. */
const SHARE = 2 ** 30;

/** An installation's settings of a chain. `usdt` is required for any chain except mainnet. */
export interface EvmEndpoint {
  readonly rpc: string;
  readonly chainId: number;
  readonly usdt?: Address;
}

const USDT = { unit: 'USDT', payDigits: 2, dust: 10_000n } as const;

const LIMITS = { traces: '', logBlocks: 2000, logAddresses: 500, scanBlocks: 600, pollMs: 7000, timeoutMs: 5000 } as const;

/**
 * Returns the configuration of Ethereum (or a similar test chain) with ETH and USDT. Throws an Error if no USDT contract is known
 * for the chain.
 */
export function ethereum({ rpc, chainId, usdt }: EvmEndpoint): EvmConfig {
  const contract = contractAt(chainId, usdt, 1, ETHEREUM_USDT);
  return {
    ...LIMITS,
    id: 'evm',
    network: 'Ethereum · ERC-20',
    rpc,
    chainId,
    links: { schemes: ['ethereum', 'eth'], chains: [chainId, 1] },
    native: 'ETH',
    coin: { payDigits: 6, dust: 10n ** 14n },
    firstChild: 0,
    tokens: [{ ...USDT, code: 'USDT_ERC20', contract, decimals: 6, transferGas: 65_000n }],
    maxFeePerGas: 200n * GWEI,
    maxFee: 5n * 10n ** 16n,
  };
}

/**
 * Returns the configuration of BNB Smart Chain (or a similar test chain) with BNB and USDT. Throws an Error if no USDT contract is
 * known for the chain. Source: docs.bnbchain.org. Type 2 transactions exist since BEP-226 (the base fee is 0, so the tip is the
 * whole price), `finalized` since BEP-126.
 */
export function bsc({ rpc, chainId, usdt }: EvmEndpoint): EvmConfig {
  const contract = contractAt(chainId, usdt, 56, BSC_USDT);
  return {
    ...LIMITS,
    id: 'bsc',
    network: 'BNB Smart Chain · BEP-20',
    rpc,
    chainId,
    // EIP-681 has only the scheme `ethereum` for all these chains, and wallets write it with or without the chain's number.
    links: { schemes: ['ethereum', 'bnb', 'bsc', 'smartchain'], chains: [chainId, 56] },
    native: 'BNB',
    coin: { payDigits: 6, dust: 5n * 10n ** 14n },
    firstChild: SHARE,
    tokens: [{ ...USDT, code: 'USDT_BEP20', contract, decimals: 18, transferGas: 65_000n }],
    maxFeePerGas: 20n * GWEI,
    maxFee: 10n ** 16n,
  };
}

function contractAt(chainId: number, given: Address | undefined, mainnet: number, known: Address): Address {
  if (given) return given;
  if (chainId !== mainnet) throw new Error(`No USDT contract is configured for chain ${chainId}`);
  return known;
}
