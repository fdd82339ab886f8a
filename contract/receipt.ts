// Receipts: what the desk promised, signed. No schema comes with these types: a browser reads them too.

interface Sum {
  readonly amount: string;
  readonly currency: string;
}

/**
 * The terms that a receipt states. Its bytes are this as JSON (UTF-8) in the order of the fields here; they are signed as
 * they are sent, so nobody has to write them again to check them. A new version of it may only add fields.
 */
export interface ReceiptTerms {
  readonly type: 'kurs-receipt';
  readonly version: 1;
  /** A quote that the review holds, or a placed order. */
  readonly kind: 'review' | 'order';
  /** Who promises: the desk's name and the address of its site. */
  readonly issuer: { readonly name: string; readonly url: string };
  /** Number of the order, or id of the calculation. */
  readonly id: string;
  /** When the order was placed, and until when it keeps this rate; absent where it was placed at the current one. */
  readonly placed_at?: string;
  readonly locked_until?: string;
  /** Until when the review holds the quote, and for how long the rate is locked from the placing. */
  readonly quote_expires_at?: string;
  readonly lock_minutes?: number;
  readonly give: Sum;
  readonly get: Sum;
  /** One whole `base` is worth `value` whole `quote`. */
  readonly rate: { readonly base: string; readonly quote: string; readonly value: string };
  readonly rates_version: string;
  readonly fees: readonly (Sum & { readonly code: string; readonly percent?: string | undefined })[];
  /** Sum of all discounts, and each of them. Both are absent if there are none. */
  readonly discount?: Sum;
  readonly discounts?: readonly (Sum & { readonly code: string })[];
  /** What is left of `give` and is exchanged at the rate; it brings `get`, rounded down. */
  readonly exchanged: Sum;
  /** The limit of one order in this direction, in the currency given. */
  readonly limits: { readonly min: string; readonly max: string };
  /** What `get` takes is set aside for it. */
  readonly reserve_held: boolean;
  readonly policy_version: string;
  readonly rules: {
    /** A payment that is seen after the lock, or isn't confirmed in time: the current rate or a refund, by choice. */
    readonly late: {
      readonly first_confirmation_minutes: number;
      readonly offer_seconds: number;
      readonly choose_hours: number;
    };
    /**
     * Less than asked. From `goes_on_from` it is exchanged at the locked rate when the lock ends (absent: the customer
     * asked to choose, or nothing is set aside); below, they choose between the lower of the locked and the current rate
     * and a refund.
     */
    readonly short: { readonly goes_on_from?: Sum };
    /** Up to this much more than asked is exchanged at the same rate; what exceeds it they decide about apart. */
    readonly more?: { readonly up_to: Sum };
    /** A payment that can be taken back for months: the payout waits for so many hours at the most. */
    readonly payout?: { readonly waits_hours: number };
    /** What sending a refund back costs, and the least that is refunded. */
    readonly refund: { readonly costs: Sum; readonly smallest: Sum };
    /**
     * Within how many minutes the payout is handed to its rail, from the payment that is final, fits and is clean. What the
     * customer has to do, checks of compliance, a `payout` that waits and, `after_approval`, people who approve it don't count.
     */
    readonly time?: { readonly minutes: number; readonly after_approval: boolean };
  };
}

/** A receipt as it travels: base64url of the signed bytes and of the Ed25519 signature, and which key signed. */
export interface Receipt {
  readonly payload: string;
  readonly signature: string;
  readonly key_id: string;
}

/** A public key of the desk, base64url of its 32 bytes (RFC 8032). Keys stay listed after newer ones replaced them. */
export interface ReceiptKey {
  readonly key_id: string;
  readonly algorithm: 'Ed25519';
  readonly public_key: string;
}
