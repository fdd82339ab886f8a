import type { Address } from 'viem';

/** One chain that speaks Ethereum's JSON-RPC, and what of it we use. */
export interface EvmConfig {
  /** The rail's id: `ethereum`, `bsc`. */
  readonly id: string;
  /** As people know the network: `Ethereum · ERC-20`. */
  readonly network: string;
  /** One JSON-RPC endpoint over HTTP. */
  readonly rpc: string;
  readonly chainId: number;
  /** The chain's own coin, which pays the network: code and unit (`ETH`); it always has 18 decimals. */
  readonly native: string;
  readonly tokens: readonly EvmToken[];
  /** Most wei per unit of gas, tip included: above it a send waits. */
  readonly maxFeePerGas: bigint;
  /** Most wei that one transaction may cost. */
  readonly maxFee: bigint;
  /** Most blocks that one eth_getLogs may span at this provider. */
  readonly logBlocks: number;
  /** Most addresses in one eth_getLogs. */
  readonly logAddresses: number;
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
  /** The smallest payment that counts, in unit parts. */
  readonly dust: bigint;
  /** Gas of a transfer to somebody who held none, for what a payout is said to cost. */
  readonly transferGas: bigint;
  /** The smallest deposit that is worth its gas to sweep, in unit parts. */
  readonly sweepFrom: bigint;
}

const GWEI = 10n ** 9n;

/** USDT on Ethereum mainnet. */
const MAINNET_USDT: Address = '0xdAC17F958D2ee523a2206206994597C13D831ec7';

/**
 * Ethereum (or a test chain that behaves like it) with USDT. Takes the endpoint, the chain id and the contract; the
 * contract must be given for any chain but mainnet.
 */
export function ethereum(at: { rpc: string; chainId: number; usdt?: Address }): EvmConfig {
  if (!at.usdt && at.chainId !== 1) throw new Error(`No USDT contract is configured for chain ${at.chainId}`);
  return {
    id: 'evm',
    network: 'Ethereum · ERC-20',
    rpc: at.rpc,
    chainId: at.chainId,
    native: 'ETH',
    tokens: [
      {
        code: 'USDT_ERC20',
        unit: 'USDT',
        contract: at.usdt ?? MAINNET_USDT,
        decimals: 6,
        payDigits: 2,
        dust: 10_000n,
        transferGas: 65_000n,
        sweepFrom: 1_000_000n,
      },
    ],
    maxFeePerGas: 200n * GWEI,
    maxFee: 5n * 10n ** 16n,
    logBlocks: 2000,
    logAddresses: 500,
    timeoutMs: 5000,
  };
}
