// Payments as a rail shows them, and what becomes of those that it shows no more.

export type Fields = Readonly<Record<string, string>>;

/** An account at a rail in canonical fields, and one line that identifies it. */
export interface Account {
  readonly fields: Fields;
  readonly key: string;
}

/** What a customer entered towards an address. `id`: our own of this entry, stored before it is used. */
export interface Entry {
  readonly id: string;
  readonly currency: string;
  readonly to: string;
  readonly fields: Fields;
}

/** Coin that a contract handed on to an address within a transaction, all of it: no look shows it, somebody has to say so. */
export interface HandedOn {
  readonly txid: string;
  /** In parts of the coin's unit. */
  readonly parts: bigint;
}

export interface ReceivingAddress {
  readonly currency: string;
  readonly to: string;
  /** The chain's height when the address was handed out: nothing before it needs to be read. */
  readonly sinceHeight: number;
  /** Where an earlier look left off, as the rail itself told it (`Unread`); only where one did not come to the end. */
  readonly readOn?: string;
  /** The provider's own name of the payment, as `open` gave it. */
  readonly id?: string;
  /** Somebody still waits for it: a provider that asks for our word before it takes the money (a capture) is given it. */
  readonly wanted?: boolean;
  /** Coin handed on to it that is known: shown as payments like any other, each proved by its transaction. */
  readonly handedOn?: readonly HandedOn[];
  /** Entries towards this address that were used: what `redeem` may have taken. */
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
  /** What it spends, where the rail can tell: of two payments that share one of these only one can ever happen. */
  readonly inputs?: readonly string[];
  /** The account that a refund of this very payment goes to, where the rail can give back to where it came from. */
  readonly source?: Account;
  /** What the provider keeps of it, in unit parts: `parts` is what was paid, less this is what we have. */
  readonly fee?: bigint;
  readonly standing: Standing;
}

export type Standing =
  | {
      readonly at: 'mempool';
      /** Signals replacement or conflicts with another: it stays *seen*, whatever happens, until it is in a block. */
      readonly replaceable: boolean;
      /** Pays a fee that our estimate puts within 6 blocks. Absent: nobody can say now, which is no "no". */
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
   * It had been there and was taken back: a chargeback, a reversal. Believed at once, at any age. `parts`: only so much of it
   * so far, in unit parts, where the rail says how much; without it all.
   */
  | { readonly at: 'taken_back'; readonly reason: 'chargeback'; readonly parts?: bigint };

/** An address that a look could not read to its end. */
export interface Unread {
  readonly to: string;
  /** Where the next look reads on, in the rail's own form; absent: where this one began. */
  readonly readOn?: string;
  /** Why, for people. */
  readonly detail: string;
}

/** A payment that is known, and that a look did not show where it had stood. */
export interface Missing extends Pick<ObservedPayment, 'key' | 'currency' | 'to' | 'parts' | 'txid' | 'from'> {
  /** What it spends, as its observed payments told it. */
  readonly inputs: readonly string[];
  /** The block that it was last shown in; absent: it only waited. */
  readonly block?: { readonly height: number; readonly hash: string };
}

/**
 * What became of a payment that was missing.
 * - `there`: it stands, be it elsewhere; `sighting` says where
 * - `gone`: what is known of it is over, by evidence. `sighting`: it waits to be mined again
 * - `unknown`: neither; `detail` says why, for people
 */
export type Fate =
  | { readonly is: 'there'; readonly sighting: ObservedPayment }
  | { readonly is: 'gone'; readonly by: Evidence; readonly sighting?: ObservedPayment }
  | { readonly is: 'unknown'; readonly detail: string };

/**
 * What proves that a payment is gone. `tip`: the height of the chain that it was read from, by the same node; payments
 * believes no tip below one that it has seen.
 * - `block`: at the height of the block that it was in stands another
 * - `spent`: what it spends (an input; on account chains, where an observed payment names it, the nonce) was spent by another
 *   transaction that is in a block
 */
export type Evidence =
  | { readonly kind: 'block'; readonly height: number; readonly hash: string; readonly tip: number }
  | { readonly kind: 'spent'; readonly input: string; readonly txid: string; readonly height: number; readonly tip: number };
