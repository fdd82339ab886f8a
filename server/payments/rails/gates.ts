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

/**
 * Reason for which a payout may not leave now. `mayWait`: set if the owner can't answer yet. The owner is then asked again after
 * `waitSeconds`, by default after a moment.
 */
export interface PayoutObstacle {
  readonly reason: string;
  readonly mayWait?: true;
  readonly waitSeconds?: number;
}

/**
 * Returns the payouts that an owner refuses, by payout id, each with the reason. Called just before payouts leave, with their
 * rows locked. The function reads and writes in the given transaction, and posts nothing. It must not lock rows of its own room.
 * When that room stops a payout, it locks its own rows before the payouts, so the two transactions would deadlock.
 */
export type MayLeave = (tx: Tx, payouts: readonly Leaving[]) => Promise<ReadonlyMap<string, PayoutObstacle>>;

/**
 * Functions that decide whether payouts may leave, by kind of owner. The desk's own payouts need no function, because two people
 * decided on them.
 */
export type Gates = Readonly<Partial<Record<string, MayLeave>>>;
