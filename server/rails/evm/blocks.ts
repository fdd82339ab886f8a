import { sumOf, reportOdd, timeOf } from '../odd.ts';
import { isAddress } from './address.ts';
import { type Chain, type Head, Moved } from './chain.ts';
import { Unreachable, count, expect, hex, isHash, quantity } from './client.ts';

/** A block, with its plain transfers of the chain's own coin. */
export interface Block {
  readonly height: number;
  readonly hash: string;
  readonly parent: string;
  readonly time: Date;
  /** Coin that its transactions themselves carry, by receiver in lower case. A block doesn't show which of them failed. */
  readonly coins: ReadonlyMap<string, readonly Coin[]>;
}

export interface Coin {
  readonly txid: string;
  readonly from: string;
  readonly value: bigint;
}

interface RawTransaction {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null;
  readonly value: string;
}

interface RawBlock {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: string;
  readonly transactions: readonly RawTransaction[];
}

export interface BlockReader {
  /**
   * Yields the blocks from a head down to a height. Hash by hash, each is proved to be an ancestor of the head. Throws `Moved` if one
   * isn't or the node lacks one, `Unreachable` if the node gives no usable answer.
   */
  newest(low: number, head: Head): AsyncGenerator<Block>;
  /** Yields settled blocks while `isTime()` is true. Blocks that the node lacks are left out. */
  settled(heights: readonly number[], isTime: () => boolean): AsyncGenerator<Block>;
}

/** Blocks per request: a full one has hundreds of kilobytes. */
const TOGETHER = 10;

/** Returns a reader of blocks with their transactions. It caches up to `scanBlocks` of the newest ones. */
export function blockReader(chain: Chain): BlockReader {
  const known = new Map<number, Block>();
  const fetched = async (heights: readonly number[]): Promise<(Block | undefined)[]> => {
    const calls = heights.map((height) => ({ method: 'eth_getBlockByNumber', params: [hex(height), true] }));
    return (await chain.client.batch(calls)).map((answer, at) => blockOf(chain, answer, heights[at] as number));
  };
  const remember = (block: Block): void => {
    known.delete(block.height);
    known.set(block.height, block);
    if (known.size > chain.config.scanBlocks) known.delete(known.keys().next().value as number);
  };
  return {
    async *newest(low, head) {
      // From the head down: each block's expected hash is in its child.
      let expected = head.hash;
      let height = head.height;
      while (height >= low) {
        const block = known.get(height);
        if (block?.hash === expected) {
          yield block;
          expected = block.parent;
          height -= 1;
          continue;
        }
        const missing: number[] = [];
        for (let at = height; at >= low && missing.length < TOGETHER; at -= 1) {
          if (at < height && known.has(at)) break;
          missing.push(at);
        }
        const blocks = await fetched(missing);
        if (blocks[0]?.hash !== expected) throw new Moved();
        for (const one of blocks) if (one) remember(one);
      }
    },
    async *settled(heights, isTime) {
      for (let at = 0; at < heights.length && (at === 0 || isTime()); at += TOGETHER) {
        for (const block of await fetched(heights.slice(at, at + TOGETHER))) if (block) yield block;
      }
    },
  };
}

/** Reads a block from an answer. Returns undefined if the node has none, and for an impossible block, with a warning. */
function blockOf(chain: Chain, answer: unknown, height: number): Block | undefined {
  try {
    const raw = expect<RawBlock | null>(answer);
    if (!raw) return undefined;
    if (count(raw.number) !== height || !isHash(raw.hash) || !isHash(raw.parentHash)) throw new Unreachable('not the block');
    const coins = new Map<string, Coin[]>();
    for (const transaction of raw.transactions) {
      const coin = coinOf(chain, transaction);
      if (coin) coins.set(coin.to, [...(coins.get(coin.to) ?? []), coin]);
    }
    return { height, hash: raw.hash, parent: raw.parentHash, time: timeOf(count(raw.timestamp) * 1000), coins };
  } catch (error) {
    reportOdd(chain.config.id, 'eth_getBlockByNumber', { height, why: String(error) });
    return undefined;
  }
}

/** Returns the coin that a transaction itself carries, if any. An unreadable transaction is left out, with a warning. */
function coinOf(chain: Chain, transaction: RawTransaction): (Coin & { readonly to: string }) | undefined {
  try {
    const { hash: txid, from, to, value } = transaction;
    const sum = sumOf(quantity(value));
    if (to === null || sum === 0n) return undefined;
    if (!isHash(txid)) throw new Unreachable('no hash');
    if (!isAddress(from) || !isAddress(to)) throw new Unreachable('no address');
    return { txid, from, value: sum, to: to.toLowerCase() };
  } catch (error) {
    reportOdd(chain.config.id, 'a transaction of a block', { transaction, why: String(error) });
    return undefined;
  }
}
