/** What a unit of gas may cost (EIP-1559), in wei. */
export interface GasPrice {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** Bounds of what we pay: wei per gas, and wei per transaction. */
export interface FeeCaps {
  readonly maxFeePerGas: bigint;
  readonly maxFee: bigint;
}

/** Gas of a plain transfer of the chain's own coin to an account without code: always just this. */
export const COIN_GAS = 21_000n;

/** A limit of gas with room above the node's estimate: state may change until the block (USDT to a new holder). */
export function gasLimit(estimated: bigint): bigint {
  return estimated === COIN_GAS ? COIN_GAS : (estimated * 12n) / 10n;
}

/**
 * The price for emptying an account: its transaction pays just this and not less (all of it is the tip), so that nothing
 * is left behind. Half above the base fee, which survives three full blocks, plus the tip; undefined as `gasPrice` says.
 */
export function emptyingPrice(baseFee: bigint, tip: bigint, caps: FeeCaps): GasPrice | undefined {
  const max = smaller(caps.maxFeePerGas, caps.maxFee / COIN_GAS);
  if (baseFee + tip > max) return undefined;
  const price = smaller((3n * baseFee) / 2n + tip, max);
  return { maxFeePerGas: price, maxPriorityFeePerGas: price };
}

/**
 * The price for a transaction with this limit of gas: twice the base fee (it can rise by 12.5 % a block, so that six
 * full blocks are survived) plus the tip, cut to the caps. Undefined when not even the next block's price is within them.
 */
export function gasPrice(baseFee: bigint, tip: bigint, gas: bigint, caps: FeeCaps): GasPrice | undefined {
  const max = smaller(caps.maxFeePerGas, caps.maxFee / gas);
  if (baseFee + tip > max) return undefined;
  return { maxFeePerGas: smaller(2n * baseFee + tip, max), maxPriorityFeePerGas: tip };
}

/**
 * The price of a replacement: the market's, and at least an eighth more than before in both figures (nodes ask for
 * 10 %). Undefined when that is above the caps.
 */
export function replacementPrice(
  before: GasPrice,
  baseFee: bigint,
  tip: bigint,
  gas: bigint,
  caps: FeeCaps,
): GasPrice | undefined {
  const max = smaller(caps.maxFeePerGas, caps.maxFee / gas);
  const more = (value: bigint): bigint => value + value / 8n + 1n;
  const maxPriorityFeePerGas = larger(more(before.maxPriorityFeePerGas), tip);
  const min = larger(more(before.maxFeePerGas), baseFee + maxPriorityFeePerGas);
  if (min > max) return undefined;
  return { maxFeePerGas: larger(min, smaller(2n * baseFee + maxPriorityFeePerGas, max)), maxPriorityFeePerGas };
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
