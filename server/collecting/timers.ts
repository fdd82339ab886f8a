// Checks before a timer acts: an event or a payment still to come must not find that the owner's time is over.

import { polledSince } from '../payments/index.ts';
import { type Owner, type Tx, outbox, subjectOf } from '../platform/index.ts';

/** Returns ids of owners for which the subscriber has an undelivered event. */
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

/** An owner whose payments reach a deadline. `since`: the deadline. */
export interface Ripe {
  readonly id: string;
  readonly payments: readonly string[];
  readonly since: Date;
}

/** Returns ids of owners whose payments were not polled since their deadline: a dispute may exist that nobody reported. */
export async function unpolledAmong(tx: Tx, ripe: readonly Ripe[]): Promise<ReadonlySet<string>> {
  const unpolled = new Set<string>();
  for (const { id, payments, since } of ripe) if (!(await polledSince(tx, payments, since))) unpolled.add(id);
  return unpolled;
}
