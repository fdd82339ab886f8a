// What timers wait for: what is on its way to somebody, or would be found by a look, must not find that their time is over.

import { lookedSince } from '../payments/index.ts';
import { type Owner, type Tx, outbox, subjectOf } from '../platform/index.ts';

/** Those of some owners of a kind, by id, to whom an event is on its way that its subscriber hasn't acted upon. */
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

/** Payments whose time is over at a moment. */
export interface Ripe {
  readonly id: string;
  readonly payments: readonly string[];
  readonly since: Date;
}

/** Those, by id, whose payments were not looked at since their moment: a dispute may have come up that nobody told us of. */
export async function unlookedAmong(tx: Tx, ripe: readonly Ripe[]): Promise<ReadonlySet<string>> {
  const unlooked = new Set<string>();
  for (const { id, payments, since } of ripe) if (!(await lookedSince(tx, payments, since))) unlooked.add(id);
  return unlooked;
}
