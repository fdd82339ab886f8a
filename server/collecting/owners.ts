// Kinds of owners of money, such as orders. The room of each kind registers it once, with everything that other rooms need to
// know about its owners.

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

/** Handles some kinds of events about owners of one kind, oldest first, in groups. Each group is handled in one transaction. */
export interface OwnerHandler {
  /** Name of the subscriber. It is stored in the database: never change it. */
  readonly subscriber: string;
  readonly events: readonly string[];
  readonly handle: (tx: Tx, events: readonly OwnedEvent[], sender: Sender) => Promise<void | Left>;
}

/** An owner, with the details by which people identify it. */
export interface KnownOwner {
  readonly owner: Owner;
  /** Number that people use for the owner; undefined if it only has an id. */
  readonly number?: string | undefined;
  /** Customer's e-mail address. */
  readonly email: string;
  /** Customer's language. */
  readonly locale: 'en' | 'ru';
}

/** An owner with a number that people use, such as an order. */
export type NumberedOwner = KnownOwner & { readonly number: string };

/** Chats between the desk and the customers of one kind of owner. */
export interface OwnerChat {
  /** Names of the calls that read a chat, add to it and mark it as seen. */
  readonly calls: { readonly read: string; readonly say: string; readonly seen: string };
  /** Finds the owner that a secret opens. Throws the problem of the owner's kind if there is none. */
  readonly byToken: (db: Statements, sender: Sender, key: OwnerKey) => Promise<NumberedOwner>;
  /**
   * Finds the customers to whom letters about chats go, with the URLs of their pages. Leaves out owners whose customers must get
   * no letters.
   */
  readonly addresses: (tx: Tx, sender: Sender, ids: readonly string[]) => Promise<ChatAddress[]>;
}

/** Number and secret by which a customer opens an owner's page. */
export interface OwnerKey {
  readonly id: string;
  readonly token: string;
}

/** Customer to whom letters about a chat go. `url`: URL of the chat's page, including the secret. */
export type ChatAddress = NumberedOwner & { readonly url: string };

/** Event stream for the pages of one kind of owner. */
export interface OwnerStream {
  /** Name of the call that opens the stream. */
  readonly call: string;
  /** Begins to watch the owners of this kind for changes. Called once per process. */
  readonly watch: (db: Db) => VersionWatch;
  /** Returns the function that opens the stream of one owner. */
  readonly open: (deps: StreamDeps) => (key: OwnerKey) => Promise<Followed>;
}

export interface StreamDeps {
  readonly db: Db;
  readonly sender: Sender;
  readonly watch: VersionWatch;
  /** Versions of chats. Absent in a process without chats. */
  readonly chats?: OwnerChats | undefined;
}

/** Versions of chats, by owner id. A room above this one stores them. */
export interface OwnerChats {
  /** Returns the version of an owner's chat; 0 if there is no chat. */
  versionOf(ownerId: string): Promise<number>;
  listen: VersionWatch['listen'];
}

/** An account holder, whose orders and deposits are found by account, and also by e-mail address. */
export interface Holder {
  readonly id: string;
  /** Key of the holder's confirmed e-mail address; undefined until one is confirmed. */
  readonly mailbox: string | undefined;
}

/**
 * A kind of owner, such as orders. The api, the worker, the proof, the desk and the simulation find here everything that they
 * need about its owners.
 */
export interface OwnerKind {
  readonly kind: Owner['kind'];
  /** Purposes for which rails take payments to owners of this kind. The desk switches each purpose separately. */
  readonly purposes: readonly string[];
  /** Kinds of money out under which payouts for owners of this kind are added up for limits. */
  readonly outKinds: readonly string[];
  readonly handlers: readonly OwnerHandler[];
  /** Decides whether payouts for owners of this kind may leave. Called just before they leave. */
  readonly mayLeave: MayLeave;
  /**
   * Functions that book a payout found late as its owner's payment, by the payout's purpose. For any other purpose, the late
   * payout replaces the owner's next payout of the same amount.
   */
  readonly payFound?: Readonly<Partial<Record<PayoutPurpose, PayFound>>>;
  /** Checks the rows of owners of this kind against the books. */
  readonly check: BooksCheck;
  /** Finds owners by id. */
  readonly byId: (db: Statements, ids: readonly string[]) => Promise<readonly KnownOwner[]>;
  /** Finds an owner by the number that people use; absent for kinds without numbers. */
  readonly byNumber?: (db: Statements, number: string) => Promise<NumberedOwner | undefined>;
  /** Chats with the customers of these owners; absent for kinds without chats. */
  readonly chat?: OwnerChat;
  /** Event stream for the pages of these owners; absent for kinds without an event stream. */
  readonly stream?: OwnerStream;
  /**
   * Returns a change token for each account holder. The token differs after an owner of this kind was added or changed for that
   * holder. The stream of account pages sends it. Absent for kinds that account pages don't show.
   */
  readonly changeTokens?: (db: Statements, holders: readonly Holder[]) => Promise<ReadonlyMap<string, string>>;
}

/** Registers a kind of owner: its purposes for the switches of rails, and its kinds of money out for limits. */
export function defineOwner(owner: OwnerKind): OwnerKind {
  owner.purposes.forEach(definePurpose);
  owner.outKinds.forEach(defineOutKind);
  return owner;
}

/**
 * Returns the subscriptions of all kinds of owners. Throws if a kind is registered twice, since then two rooms would handle its
 * events.
 */
export function subscriptionsOf(owners: readonly OwnerKind[], sender: Sender): Subscription[] {
  requireOneOfEach(owners);
  return owners.flatMap(({ kind, handlers }) => handlers.map((handler) => subscriptionOf(kind, handler, sender)));
}

/** Returns the functions that decide whether payouts may leave, by kind of owner. Throws as `subscriptionsOf` does. */
export function gatesOf(owners: readonly OwnerKind[]): Gates {
  requireOneOfEach(owners);
  return Object.fromEntries(owners.map(({ kind, mayLeave }) => [kind, mayLeave]));
}

/** Begins to watch each kind of owner that has an event stream. Called once per process. */
export const watchOwners = (db: Db, owners: readonly OwnerKind[]): ReadonlyMap<string, VersionWatch> =>
  new Map(owners.flatMap(({ kind, stream }) => (stream ? [[kind, stream.watch(db)] as const] : [])));

/** Finds owners of several kinds. Returns a function that gives each found owner, and undefined for an unknown one. */
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

/** Finds the owner with a number, of any kind. */
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
