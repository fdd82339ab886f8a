// Checks before an owner's time ends at a deadline: an undelivered event or an unpolled payment may still change the outcome.

import { polledSince } from '../payments/index.ts';
import { type Owner, type Tx, outbox, subjectOf } from '../platform/index.ts';

/** Returns ids of those owners about which a subscriber has not handled all events yet. */
export async function awaitedAmong(
  tx: Tx,
  { kind, subscriber }: { readonly kind: Owner['kind']; readonly subscriber: string },
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const subjects = await outbox.undelivered(
    tx,
    subscriber,
    ids.map((id) => subjectOf({ kind, id })),
  );
  return new Set(ids.filter((id) => subjects.has(subjectOf({ kind, id }))));
}

/** An owner at a deadline. */
export interface Ripe {
  readonly id: string;
  /** Ids of the owner's payments. */
  readonly payments: readonly string[];
  /** Deadline that has passed. */
  readonly since: Date;
}

/**
 * Returns ids of owners whose payments were not polled since the deadline: a payment may be in a dispute that no poll has shown
 * yet.
 */
export async function unpolledAmong(tx: Tx, ripe: readonly Ripe[]): Promise<ReadonlySet<string>> {
  const unpolled = new Set<string>();
  for (const { id, payments, since } of ripe) if (!(await polledSince(tx, payments, since))) unpolled.add(id);
  return unpolled;
}
