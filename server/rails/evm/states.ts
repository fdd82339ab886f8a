import type { Address } from 'viem';
import { type Chain, coinCall } from './chain.ts';
import { hex, quantity } from './client.ts';

/** What an address has of the chain's coin after a block, and how many transactions it had sent. */
export interface CoinState {
  readonly balance: bigint;
  readonly nonce: bigint;
}

export const NEVER: CoinState = { balance: 0n, nonce: 0n };

export const isSame = (a: CoinState, b: CoinState): boolean => a.balance === b.balance && a.nonce === b.nonce;

/** An address after a block: its height, or its hash (EIP-1898). */
export interface At {
  readonly to: string;
  readonly block: number | { readonly blockHash: string };
}

/** Balance and nonce of addresses after blocks; undefined where the node has no such state, or says what can't be. */
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

/** A range of blocks in which an address changed, both ends included, with its state before it and after it where known. */
export interface Range {
  readonly to: string;
  readonly low: number;
  readonly high: number;
  readonly before: CoinState | undefined;
  readonly after: CoinState | undefined;
}

/** Ranges of so many blocks are read rather than halved. */
const SHORT = 32;
/** Rounds of halving, and ranges halved together in one. What is longer then is read as it is. */
const ROUNDS = 16;
const TOGETHER = 50;

/**
 * The ranges cut to the short pieces in which their addresses changed, by their states in the middle; the lowest first, so that
 * reading can begin there. Where the node has no old states they stay as they are.
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

/** Where the node has no state there both ends are forgotten, so that nobody asks again. */
function halvesOf(range: Range, middle: CoinState | undefined): Range[] {
  if (!middle) return [{ ...range, after: undefined }];
  return [
    { ...range, high: middleOf(range), after: middle },
    { ...range, low: middleOf(range) + 1, before: middle },
  ];
}
