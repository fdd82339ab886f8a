/** Maximum price of a unit of gas, and the tip in it (EIP-1559), in wei. */
export interface GasPrice {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** Maximum fees that we pay: wei per unit of gas, and wei per transaction. */
export interface FeeCaps {
  readonly maxFeePerGas: bigint;
  readonly maxFee: bigint;
}

/** Gas of a plain transfer of the chain's own coin to an account without code: always exactly this. */
export const COIN_GAS = 21_000n;

/** Returns a gas limit above the node's estimate: the state may change before the block (USDT to a new holder costs more). */
export function gasLimit(estimated: bigint): bigint {
  return estimated === COIN_GAS ? COIN_GAS : (estimated * 12n) / 10n;
}

/**
 * Returns the price for emptying an account. The whole price is offered as the tip, so the transaction costs exactly this and leaves
 * nothing behind. It is 1.5 times the base fee, enough after three full blocks, plus the tip, cut to the caps. Returns undefined if
 * even the current price is above the caps.
 */
export function emptyingPrice(baseFee: bigint, tip: bigint, caps: FeeCaps): GasPrice | undefined {
  const max = smaller(caps.maxFeePerGas, caps.maxFee / COIN_GAS);
  if (baseFee + tip > max) return undefined;
  const price = smaller((3n * baseFee) / 2n + tip, max);
  return { maxFeePerGas: price, maxPriorityFeePerGas: price };
}

/**
 * Returns the price for a transaction with this gas limit: twice the base fee plus the tip, cut to the caps. The base fee can rise by
 * 12.5 % a block, so the price is enough after five full blocks. Returns undefined if even the current price is above the caps.
 */
export function gasPrice(baseFee: bigint, tip: bigint, gas: bigint, caps: FeeCaps): GasPrice | undefined {
  const max = smaller(caps.maxFeePerGas, caps.maxFee / gas);
  if (baseFee + tip > max) return undefined;
  return { maxFeePerGas: smaller(2n * baseFee + tip, max), maxPriorityFeePerGas: tip };
}

/**
 * Returns the price of a replacement: the market's, and at least an eighth above the earlier one in both figures (nodes require
 * 10 %). Returns undefined if that is above the caps.
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
