// Who owns payments and payouts: a room registers each kind that it owns, and is told of events about that kind alone.

import type { AccountType } from '../ledger/index.ts';
import type { Gates, MayLeave } from '../payments/index.ts';
import type { Left, Owner, StoredEvent, Subscription, Tx } from '../platform/index.ts';

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
  /** The account types of the ledger in which money stands for what is of this kind: its judge answers for all of them. */
  readonly accounts: readonly AccountType[];
  readonly handlers: readonly OwnerHandler[];
  /** Asked once more before a payout of this kind leaves. */
  readonly mayLeave: MayLeave;
}

/** The subscriptions of kinds of owners. Throws for a kind that two rooms own: which of them is to act can't be known. */
export function subscriptionsOf(owners: readonly Owning[]): Subscription[] {
  requireOneOfEach(owners);
  return owners.flatMap(({ kind, handlers }) => handlers.map((handler) => subscriptionOf(kind, handler)));
}

/** Who is asked before a payout leaves, by the kind of its owner. Throws as `subscriptionsOf`. */
export function gatesOf(owners: readonly Owning[]): Gates {
  requireOneOfEach(owners);
  return Object.fromEntries(owners.map(({ kind, mayLeave }) => [kind, mayLeave]));
}

function requireOneOfEach(owners: readonly Owning[]): void {
  const kinds = owners.map(({ kind }) => kind);
  if (new Set(kinds).size < kinds.length) throw new Error(`A kind has two owners: ${kinds.join(', ')}`);
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
