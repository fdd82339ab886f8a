// Sends of our own account: by the rows that payments stores, and by the rail.

import type { ObservedPayment } from './observed-payment.ts';

/** Outgoing state of our wallet, from rows that payments stores, so that no input or nonce is used twice. */
export interface WalletState {
  /** Inputs (`txid:vout`) that our unfinished attempts spend. */
  readonly spent: readonly string[];
  /** Our outputs of unfinished attempts, with their raw transactions (change that may be chained). */
  readonly unconfirmed: readonly { readonly txid: string; readonly raw: string; readonly spends?: readonly string[] }[];
  /** The next nonce by our own rows (account chains), or undefined if none was ever used. */
  readonly nextNonce?: number;
  /** Receiving addresses that may hold coins: derivation indexes. */
  readonly indexes: readonly number[];
  /** Indexes of receiving addresses that ever got gas; some of it remains after a sweep. For `reserve` only. */
  readonly fuelled?: readonly number[];
  /** The next unused change index. */
  readonly changeIndex: number;
  /**
   * Part of the hot wallet's coin that the books set aside for fees, if the coin is a currency too (`feesFrom`). The rail can't
   * tell the two parts apart, since both are at one address.
   */
  readonly fuel?: bigint;
}

/** State that a comparison passes to a rail. */
export interface OwnSendsRequest {
  readonly state: WalletState;
  /** Position up to which the last finished comparison read the history, in the rail's own form. */
  readonly readTo?: string;
  /** True for the first comparison of this process: the rail reads everything. Otherwise it reads only possible changes. */
  readonly isFirst: boolean;
}

/** Sends from our own account, as a rail shows them. */
export interface OwnSends {
  readonly sends: readonly OwnSend[];
  /** New position, passed as `readTo` to the next call; absent: unchanged. */
  readonly readTo?: string;
  /** True if there was no time to read everything: the next call continues from `readTo`. */
  readonly isUnfinished?: true;
}

/** One send from our own account. The rail doesn't know if the books have it. */
export interface OwnSend {
  /** The rail's id of the transaction or transfer. If the rail shows only a used nonce, that nonce as a spend. */
  readonly reference: string;
  /** Spend of the send, as attempts name it. */
  readonly spend?: string;
  /** Nonces of the send, both ends included. */
  readonly nonces?: { readonly first: number; readonly last: number };
  /**
   * Our reference in the send. At a provider, people may also move money by hand, so only a send with a reference is proof.
   * Absent on chains, where nobody else has the keys.
   */
  readonly ours?: string;
  /** Payments to others; unreadable ones are left out. */
  readonly pays: readonly OwnPayment[];
  /** Time of the send, by the rail. */
  readonly at?: Date;
}

/** An amount that a send pays to somebody else. */
export interface OwnPayment {
  readonly currency: string;
  readonly parts: bigint;
  readonly to: string;
}

/** Payments of a transaction. `unknown`: the chain doesn't have the transaction. `waiting`: no block has it yet. */
export type PaidBy =
  | { readonly is: 'unknown' | 'waiting' }
  | { readonly is: 'mined'; readonly payments: readonly ObservedPayment[] };
