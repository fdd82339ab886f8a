// Who owns payments and payouts: a room registers each kind that it owns, and is told of events about that kind alone.

import type { Pot } from '../ledger/index.ts';
import type { Owner } from '../payments/index.ts';
import type { Left, StoredEvent, Subscription, Tx } from '../platform/index.ts';

/** An event about something that a room owns. */
export type OwnedEvent = StoredEvent & {
  /** Id of what it is about. */
  readonly ownerId: string;
};

/** What a room does about some kinds of events, in groups, oldest first, each in one transaction. */
export interface OwnerHandler {
  /** What it is called where deliveries are noted. It stands in the database: never change it. */
  readonly subscriber: string;
  readonly events: readonly string[];
  readonly handle: (tx: Tx, events: readonly OwnedEvent[]) => Promise<void | Left>;
}

/** A kind of owner, as its room registers it. */
export interface Owning {
  readonly kind: Owner['kind'];
  /** The pots of the ledger in which money stands for what is of this kind: its judge answers for all of them. */
  readonly accounts: readonly Pot[];
  readonly handlers: readonly OwnerHandler[];
}

/** The subscriptions of kinds of owners. Throws for a kind that two rooms own: which of them is to act can't be known. */
export function subscriptionsOf(owners: readonly Owning[]): Subscription[] {
  const kinds = owners.map(({ kind }) => kind);
  if (new Set(kinds).size < kinds.length) throw new Error(`A kind has two owners: ${kinds.join(', ')}`);
  return owners.flatMap(({ kind, handlers }) => handlers.map((handler) => subscriptionOf(kind, handler)));
}

function subscriptionOf(kind: Owner['kind'], { subscriber, events: kinds, handle }: OwnerHandler): Subscription {
  const about = `${kind}:`;
  return {
    subscriber,
    kinds,
    about,
    handle: (tx, events) =>
      handle(
        tx,
        events.map((event) => ({ ...event, ownerId: event.subject.slice(about.length) })),
      ),
  };
}
