// Receipts: the desk's signed promises. These types have no schemas, since browsers load them too.

interface Sum {
  readonly amount: string;
  readonly currency: string;
}

/**
 * The terms in a receipt. The signed bytes are this object as JSON (UTF-8), with the fields in this order. They are sent as
 * signed, so that nobody has to reproduce them for checking. New versions may only add fields.
 */
export interface ReceiptTerms {
  readonly type: 'kurs-receipt';
  readonly version: 1;
  /** A quote that the review holds, or a placed order. */
  readonly kind: 'review' | 'order';
  /** The desk's name and the address of its site. */
  readonly issuer: { readonly name: string; readonly url: string };
  /** Number of the order, or id of the calculation. */
  readonly id: string;
  /** When the order was placed, and until when it keeps this rate; absent if it was placed at the current rate. */
  readonly placed_at?: string;
  readonly locked_until?: string;
  /** Until when the review holds the quote, and how long the rate is locked after placing. */
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
  /** The part of `give` that is exchanged at the rate; it gives `get`, rounded down. */
  readonly exchanged: Sum;
  /** Minimum and maximum of one order in this direction, in the currency given. */
  readonly limits: { readonly min: string; readonly max: string };
  /** True if the reserve for `get` is held. */
  readonly reserve_held: boolean;
  readonly policy_version: string;
  readonly rules: {
    /** For a payment that is seen after the lock, or not confirmed in time: the customer chooses the current rate or a refund. */
    readonly late: {
      readonly first_confirmation_minutes: number;
      readonly offer_seconds: number;
      readonly choose_hours: number;
    };
    /**
     * For a payment below the amount. From `goes_on_from` on it is exchanged at the locked rate when the lock ends (absent if the
     * customer wants to be asked, or no reserve is held). Below that the customer chooses between a refund and the lower of the
     * locked and the current rate.
     */
    readonly short: { readonly goes_on_from?: Sum };
    /** An excess of up to this sum is exchanged at the same rate; about a larger one the customer decides separately. */
    readonly more?: { readonly up_to: Sum };
    /** For a payment that can be reversed for months: maximum hours that the payout waits. */
    readonly payout?: { readonly waits_hours: number };
    /** Cost of sending a refund, and the smallest refund. */
    readonly refund: { readonly costs: Sum; readonly smallest: Sum };
    /**
     * Maximum minutes from a final, fitting and clean payment to the payout's handover to its rail. The time for the customer's
     * own steps, checks of compliance, a waiting `payout` and, with `after_approval`, an approval by people doesn't count.
     */
    readonly time?: { readonly minutes: number; readonly after_approval: boolean };
  };
}

/** A receipt as sent: the signed bytes and the Ed25519 signature in base64url, and the id of the key. */
export interface Receipt {
  readonly payload: string;
  readonly signature: string;
  readonly key_id: string;
}

/** A public key of the desk: its 32 bytes in base64url (RFC 8032). Keys stay listed after they are replaced. */
export interface ReceiptKey {
  readonly key_id: string;
  readonly algorithm: 'Ed25519';
  readonly public_key: string;
}
