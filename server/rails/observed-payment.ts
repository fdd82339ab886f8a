// Payments as a rail shows them, and the evidence for missing ones.

export type Fields = Readonly<Record<string, string>>;

/** An account at a rail in canonical fields, and one line that identifies it. */
export interface Account {
  readonly fields: Fields;
  readonly key: string;
}

/** A customer's entry for an address. `id`: our own id of this entry, stored before it is used. */
export interface Entry {
  readonly id: string;
  readonly currency: string;
  readonly to: string;
  readonly fields: Fields;
}

/** Coin that a contract handed on to an address within a transaction, all of it: no poll shows it, so it must be named. */
export interface HandedOn {
  readonly txid: string;
  /** Amount in minor units of the coin's unit. */
  readonly parts: bigint;
}

export interface ReceivingAddress {
  readonly currency: string;
  readonly to: string;
  /** The chain's height when the address was handed out: nothing before it needs to be read. */
  readonly sinceHeight: number;
  /** Position of the last incomplete poll, in the rail's own form (`Unread`); absent after a complete one. */
  readonly readOn?: string;
  /** The provider's own name of the payment, as `open` gave it. */
  readonly id?: string;
  /** True if somebody still waits for it: only then a provider that needs our consent (a capture) gets it. */
  readonly wanted?: boolean;
  /** Known coin handed on to it: shown as other payments, each proved by its transaction. */
  readonly handedOn?: readonly HandedOn[];
  /** Used entries for this address: `redeem` may have taken them. */
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
  /** Its spends, if the rail shows them: of two payments that share one only one can ever happen. */
  readonly inputs?: readonly string[];
  /** Account for a refund of this payment, if the rail can give back to its source. */
  readonly source?: Account;
  /** The provider's fee in minor units: `parts` is the paid amount, and less this fee it is ours. */
  readonly fee?: bigint;
  readonly status: Standing;
}

export type Standing =
  | {
      readonly at: 'mempool';
      /** Signals replacement or conflicts with another: it stays *seen* until it is in a block. */
      readonly replaceable: boolean;
      /** True if the payment's fee is high enough for one of the next 6 blocks by our estimate. Absent: unknown. */
      readonly feeOk?: boolean;
    }
  | {
      readonly at: 'block';
      readonly height: number;
      readonly hash: string;
      readonly minedAt: Date;
      readonly confirmations: number;
      /** Beyond any reorg by the chain's own word (Ethereum's `finalized`). */
      readonly finalised: boolean;
    }
  /**
   * It was there and was taken back: a chargeback, a reversal. Accepted at once, at any age. `parts`: the amount so far, in minor
   * units, if the rail shows it; absent: all.
   */
  | { readonly at: 'taken_back'; readonly reason: 'chargeback'; readonly parts?: bigint };

/** An address that a poll could not read completely. */
export interface Unread {
  readonly to: string;
  /** Position at which the next poll continues, in the rail's own form; absent: the beginning of this one. */
  readonly readOn?: string;
  /** Reason, for people. */
  readonly detail: string;
}

/** A known payment that a poll no longer showed. */
export interface Missing extends Pick<ObservedPayment, 'key' | 'currency' | 'to' | 'parts' | 'txid' | 'from'> {
  /** Its spends, from earlier observations. */
  readonly inputs: readonly string[];
  /** Block that it was last shown in; absent: it was unconfirmed. */
  readonly block?: { readonly height: number; readonly hash: string };
}

/**
 * Outcome for a missing payment.
 * - `there`: it exists, perhaps elsewhere; `sighting` has its place
 * - `gone`: it has ended, by evidence. `sighting`: it waits to be mined again
 * - `unknown`: neither; `detail` has the reason, for people
 */
export type Fate =
  | { readonly is: 'there'; readonly sighting: ObservedPayment }
  | { readonly is: 'gone'; readonly by: Evidence; readonly sighting?: ObservedPayment }
  | { readonly is: 'unknown'; readonly detail: string };

/**
 * Evidence that a payment is gone. `tip`: height of the chain that it was read from, by the same node; payments accepts no tip
 * below one that it has seen.
 * - `block`: another block stands at the height of its block
 * - `spent`: another transaction in a block has spent what it spends (an input; on account chains, if an observed payment names
 *   it, the nonce)
 */
export type Evidence =
  | { readonly kind: 'block'; readonly height: number; readonly hash: string; readonly tip: number }
  | { readonly kind: 'spent'; readonly input: string; readonly txid: string; readonly height: number; readonly tip: number };
