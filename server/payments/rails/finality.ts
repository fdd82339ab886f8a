import { usdCents } from '../../rates/index.ts';

/**
 * How deep a payment must lie before it counts, for one rail: by all that is exposed, not by its own sum.
 * - `tiers`: by the sum exposed, in ascending order; above the last one `above` holds
 * - `deep`: from here on a payment is no exposure any more
 * - `block`: while our sum in one block that isn't deep exceeds `overUsd`, `more` is added
 * - `finalisedAfter`: about how many confirmations the chain's own `finalized` takes, to show progress by
 * - `follow`: blocks for which a reorg is still looked for after that
 */
export interface FinalityPolicy {
  readonly tiers: readonly { readonly upToUsd: string; readonly confirmations: number }[];
  readonly above: number | 'finalised';
  readonly deep: number | 'finalised';
  readonly finalisedAfter: number;
  readonly block?: { readonly overUsd: string; readonly more: number } | undefined;
  readonly follow: number;
}

/** A depth that is asked for: so many confirmations, or the chain's own word (then the number only shows progress). */
export interface Depth {
  readonly confirmations: number;
  readonly finalised: boolean;
}

/** A payment as far as its depth is concerned. `usd`: cents, null where no rate was known. */
export interface Exposed {
  readonly txid: string;
  readonly customer: string;
  readonly block: string | null;
  readonly usd: bigint | null;
  readonly deep: boolean;
}

/**
 * The depth asked of a sum in USD cents; null (no rate known) asks for the strictest. `inBlock`: our whole sum that
 * isn't deep in the block where it lies; null again is strictest.
 */
export function depthFor(policy: FinalityPolicy, exposed: bigint | null, inBlock: bigint | null = 0n): Depth {
  const tier = exposed === null ? undefined : policy.tiers.find(({ upToUsd }) => exposed <= usdCents(upToUsd));
  if (!tier && policy.above === 'finalised') return { confirmations: policy.finalisedAfter, finalised: true };
  const base = tier?.confirmations ?? (policy.above as number);
  const { block } = policy;
  const more = block && (inBlock === null || inBlock > usdCents(block.overUsd)) ? block.more : 0;
  return { confirmations: base + more, finalised: false };
}

/** Does a standing reach a depth? What the chain calls final always does. */
export function reaches(depth: Depth, confirmations: number, finalised: boolean): boolean {
  return finalised || (!depth.finalised && confirmations >= depth.confirmations);
}

/**
 * The height of the chain at which what lies in a block at `height` is as deep as is asked of it: until then no block decides
 * anything of it. Null where it is that deep: then each block may.
 */
export const decidingHeight = (height: number, confirmations: number, needed: number): number | null =>
  confirmations >= needed ? null : height + needed - 1;

/**
 * Whether more or fewer confirmations are told to whose it is: the first, and those that a reorg took. The others are reckoned
 * by who shows them (`payouts/confirmations.ts`).
 */
export const isTold = (before: number, now: number): boolean => (before === 0 ? now > 0 : now < before);

/** The first of some such heights; null where there is none, or where each block may decide something of one. */
export function firstHeight(heights: readonly (number | null)[]): number | null {
  return heights.reduce((first, one) => (first === null || one === null ? null : Math.min(first, one)), heights[0] ?? null);
}

/** Is a payment so deep that it is no exposure any more? */
export function isDeep(policy: FinalityPolicy, confirmations: number, finalised: boolean): boolean {
  return finalised || (policy.deep !== 'finalised' && confirmations >= policy.deep);
}

/**
 * The depth asked of each payment, given all that are exposed with it: the larger of what its transaction and what its
 * customer have not yet deep decides. A payment whose value isn't known makes every sum it belongs to unknown.
 */
export function depthsOf(policy: FinalityPolicy, asked: readonly Exposed[], all: readonly Exposed[]): Depth[] {
  const byTxid: Sums = new Map();
  const byCustomer: Sums = new Map();
  const byBlock: Sums = new Map();
  for (const one of all) {
    if (one.deep) continue;
    addTo(byTxid, one.txid, one.usd);
    addTo(byCustomer, one.customer, one.usd);
    if (one.block !== null) addTo(byBlock, one.block, one.usd);
  }
  return asked.map((one) => {
    const sums = [sumOf(byTxid, one.txid), sumOf(byCustomer, one.customer)];
    const exposed = sums.reduce((most, sum) => (most === null || sum === null ? null : sum > most ? sum : most));
    return depthFor(policy, exposed, one.block === null ? 0n : sumOf(byBlock, one.block));
  });
}

type Sums = Map<string, bigint | null>;

/** Zero where nothing was summed; null for an unknown sum. */
function sumOf(sums: Sums, key: string): bigint | null {
  return sums.has(key) ? (sums.get(key) ?? null) : 0n;
}

function addTo(sums: Sums, key: string, usd: bigint | null): void {
  const sum = sumOf(sums, key);
  sums.set(key, sum === null || usd === null ? null : sum + usd);
}
