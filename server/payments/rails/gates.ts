// What the owners of payouts are asked before a send leaves.

import type { Tx } from '../../platform/index.ts';
import type { PayoutPurpose } from './event-bodies.ts';
import type { Owner } from './owner.ts';

/** A payout that is about to leave. */
export interface Leaving {
  readonly id: string;
  readonly owner: Owner;
  readonly purpose: PayoutPurpose;
  readonly currency: string;
  readonly unit: string;
  readonly parts: bigint;
  /** The account at its rail, by field. */
  readonly to: Readonly<Record<string, string>>;
}

/** Why a payout may not leave now. `waits`: not known yet, ask again after a moment. */
export interface Kept {
  readonly reason: string;
  readonly waits?: true;
}

/**
 * What an owner says of their payouts that are about to leave: why some may not, by their ids. Asked with their
 * rows locked; it reads and writes by the same transaction, posts nothing, and locks no row of its own: the owner of those
 * stops payouts, and would wait for ours.
 */
export type MayLeave = (tx: Tx, payouts: readonly Leaving[]) => Promise<ReadonlyMap<string, Kept>>;

/** Who to ask, by the kind of owner. What the desk sends of its own was decided by two people a moment ago. */
export type Gates = Readonly<Partial<Record<string, MayLeave>>>;
