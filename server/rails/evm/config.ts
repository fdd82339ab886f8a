import type { Address } from 'viem';
import type { OwnLinks } from '../pasted.ts';

/** One chain that speaks Ethereum's JSON-RPC, and what of it we use. */
export interface EvmConfig {
  /** The rail's id: `evm` (Ethereum), `bsc`. */
  readonly id: string;
  /** The network's name for people: `Ethereum · ERC-20`. */
  readonly network: string;
  /** One JSON-RPC endpoint over HTTP. */
  readonly rpc: string;
  readonly chainId: number;
  /** How payment links name the chain; a test chain goes by the number of the one that it stands for, too. */
  readonly links: OwnLinks & { readonly chains: readonly number[] };
  /** The chain's own coin, which pays the network: code and unit (`ETH`); it always has 18 decimals. */
  readonly native: string;
  /** How it is dealt in as a currency; absent: it only pays the network. */
  readonly coin?: EvmCoin;
  readonly tokens: readonly EvmToken[];
  /**
   * The child of the xpub that is the address 0. Chains share the keys and an address is the same text on each of them, so
   * their children lie apart: what is paid on the wrong chain comes to an address of ours that is nobody else's address.
   */
  readonly firstChild: number;
  /** Most wei per unit of gas, tip included: above it a send waits. */
  readonly maxFeePerGas: bigint;
  /** Most wei that one transaction may cost. */
  readonly maxFee: bigint;
  /** Most blocks that one eth_getLogs may span at this provider. */
  readonly logBlocks: number;
  /** Most addresses in one eth_getLogs. */
  readonly logAddresses: number;
  /** Most settled blocks that one look for payments in the chain's own coin reads; the next look reads on. */
  readonly scanBlocks: number;
  /**
   * How the node tells what was carried out within transactions: `debug` (`debug_traceBlockByNumber` with geth's callTracer),
   * `filter` (`trace_filter` of Erigon, Nethermind, Reth); empty: not at all.
   */
  readonly traces: '' | 'debug' | 'filter';
  /** Milliseconds after which a look begins to read nothing more that can be left to the next. */
  readonly pollMs: number;
  /** Milliseconds after which a call that has no reply is given up. */
  readonly timeoutMs: number;
}

/** An allow-listed contract. Whatever calls itself USDT elsewhere doesn't exist for us. */
export interface EvmToken {
  readonly code: string;
  readonly unit: string;
  readonly contract: Address;
  /** The contract's own decimals (USDT: 6 on Ethereum, 18 on BSC). Configured, never asked of the contract. */
  readonly decimals: number;
  readonly payDigits: number;
  /** The smallest payment that counts, in unit parts; an address that holds less is taken for empty. */
  readonly dust: bigint;
  /** Gas of a transfer to somebody who held none, for what a payout is said to cost. */
  readonly transferGas: bigint;
}

/** The chain's own coin as a currency. Sums are wei: parts of its unit. */
export interface EvmCoin {
  readonly payDigits: number;
  /** The smallest payment that counts; what lies at an address is worth sweeping from here on, too. */
  readonly dust: bigint;
}

const GWEI = 10n ** 9n;

/** USDT on Ethereum mainnet. */
const ETHEREUM_USDT: Address = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
/** USDT on BNB Smart Chain mainnet ("Binance-Peg"), which counts 18 decimals. */
const BSC_USDT: Address = '0x55d398326f99059fF775485246999027B3197955';

/** The share of the keys' children that each chain has: half of those that an xpub has. */
const SHARE = 2 ** 30;

/** What an installation says of a chain. `usdt` must be given for any chain but mainnet. */
export interface EvmEndpoint {
  readonly rpc: string;
  readonly chainId: number;
  readonly usdt?: Address;
}

const USDT = { unit: 'USDT', payDigits: 2, dust: 10_000n } as const;

const LIMITS = { traces: '', logBlocks: 2000, logAddresses: 500, scanBlocks: 600, pollMs: 7000, timeoutMs: 5000 } as const;

/** Ethereum (or a test chain that behaves like it) with ETH and USDT. Throws where no contract is known for the chain. */
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
 * BNB Smart Chain (or a test chain that behaves like it) with BNB and USDT. Throws where no contract is known for the chain.
 * docs.bnbchain.org: type 2 transactions since BEP-226 (the base fee is 0, the tip is all), `finalized` since BEP-126.
 */
export function bsc({ rpc, chainId, usdt }: EvmEndpoint): EvmConfig {
  const contract = contractAt(chainId, usdt, 56, BSC_USDT);
  return {
    ...LIMITS,
    id: 'bsc',
    network: 'BNB Smart Chain · BEP-20',
    rpc,
    chainId,
    // EIP-681 has but one scheme for all chains of this kind, and wallets write it with or without the chain's number.
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
