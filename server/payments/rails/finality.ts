import { usdCents } from '../../rates/index.ts';

/**
 * Depth in the chain at which a rail's payments are final. It depends on the exposed sum: the total of payments of one customer
 * or transaction that a reorg may still take back.
 *
 * - `tiers`: depth by exposed sum, in ascending order; `above` applies beyond the last tier
 * - `deep`: depth from which a payment no longer adds to exposed sums
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

/** Properties of a payment that decide its needed depth. `usd`: its value in cents; null if no rate was known. */
export interface Exposed {
  readonly txid: string;
  readonly customer: string;
  readonly block: string | null;
  readonly usd: bigint | null;
  readonly isDeep: boolean;
}

/**
 * Returns the depth that a payment needs. `exposed`: the customer's or transaction's sum that a reorg may still take back, in USD
 * cents. `inBlock`: the same sum of all payments in the payment's block. If a sum is null (no rate known), the greatest depth
 * applies.
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
 * Returns the height of the chain at which a block at `height` has the needed confirmations. Until then no new block can make it
 * final. Returns null if the block already has the needed confirmations. Then each new block may change something.
 */
export const decidingHeight = (height: number, confirmations: number, needed: number): number | null =>
  confirmations >= needed ? null : height + needed - 1;

/**
 * True if the owner is notified of a changed number of confirmations. This is so for the first confirmations, and when a reorg
 * lowers the number. Pages compute other numbers themselves (`payouts/confirmations.ts`).
 */
export const isReported = (before: number, now: number): boolean => (before === 0 ? now > 0 : now < before);

/** Returns the lowest of several heights; null if there is none, or if one of them is null. */
export function firstHeight(heights: readonly (number | null)[]): number | null {
  return heights.reduce((first, one) => (first === null || one === null ? null : Math.min(first, one)), heights[0] ?? null);
}

/** True if a payment is too deep for any reorg that we expect, by the rail's policy. */
export function isDeep(policy: FinalityPolicy, confirmations: number, isFinalised: boolean): boolean {
  return isFinalised || (policy.deep !== 'finalised' && confirmations >= policy.deep);
}

/**
 * Returns the depth that each payment of `requests` needs. `all`: all payments of the same transactions, customers and blocks.
 * The larger of two sums decides: that of the payment's transaction, and that of its customer. Deep payments add nothing to the
 * sums. A payment of unknown value makes its sums unknown.
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
