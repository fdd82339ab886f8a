import type { Evidence, Fate, Missing } from './rail.ts';

/** A chain's blocks, as evidence for missing payments. */
interface Blocks {
  /** Height of the newest block. */
  tip(): Promise<number>;
  /** Returns the hash of the block at a height, or undefined if the node has none. */
  hashAt(height: number): Promise<string | undefined>;
}

/** Returns evidence by one node that a block was replaced; undefined if the block is unchanged or unknown. */
export async function replacementOf(block: Missing['block'], blocks: Blocks): Promise<Evidence | undefined> {
  if (!block) return undefined;
  const tip = await blocks.tip();
  if (tip < block.height) return undefined;
  const hash = await blocks.hashAt(block.height);
  return hash === undefined || hash === block.hash ? undefined : { kind: 'block', height: block.height, hash, tip };
}

/** Queries each payment separately: one that can't be queried now is unknown, and doesn't affect the others. */
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

/** Returns a payment's outcome by its block alone: gone if another block has replaced it, otherwise unknown. */
export async function seekByBlock(payment: Missing, blocks: Blocks): Promise<Fate> {
  const by = await replacementOf(payment.block, blocks);
  return by ? { is: 'gone', by } : { is: 'unknown', detail: 'its block stands, or nobody can say' };
}
