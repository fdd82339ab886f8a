import { dustOf, feeFor, weightOf } from './fees.ts';
import type { Place } from './keys.ts';

/** An output of ours that can be spent. */
export interface Coin {
  readonly txid: string;
  readonly vout: number;
  readonly parts: bigint;
  readonly place: Place;
  /** 0: our own mined change, or deep enough that no reorg removes it; 1: mined, less deep; 2: our own change, not mined yet. */
  readonly tier: 0 | 1 | 2;
}

interface Selection {
  readonly coins: readonly Coin[];
  readonly fee: bigint;
  /** Satoshi that come back to us; 0 if they would be dust, which is added to the fee. */
  readonly change: bigint;
}

/** Maximum number of inputs: nodes would not relay a larger transaction. */
const MAX_INPUTS = 300;

/** Returns the name of a coin: `txid:vout`. */
export function outpointOf({ txid, vout }: { readonly txid: string; readonly vout: number }): string {
  return `${txid}:${vout}`;
}

/**
 * Selects coins that pay for outputs and the fee at `rate` (millisatoshi per virtual byte). It tries the safest tier alone, and
 * adds the next tier while the coins don't suffice. Among them it takes the smallest single coin that is enough, so that payouts
 * use up deposits of their size; otherwise the largest coins first. Returns undefined if the coins are not enough.
 */
export function selectCoins(
  coins: readonly Coin[],
  outputs: readonly { readonly script: Uint8Array; readonly parts: bigint }[],
  changeScript: Uint8Array,
  rate: bigint,
): Selection | undefined {
  const target = outputs.reduce((sum, { parts }) => sum + parts, 0n);
  const scripts = outputs.map(({ script }) => script);
  const settle = (chosen: readonly Coin[]): Selection | undefined => {
    const sum = chosen.reduce((total, { parts }) => total + parts, 0n);
    const withChange = feeFor(weightOf(chosen.length, [...scripts, changeScript]), rate);
    const change = sum - target - withChange;
    if (change >= dustOf(changeScript)) return { coins: chosen, fee: withChange, change };
    const without = feeFor(weightOf(chosen.length, scripts), rate);
    return sum >= target + without ? { coins: chosen, fee: sum - target, change: 0n } : undefined;
  };
  for (const tier of [0, 1, 2]) {
    const pool = coins.filter((coin) => coin.tier <= tier).toSorted(bySize);
    for (const coin of pool) {
      const alone = settle([coin]);
      if (alone) return alone;
    }
    const largest = pool.toReversed();
    for (let count = 2; count <= Math.min(largest.length, MAX_INPUTS); count += 1) {
      const together = settle(largest.slice(0, count));
      if (together) return together;
    }
  }
  return undefined;
}

/** Orders by amount, then by name, so that the same coins always give the same selection. */
function bySize(a: Coin, b: Coin): number {
  if (a.parts !== b.parts) return a.parts < b.parts ? -1 : 1;
  return outpointOf(a) < outpointOf(b) ? -1 : 1;
}
