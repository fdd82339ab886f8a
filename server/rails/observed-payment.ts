// Payments as a rail shows them, and the evidence for missing ones.

export type Fields = Readonly<Record<string, string>>;

/** An account at a rail in canonical fields, and one line that identifies it. */
export interface Account {
  readonly fields: Fields;
  readonly key: string;
}

/** A customer's entry for an address, such as a voucher's code. `id`: our own id of this entry, stored before it is used. */
export interface Entry {
  readonly id: string;
  readonly currency: string;
  readonly to: string;
  readonly fields: Fields;
}

/** All coin that a contract handed on to an address within one transaction. No poll shows it, so callers must name it. */
export interface HandedOn {
  readonly txid: string;
  /** Amount in minor units of the coin's unit. */
  readonly parts: bigint;
}

export interface ReceivingAddress {
  readonly currency: string;
  readonly to: string;
  /** The chain's height when the address was given out: earlier blocks need not be read. */
  readonly sinceHeight: number;
  /** Position of the last incomplete poll, in the rail's own form (`Unread`); absent after a complete one. */
  readonly readOn?: string;
  /** The provider's own id of the payment, as `open` returned it. */
  readonly id?: string;
  /** True if an owner still waits for the payment: only then a payment that needs our consent is captured. */
  readonly isWanted?: boolean;
  /** Known coin handed on to the address. Each is shown as a payment, if its transaction proves it. */
  readonly handedOn?: readonly HandedOn[];
  /** Entries for this address that `redeem` was called with, so it may have taken them. */
  readonly entries?: readonly Entry[];
}

export interface ObservedPayment {
  /** Unique at the rail and stable: `txid:vout`, `chainId:txHash:logIndex`. */
  readonly key: string;
  readonly currency: string;
  readonly to: string;
  readonly parts: bigint;
  readonly txid: string;
  readonly from: readonly string[];
  /** Spends of the payment, if the rail shows them: of two payments that share one only one can ever happen. */
  readonly inputs?: readonly string[];
  /** Account for a refund of this payment, if the rail can give back to its source. */
  readonly source?: Account;
  /** The provider's fee in minor units. `parts` is the paid amount; we receive it less this fee. */
  readonly fee?: bigint;
  readonly status: PaymentStatus;
}

export type PaymentStatus =
  | {
      readonly at: 'mempool';
      /** True if the payment signals replacement or conflicts with another: it stays *seen* until it is in a block. */
      readonly isReplaceable: boolean;
      /** True if the payment's fee is high enough for one of the next 6 blocks by our estimate. Absent: unknown. */
      readonly isFeeOk?: boolean;
    }
  | {
      readonly at: 'block';
      readonly height: number;
      readonly hash: string;
      readonly minedAt: Date;
      readonly confirmations: number;
      /** True if the chain itself says that no reorg can revert it (Ethereum's `finalized`). */
      readonly isFinalised: boolean;
    }
  /**
   * The payment was taken back after it was shown: a chargeback, a reversal. Accepted at once, at any age. `parts`: the amount
   * taken back so far, in minor units, if the rail shows it; absent: all.
   */
  | { readonly at: 'taken_back'; readonly reason: 'chargeback'; readonly parts?: bigint };

/** An address that a poll could not read completely. */
export interface Unread {
  readonly to: string;
  /** Position at which the next poll continues, in the rail's own form; absent: at the beginning of this poll. */
  readonly readOn?: string;
  /** Reason, for people. */
  readonly detail: string;
}

/** A known payment that a poll no longer showed. */
export interface Missing extends Pick<ObservedPayment, 'key' | 'currency' | 'to' | 'parts' | 'txid' | 'from'> {
  /** Spends of the payment, from earlier observations. */
  readonly inputs: readonly string[];
  /** Block that last showed the payment; absent: it was unconfirmed. */
  readonly block?: { readonly height: number; readonly hash: string };
}

/**
 * Outcome for a missing payment.
 * - `there`: the payment exists, perhaps in another block; `sighting` shows it
 * - `gone`: evidence proves that it has ended. `sighting`: it waits to be mined again
 * - `unknown`: neither; `detail` has the reason, for people
 */
export type Fate =
  | { readonly is: 'there'; readonly sighting: ObservedPayment }
  | { readonly is: 'gone'; readonly by: Evidence; readonly sighting?: ObservedPayment }
  | { readonly is: 'unknown'; readonly detail: string };

/**
 * Evidence that a payment is gone. `tip`: height of the chain by the same node; payments accepts no tip below one that it has
 * seen.
 * - `block`: another block has replaced the payment's block
 * - `spent`: another mined transaction has used its spend (an input; on account chains the nonce, if an observed payment names
 *   it)
 */
export type Evidence =
  | { readonly kind: 'block'; readonly height: number; readonly hash: string; readonly tip: number }
  | { readonly kind: 'spent'; readonly input: string; readonly txid: string; readonly height: number; readonly tip: number };
