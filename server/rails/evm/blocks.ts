import { type Chain, type Head, Moved } from './chain.ts';
import { count, expect, hex, quantity } from './client.ts';

/** A block as far as plain sums of the chain's coin are concerned. */
export interface Block {
  readonly height: number;
  readonly hash: string;
  readonly parent: string;
  /** Seconds since 1970. */
  readonly time: number;
  /** What its transactions themselves carry, by receiver in lower case; whether they succeeded is not said. */
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

/** Blocks that are remembered: more than lie above the finalised one. */
const REMEMBERED = 256;
/** Blocks asked for together: a full one is hundreds of kilobytes. */
const TOGETHER = 10;

/**
 * Reads blocks with their transactions, at heights in falling order. What lies above the finalised block is checked to be the head's own ancestry, hash
 * by hash, and throws Moved where it isn't; what lies below it can't change.
 */
export function blockReader(chain: Chain): { read(heights: readonly number[], head: Head): AsyncGenerator<Block> } {
  const known = new Map<number, Block>();
  const fetched = async (heights: readonly number[]): Promise<Block[]> => {
    const calls = heights.map((height) => ({ method: 'eth_getBlockByNumber', params: [hex(height), true] }));
    return (await chain.client.batch(calls)).map((answer, at) => {
      const raw = expect<RawBlock | null>(answer);
      if (!raw || count(raw.number) !== heights[at]) throw new Moved();
      return blockOf(raw);
    });
  };
  const remember = (block: Block): void => {
    known.delete(block.height);
    known.set(block.height, block);
    if (known.size > REMEMBERED) known.delete(known.keys().next().value as number);
  };
  return {
    async *read(heights, head) {
      const wanted = new Set(heights);
      const low = heights.at(-1) ?? Infinity;
      // From the head down, so that each block is known by its child.
      let expected = head.hash;
      let height = head.height;
      while (height > head.finalised && height >= low) {
        const block = known.get(height);
        if (block?.hash === expected) {
          if (wanted.has(height)) yield block;
          expected = block.parent;
          height -= 1;
          continue;
        }
        const missing: number[] = [];
        for (let at = height; at >= low && at > head.finalised && missing.length < TOGETHER; at -= 1) {
          if (at < height && known.has(at)) break;
          missing.push(at);
        }
        const blocks = await fetched(missing);
        if (blocks[0]?.hash !== expected) throw new Moved();
        blocks.forEach(remember);
      }
      const final = heights.filter((at) => at <= head.finalised);
      for (let at = 0; at < final.length; at += TOGETHER) yield* await fetched(final.slice(at, at + TOGETHER));
    },
  };
}

function blockOf({ number, hash, parentHash, timestamp, transactions }: RawBlock): Block {
  const coins = new Map<string, Coin[]>();
  for (const { hash: txid, from, to, value } of transactions) {
    const sum = quantity(value);
    if (to === null || sum === 0n) continue;
    const key = to.toLowerCase();
    const coin = { txid, from, value: sum };
    coins.set(key, [...(coins.get(key) ?? []), coin]);
  }
  return { height: count(number), hash, parent: parentHash, time: count(timestamp), coins };
}
