import type { Address, Hex } from 'viem';
import {
  encodeFunctionData,
  decodeFunctionData,
  getAddress,
  keccak256,
  parseTransaction,
  serializeTransaction,
} from 'viem/utils';
import { sameAddress } from '../address.ts';

/**
 * The only two kinds of transactions that we make: a token's `transfer`, or a plain transfer of the chain's own coin. Both are
 * EIP-1559 (type 2) without an access list.
 */
export interface Transfer {
  readonly chainId: number;
  readonly nonce: number;
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** The allow-listed contract, or undefined for the chain's own coin. */
  readonly contract?: Address;
  readonly to: Address;
  /** On-chain integer: the contract's own decimals, or wei. */
  readonly value: bigint;
}

/** The function `transfer` of USDT on mainnet: it returns nothing, so an ABI with `bool` fails. */
const TRANSFER_ABI = [
  {
    type: 'function',
    name: 'transfer',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
    ],
    outputs: [],
  },
] as const;

/** keccak-256 of `Transfer(address,address,uint256)`. */
export const TRANSFER_TOPIC: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Returns the call data of `transfer(to, value)`. */
export function transferData(to: Address, value: bigint): Hex {
  return encodeFunctionData({ abi: TRANSFER_ABI, functionName: 'transfer', args: [to, value] });
}

/** Returns the receiver and amount of a call of `transfer`; undefined for any other call. */
export function readTransfer(data: Hex): { readonly to: Address; readonly value: bigint } | undefined {
  try {
    const [to, value] = decodeFunctionData({ abi: TRANSFER_ABI, data }).args;
    return { to: getAddress(to), value };
  } catch {
    return undefined;
  }
}

/** Returns the bytes to sign. */
export function encodeTransfer(transfer: Transfer): Hex {
  const { contract, to, value, ...rest } = transfer;
  const call = contract ? { to: contract, data: transferData(to, value) } : { to, value };
  return serializeTransaction({ type: 'eip1559', ...rest, ...call });
}

/**
 * Reads an unsigned or signed transaction. `contracts`: the allow-listed ones. Throws an Error for any bytes that `encodeTransfer`
 * would not have written, so that nothing hides in unread bytes.
 */
export function decodeTransfer(bytes: string, contracts: readonly Address[]): Transfer {
  if (!/^0x02[0-9a-f]+$/.test(bytes)) throw new Error('not an EIP-1559 transaction');
  const parsed = parseTransaction(bytes as `0x02${string}`);
  const { to, nonce = 0, gas, maxFeePerGas, maxPriorityFeePerGas = 0n, chainId, data, value = 0n } = parsed;
  if (!to || !gas || !maxFeePerGas) throw new Error('no receiver, gas or fee');
  const common = { chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas };
  const contract = contracts.find((known) => sameAddress(known, to));
  let transfer: Transfer;
  if (data === undefined || data === '0x') {
    if (contract) throw new Error('plain coin sent to a contract');
    transfer = { ...common, to: getAddress(to), value };
  } else {
    if (!contract) throw new Error(`a call of ${to}, which is on no list`);
    const { args } = decodeFunctionData({ abi: TRANSFER_ABI, data });
    transfer = { ...common, contract, to: getAddress(args[0]), value: args[1] };
  }
  if (encodeTransfer(transfer) !== unsigned(parsed)) throw new Error('bytes that no transfer of ours has');
  return transfer;
}

function unsigned(parsed: ReturnType<typeof parseTransaction<`0x02${string}`>>): Hex {
  const { r: _r, s: _s, v: _v, yParity: _yParity, ...rest } = parsed;
  return serializeTransaction({ ...rest, type: 'eip1559' });
}

/** Returns a transaction's id: keccak-256 of its signed bytes. */
export function hashOf(raw: string): Hex {
  return keccak256(raw as Hex);
}

/** Returns the name of an account's nonce among the spends of an attempt. */
export function nonceSpend(chainId: number, from: Address, nonce: number): string {
  return `${chainId}:${from.toLowerCase()}:${nonce}`;
}

/** Returns the highest nonce of an account among spends, or undefined if it has none there. */
export function lastNonce(spends: readonly string[], chainId: number, from: Address): number | undefined {
  const prefix = nonceSpend(chainId, from, 0).slice(0, -1);
  const nonces = spends
    .filter((spend) => spend.startsWith(prefix))
    .map((spend) => Number.parseInt(spend.slice(prefix.length), 10));
  return nonces.length === 0 ? undefined : Math.max(...nonces);
}
