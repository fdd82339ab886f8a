// Sends of our own account by our rows, and its sends and payments by its rail.

import type { ObservedPayment } from './observed-payment.ts';

/** What our wallet has out already: rows that payments keeps so that no input or nonce is used twice. */
export interface WalletState {
  /** Inputs (`txid:vout`) that unfinished attempts of ours spend. */
  readonly spent: readonly string[];
  /** Outputs of ours from unfinished attempts, with their raw transactions (change that may be chained). */
  readonly unconfirmed: readonly { readonly txid: string; readonly raw: string; readonly spends?: readonly string[] }[];
  /** The next nonce by our own rows (account chains), or undefined where none was ever used. */
  readonly nextNonce?: number;
  /** Receiving addresses that may hold coins: derivation indexes. */
  readonly indexes: readonly number[];
  /** Receiving addresses that gas was ever sent to; what a sweep left of it lies there still. For `reserve` only. */
  readonly fuelled?: readonly number[];
  /** The next unused change index. */
  readonly changeIndex: number;
  /**
   * What the books set aside for gas at the hot wallet, where the coin that pays it is a currency too (`feesFrom`): the
   * rail can't tell the two apart, since they lie at one address.
   */
  readonly fuel?: bigint;
}

/** What a comparison hands to a rail. */
export interface OwnSendsAsked {
  readonly state: WalletState;
  /** How far its history was read at the last comparison that came through, in the rail's own words. */
  readonly readTo?: string;
  /** Nothing was compared in this process yet: everything is read, however long that takes. Else what can have changed. */
  readonly isFirst: boolean;
}

/** Sends from our own account, as a rail shows them. */
export interface OwnSends {
  readonly sends: readonly OwnSend[];
  /** Handed back as `readTo` the next time; absent: the same as before. */
  readonly readTo?: string;
  /** There was no time to read everything: the same is asked again, and goes on from there. */
  readonly isUnfinished?: true;
}

/** One send from our own account. The rail doesn't know whether the books have it. */
export interface OwnSend {
  /** The transaction or transfer as the rail names it; where only a used nonce is shown, that nonce as a spend. */
  readonly reference: string;
  /** What it consumed, as attempts name it. */
  readonly spend?: string;
  /** The nonces that it stands for, both ends included. */
  readonly nonces?: { readonly first: number; readonly last: number };
  /**
   * The reference of ours that it bears: of a provider, where money is also moved by hand, only such a send is proof. Absent on
   * chains, where nobody else has the keys.
   */
  readonly ours?: string;
  /** What it pays to others, as far as it can be read. */
  readonly pays: readonly OwnPayment[];
  /** When it happened, by the rail's word. */
  readonly at?: Date;
}

/** A sum that a send pays to somebody else. */
export interface OwnPayment {
  readonly currency: string;
  readonly parts: bigint;
  readonly to: string;
}

/** Payments of a transaction. `unknown`: the chain doesn't show it · `waiting`: it is in no block yet. */
export type PaidBy =
  | { readonly is: 'unknown' | 'waiting' }
  | { readonly is: 'mined'; readonly payments: readonly ObservedPayment[] };
