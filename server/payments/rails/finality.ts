import { usdCents } from '../../rates/index.ts';

/**
 * Depth in the chain at which a rail's payments are final. It depends on the whole exposed sum, not on the payment alone.
 *
 * - `tiers`: depth by exposed sum, in ascending order; `above` applies beyond the last tier
 * - `deep`: depth from which a payment is no longer exposed
 * - `block`: adds `more` confirmations to payments in a block in which our exposed sum exceeds `overUsd`
 * - `finalisedAfter`: approximate number of confirmations until the chain's own `finalized`, to show progress
 * - `follow`: number of further blocks, after the needed depth, in which reorgs are still looked for
 */
export interface FinalityPolicy {
  readonly tiers: readonly { readonly upToUsd: string; readonly confirmations: number }[];
  readonly above: number | 'finalised';
  readonly deep: number | 'finalised';
  readonly finalisedAfter: number;
  readonly block?: { readonly overUsd: string; readonly more: number } | undefined;
  readonly follow: number;
}

/**
 * Depth that a payment needs: a number of confirmations. With `isFinalised`, only the chain's own `finalized` suffices, and the
 * number just shows progress.
 */
export interface Depth {
  readonly confirmations: number;
  readonly isFinalised: boolean;
}

/** Properties of a payment that decide the depth that it needs. `usd`: its value in cents; null if no rate was known. */
export interface Exposed {
  readonly txid: string;
  readonly customer: string;
  readonly block: string | null;
  readonly usd: bigint | null;
  readonly isDeep: boolean;
}

/**
 * Returns the depth that an exposed sum needs, in USD cents. `inBlock`: our exposed sum in the payment's block. If a sum is null
 * (no rate known), the greatest depth applies.
 */
export function depthFor(policy: FinalityPolicy, exposed: bigint | null, inBlock: bigint | null = 0n): Depth {
  const tier = exposed === null ? undefined : policy.tiers.find(({ upToUsd }) => exposed <= usdCents(upToUsd));
  if (!tier && policy.above === 'finalised') return { confirmations: policy.finalisedAfter, isFinalised: true };
  const base = tier?.confirmations ?? (policy.above as number);
  const { block } = policy;
  const more = block && (inBlock === null || inBlock > usdCents(block.overUsd)) ? block.more : 0;
  return { confirmations: base + more, isFinalised: false };
}

/** True if a payment has the needed depth. A payment that the chain calls final always has it. */
export function reaches(depth: Depth, confirmations: number, isFinalised: boolean): boolean {
  return isFinalised || (!depth.isFinalised && confirmations >= depth.confirmations);
}

/**
 * Returns the height of the chain at which a block at `height` has the needed confirmations. No earlier block changes anything
 * for it. Returns null if it has them already: then each block may.
 */
export const decidingHeight = (height: number, confirmations: number, needed: number): number | null =>
  confirmations >= needed ? null : height + needed - 1;

/**
 * True if the owner is notified of a changed number of confirmations. That is so for the first confirmations, and for a number
 * that a reorg lowered. Pages compute other numbers themselves (`payouts/confirmations.ts`).
 */
export const isReported = (before: number, now: number): boolean => (before === 0 ? now > 0 : now < before);

/** Returns the lowest of several heights; null if there is none, or if one of them is null. */
export function firstHeight(heights: readonly (number | null)[]): number | null {
  return heights.reduce((first, one) => (first === null || one === null ? null : Math.min(first, one)), heights[0] ?? null);
}

/** True if a payment is so deep that it is no longer exposed. */
export function isDeep(policy: FinalityPolicy, confirmations: number, isFinalised: boolean): boolean {
  return isFinalised || (policy.deep !== 'finalised' && confirmations >= policy.deep);
}

/**
 * Returns the depth that each payment of `requests` needs, given all payments that are exposed with them. The larger of two
 * exposed sums decides: that of its transaction, and that of its customer. A payment of unknown value makes each of its sums
 * unknown. Deep payments are left out.
 */
export function depthsOf(policy: FinalityPolicy, requests: readonly Exposed[], all: readonly Exposed[]): Depth[] {
  const byTxid: Sums = new Map();
  const byCustomer: Sums = new Map();
  const byBlock: Sums = new Map();
  for (const one of all) {
    if (one.isDeep) continue;
    addTo(byTxid, one.txid, one.usd);
    addTo(byCustomer, one.customer, one.usd);
    if (one.block !== null) addTo(byBlock, one.block, one.usd);
  }
  return requests.map((one) => {
    const sums = [sumOf(byTxid, one.txid), sumOf(byCustomer, one.customer)];
    const exposed = sums.reduce((max, sum) => (max === null || sum === null ? null : sum > max ? sum : max));
    return depthFor(policy, exposed, one.block === null ? 0n : sumOf(byBlock, one.block));
  });
}

type Sums = Map<string, bigint | null>;

/** Returns a sum by its key: 0 if nothing was added, null if it is unknown. */
function sumOf(sums: Sums, key: string): bigint | null {
  return sums.has(key) ? (sums.get(key) ?? null) : 0n;
}

function addTo(sums: Sums, key: string, usd: bigint | null): void {
  const sum = sumOf(sums, key);
  sums.set(key, sum === null || usd === null ? null : sum + usd);
}
