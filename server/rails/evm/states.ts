import type { Address } from 'viem';
import { type Chain, coinCall } from './chain.ts';
import { hex, quantity } from './client.ts';

/** An address's balance of the chain's coin after a block, and the number of transactions that it had sent. */
export interface CoinState {
  readonly balance: bigint;
  readonly nonce: bigint;
}

/** State of an address that was never used. */
export const NEVER: CoinState = { balance: 0n, nonce: 0n };

/** True if two states are equal. */
export const isSame = (a: CoinState, b: CoinState): boolean => a.balance === b.balance && a.nonce === b.nonce;

/** An address and a block, by the block's height or its hash (EIP-1898). */
export interface At {
  readonly to: string;
  readonly block: number | { readonly blockHash: string };
}

/** Returns balance and nonce of addresses after blocks; undefined if the node lacks a state, or gives an impossible one. */
export async function statesAt(chain: Chain, requests: readonly At[]): Promise<(CoinState | undefined)[]> {
  const found = await chain.client.batch(
    requests.flatMap(({ to, block }) => {
      const at = typeof block === 'number' ? hex(block) : block;
      return [
        { ...coinCall(to as Address), params: [to, at] },
        { method: 'eth_getTransactionCount', params: [to, at] },
      ];
    }),
  );
  return requests.map((_, at) => {
    try {
      return { balance: quantity(found[2 * at]), nonce: quantity(found[2 * at + 1]) };
    } catch {
      return undefined;
    }
  });
}

/** A range of blocks in which an address may have changed, both ends included, with its states before and after, if known. */
export interface Range {
  readonly to: string;
  readonly low: number;
  readonly high: number;
  readonly before: CoinState | undefined;
  readonly after: CoinState | undefined;
}

/** Longest range that is read without halving it, in blocks. */
const SHORT = 32;
/** Maximum number of halving rounds, and of ranges halved in one round. Ranges that are still longer are read whole. */
const ROUNDS = 16;
const TOGETHER = 50;

/**
 * Cuts ranges to the short pieces in which their addresses changed, by the states in the middle. Returns the lowest pieces first, so
 * that reading can begin there. Without old states at the node a range stays whole.
 */
export async function halved(chain: Chain, ranges: readonly Range[], isTime: () => boolean): Promise<Range[]> {
  let all = ranges.filter((range) => !isCalm(range));
  for (let round = 0; round < ROUNDS && isTime(); round += 1) {
    const long = all.filter(isLong).slice(0, TOGETHER);
    if (long.length === 0) break;
    const states = await statesAt(
      chain,
      long.map((range) => ({ to: range.to, block: middleOf(range) })),
    );
    const halves = new Map(long.map((range, at) => [range, halvesOf(range, states[at])]));
    all = all.flatMap((range) => halves.get(range) ?? range).filter((range) => !isCalm(range));
  }
  return all.toSorted((a, b) => a.low - b.low);
}

const middleOf = ({ low, high }: Range): number => (low + high) >> 1;
const isLong = ({ low, high, before, after }: Range): boolean =>
  high - low >= SHORT && before !== undefined && after !== undefined;
const isCalm = ({ before, after }: Range): boolean => before !== undefined && after !== undefined && isSame(before, after);

/** Halves a range by its middle state. Without one, the range is returned without its end state, so that it isn't halved again. */
function halvesOf(range: Range, middle: CoinState | undefined): Range[] {
  if (!middle) return [{ ...range, after: undefined }];
  return [
    { ...range, high: middleOf(range), after: middle },
    { ...range, low: middleOf(range) + 1, before: middle },
  ];
}
