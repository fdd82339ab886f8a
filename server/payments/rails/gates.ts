// Interface by which owners decide whether their payouts may leave.

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
  /** Receiving account at its rail, by field. */
  readonly to: Readonly<Record<string, string>>;
}

/** Reason for which a payout may not leave now. `mayWait`: the answer isn't known yet; call again after a moment. */
export interface PayoutObstacle {
  readonly reason: string;
  readonly mayWait?: true;
}

/**
 * Returns the refused payouts of an owner's kind, by id. Called just before they leave, with their rows locked. It reads and
 * writes in the given transaction and posts nothing. It must not lock rows of its own room: that room locks them before it stops
 * payouts, so both would deadlock.
 */
export type MayLeave = (tx: Tx, payouts: readonly Leaving[]) => Promise<ReadonlyMap<string, PayoutObstacle>>;

/**
 * Functions to call before a payout leaves, by the kind of owner. Payouts of the desk itself need none: two people decided them.
 */
export type Gates = Readonly<Partial<Record<string, MayLeave>>>;
