// Kinds of owners of money. The room of a kind registers it once, with everything that other rooms need of it.

import type { BooksCheck } from '../ledger/index.ts';
import type { Sender } from '../deliveries/index.ts';
import { defineOutKind } from '../moneyout/index.ts';
import { type Gates, type MayLeave, type PayFound, type PayoutPurpose, definePurpose } from '../payments/index.ts';
import type { Db, Followed, Left, Owner, Statements, StoredEvent, Subscription, Tx, VersionWatch } from '../platform/index.ts';

/** An event about an owner. */
export type OwnedEvent = StoredEvent & {
  /** Id of the owner. */
  readonly ownerId: string;
};

/** Handles some kinds of events about one kind of owner, in groups, oldest first, each in one transaction. */
export interface OwnerHandler {
  /** Name of the subscriber. It is stored in the database: never change it. */
  readonly subscriber: string;
  readonly events: readonly string[];
  readonly handle: (tx: Tx, events: readonly OwnedEvent[], sender: Sender) => Promise<void | Left>;
}

/** An owner as people identify it. */
export interface KnownOwner {
  readonly owner: Owner;
  /** Number that people use; undefined for owners that only have an id. */
  readonly number?: string | undefined;
  /** The customer's address and language. */
  readonly email: string;
  readonly locale: 'en' | 'ru';
}

/** An owner with a number that people use, such as an order. */
export type NumberedOwner = KnownOwner & { readonly number: string };

/** Chats between the desk and the customers of one kind of owner. */
export interface OwnerChat {
  /** Names of the calls that read a chat, add to it and mark it as seen. */
  readonly calls: { readonly read: string; readonly say: string; readonly seen: string };
  /** Finds the owner that a secret opens. Throws the problem of its kind if there is none. */
  readonly byToken: (db: Statements, sender: Sender, key: OwnerKey) => Promise<NumberedOwner>;
  /**
   * Finds recipients of letters about chats, with the addresses of their pages. Leaves out owners that must not be written to.
   */
  readonly addresses: (tx: Tx, sender: Sender, ids: readonly string[]) => Promise<ChatAddress[]>;
}

/** Number and secret of an owner, as its customer has them. */
export interface OwnerKey {
  readonly id: string;
  readonly token: string;
}

/** Recipient of letters about a chat, and the address of its page with the secret. */
export type ChatAddress = NumberedOwner & { readonly url: string };

/** The stream that pages about one kind of owner follow. */
export interface OwnerStream {
  /** Name of the call that opens the stream. */
  readonly call: string;
  /** Begins to watch for changes; once per process. */
  readonly watch: (db: Db) => VersionWatch;
  /** Makes the stream. */
  readonly open: (deps: StreamDeps) => (key: OwnerKey) => Promise<Followed>;
}

export interface StreamDeps {
  readonly db: Db;
  readonly sender: Sender;
  readonly watch: VersionWatch;
  /** Versions of chats by the ids of their owners. */
  readonly chats?: OwnerChats | undefined;
}

/** Versions of chats, which a higher floor stores. */
export interface OwnerChats {
  /** Returns 0 if there is no chat. */
  versionOf(ownerId: string): Promise<number>;
  listen: VersionWatch['listen'];
}

/** An account holder. Their owners may also be found by e-mail address. */
export interface Holder {
  readonly id: string;
  /** Key of their verified address; undefined until they have confirmed it. */
  readonly mailbox: string | undefined;
}

/** A kind of owner. Api, worker, proof, desk and simulation read all of it from here. */
export interface OwnerKind {
  readonly kind: Owner['kind'];
  /** Purposes for which rails take payments. The desk switches each alone. */
  readonly purposes: readonly string[];
  /** Kinds under which its payouts are counted towards limits. */
  readonly outKinds: readonly string[];
  readonly handlers: readonly OwnerHandler[];
  /** Called again before a payout leaves. */
  readonly mayLeave: MayLeave;
  /**
   * Pays the owner with a payout that was found late, by the payout's purpose. For purposes that are absent, the found transfer
   * replaces the owner's next payout of the same sum.
   */
  readonly payFound?: Readonly<Partial<Record<PayoutPurpose, PayFound>>>;
  /** Checks its rows against the books. */
  readonly check: BooksCheck;
  /** Finds owners by id. */
  readonly byId: (db: Statements, ids: readonly string[]) => Promise<readonly KnownOwner[]>;
  /** Finds an owner by the number that people use; absent for kinds without numbers. */
  readonly byNumber?: (db: Statements, number: string) => Promise<NumberedOwner | undefined>;
  /** Absent for kinds without chats. */
  readonly chat?: OwnerChat;
  /** Absent for kinds that no page follows. */
  readonly stream?: OwnerStream;
  /**
   * Change token per account holder: differs after something of this kind came or changed for them. The stream of account pages
   * sends it. Absent where account pages don't show it.
   */
  readonly changeTokens?: (db: Statements, holders: readonly Holder[]) => Promise<ReadonlyMap<string, string>>;
}

/** Registers a kind of owner: rails take payments for its purposes, and money goes out under its kinds. */
export function defineOwner(owner: OwnerKind): OwnerKind {
  owner.purposes.forEach(definePurpose);
  owner.outKinds.forEach(defineOutKind);
  return owner;
}

/** Returns the subscriptions of all kinds of owners. Throws if two rooms own one kind, as it is unclear which of them acts. */
export function subscriptionsOf(owners: readonly OwnerKind[], sender: Sender): Subscription[] {
  requireOneOfEach(owners);
  return owners.flatMap(({ kind, handlers }) => handlers.map((handler) => subscriptionOf(kind, handler, sender)));
}

/** Returns the functions to call before a payout leaves, by the kind of its owner. Throws as `subscriptionsOf`. */
export function gatesOf(owners: readonly OwnerKind[]): Gates {
  requireOneOfEach(owners);
  return Object.fromEntries(owners.map(({ kind, mayLeave }) => [kind, mayLeave]));
}

/** Begins to watch each kind of owner that pages follow. Called once per process. */
export const watchOwners = (db: Db, owners: readonly OwnerKind[]): ReadonlyMap<string, VersionWatch> =>
  new Map(owners.flatMap(({ kind, stream }) => (stream ? [[kind, stream.watch(db)] as const] : [])));

/** Finds owners of several kinds. The returned function gives undefined for an unknown owner. */
export async function knownOwners(
  db: Statements,
  kinds: readonly OwnerKind[],
  owners: readonly Owner[],
): Promise<(owner: Owner) => KnownOwner | undefined> {
  const found = await Promise.all(
    kinds.map(async ({ kind, byId }) => {
      const ids = [...new Set(owners.flatMap((owner) => (owner.kind === kind ? [owner.id] : [])))];
      return [kind, new Map((ids.length === 0 ? [] : await byId(db, ids)).map((one) => [one.owner.id, one]))] as const;
    }),
  );
  const byKind = new Map(found);
  return ({ kind, id }) => byKind.get(kind)?.get(id);
}

/** Finds the owner with a number, whatever its kind. */
export async function ownerByNumber(
  db: Statements,
  kinds: readonly OwnerKind[],
  number: string,
): Promise<NumberedOwner | undefined> {
  for (const { byNumber } of kinds) {
    const found = await byNumber?.(db, number);
    if (found) return found;
  }
  return undefined;
}

function requireOneOfEach(owners: readonly OwnerKind[]): void {
  const kinds = owners.map(({ kind }) => kind);
  if (new Set(kinds).size < kinds.length) throw new Error(`A kind has two owners: ${kinds.join(', ')}`);
}

function subscriptionOf(kind: Owner['kind'], { subscriber, events: kinds, handle }: OwnerHandler, sender: Sender): Subscription {
  const about = `${kind}:`;
  return {
    subscriber,
    kinds,
    about,
    handle: (tx, events) =>
      handle(
        tx,
        events.map((event) => ({ ...event, ownerId: event.subject.slice(about.length) })),
        sender,
      ),
  };
}
