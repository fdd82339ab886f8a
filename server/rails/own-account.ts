// Sends of our own account by our rows, and its sends and payments by its rail.

import type { ObservedPayment } from './observed-payment.ts';

/** Outgoing state of our wallet: rows that payments stores so that no input or nonce is used twice. */
export interface WalletState {
  /** Inputs (`txid:vout`) that our unfinished attempts spend. */
  readonly spent: readonly string[];
  /** Our outputs of unfinished attempts, with their raw transactions (change that may be chained). */
  readonly unconfirmed: readonly { readonly txid: string; readonly raw: string; readonly spends?: readonly string[] }[];
  /** The next nonce by our own rows (account chains), or undefined if none was ever used. */
  readonly nextNonce?: number;
  /** Receiving addresses that may hold coins: derivation indexes. */
  readonly indexes: readonly number[];
  /** Receiving addresses that ever got gas; the rest after a sweep is still there. For `reserve` only. */
  readonly fuelled?: readonly number[];
  /** The next unused change index. */
  readonly changeIndex: number;
  /**
   * Amount that the books set aside for gas at the hot wallet, if its coin is a currency too (`feesFrom`): the rail can't tell
   * them apart, since both are at one address.
   */
  readonly fuel?: bigint;
}

/** State that a comparison passes to a rail. */
export interface OwnSendsRequest {
  readonly state: WalletState;
  /** Position up to which its history was read at the last finished comparison, in the rail's own words. */
  readonly readTo?: string;
  /**
   * True if this process has compared nothing yet: everything is read, however long that takes. Otherwise only possible changes.
   */
  readonly isFirst: boolean;
}

/** Sends from our own account, as a rail shows them. */
export interface OwnSends {
  readonly sends: readonly OwnSend[];
  /** Passed back as `readTo` the next time; absent: the same as before. */
  readonly readTo?: string;
  /** True if there was no time to read everything: the same query continues from there. */
  readonly isUnfinished?: true;
}

/** One send from our own account. The rail doesn't know if the books have it. */
export interface OwnSend {
  /** The rail's name of the transaction or transfer; if only a used nonce is shown, that nonce as a spend. */
  readonly reference: string;
  /** Its spends, as attempts name them. */
  readonly spend?: string;
  /** Its nonces, both ends included. */
  readonly nonces?: { readonly first: number; readonly last: number };
  /**
   * Our reference in it. At a provider, where people also move money by hand, only a send with a reference is proof. Absent on
   * chains, where nobody else has the keys.
   */
  readonly ours?: string;
  /** Its payments to others, as far as they can be read. */
  readonly pays: readonly OwnPayment[];
  /** Its time, by the rail. */
  readonly at?: Date;
}

/** An amount that a send pays to somebody else. */
export interface OwnPayment {
  readonly currency: string;
  readonly parts: bigint;
  readonly to: string;
}

/** Payments of a transaction. `unknown`: the chain doesn't show it · `waiting`: it is in no block yet. */
export type PaidBy =
  | { readonly is: 'unknown' | 'waiting' }
  | { readonly is: 'mined'; readonly payments: readonly ObservedPayment[] };
