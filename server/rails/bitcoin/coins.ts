import { dustOf, feeFor, weightOf } from './fees.ts';
import type { Place } from './keys.ts';

/** An output of ours that can be spent. */
export interface Coin {
  readonly txid: string;
  readonly vout: number;
  readonly parts: bigint;
  readonly place: Place;
  /** 0: nothing takes it away again; 1: mined, but not deep; 2: our own change, not mined yet. */
  readonly tier: 0 | 1 | 2;
}

interface Selection {
  readonly coins: readonly Coin[];
  readonly fee: bigint;
  /** What comes back to us; 0 where it would be less than it costs to have. */
  readonly change: bigint;
}

/** More inputs would make a transaction that nodes don't relay. */
const MAX_INPUTS = 300;

/** How a coin is called: `txid:vout`. */
export function outpointOf({ txid, vout }: { readonly txid: string; readonly vout: number }): string {
  return `${txid}:${vout}`;
}

/**
 * Chooses coins for outputs of `target` satoshi in all. The safest tier that suffices alone is used, then the tiers
 * together. Within it: the smallest single coin that is enough (deposits are used up by payouts of their size), else
 * the largest first. Undefined where all coins together are not enough.
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

/** By sum, then by name, so that the same coins are always chosen alike. */
function bySize(a: Coin, b: Coin): number {
  if (a.parts !== b.parts) return a.parts < b.parts ? -1 : 1;
  return outpointOf(a) < outpointOf(b) ? -1 : 1;
}
