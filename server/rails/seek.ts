import type { Evidence, Fate, Missing } from './rail.ts';

/** A chain as far as its blocks tell what became of a payment. */
interface Blocks {
  /** The newest block's height. */
  tip(): Promise<number>;
  /** The block that stands at a height; undefined where the node knows none. */
  hashAt(height: number): Promise<string | undefined>;
}

/** The evidence that a block was replaced, as one node tells it; undefined where the block stands, or nobody can say. */
export async function replacementOf(block: Missing['block'], blocks: Blocks): Promise<Evidence | undefined> {
  if (!block) return undefined;
  const tip = await blocks.tip();
  if (tip < block.height) return undefined;
  const hash = await blocks.hashAt(block.height);
  return hash === undefined || hash === block.hash ? undefined : { kind: 'block', height: block.height, hash, tip };
}

/** Asks for each payment by itself: what can't be asked now is unknown, and keeps nothing from being known of the others. */
export function seekEach(missing: readonly Missing[], seek: (payment: Missing) => Promise<Fate>): Promise<readonly Fate[]> {
  return Promise.all(
    missing.map(async (payment) => {
      try {
        return await seek(payment);
      } catch (error) {
        return { is: 'unknown', detail: error instanceof Error ? error.message : String(error) };
      }
    }),
  );
}

/** What its block alone tells of a payment: gone where another stands in its place, else unknown. */
export async function seekByBlock(payment: Missing, blocks: Blocks): Promise<Fate> {
  const by = await replacementOf(payment.block, blocks);
  return by ? { is: 'gone', by } : { is: 'unknown', detail: 'its block stands, or nobody can say' };
}
