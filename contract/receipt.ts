// Receipts: the desk's signed promises. These types have no schemas, since browsers load them too.

interface Sum {
  readonly amount: string;
  readonly currency: string;
}

/**
 * The terms in a receipt. The signed bytes are this object as JSON (UTF-8), with the fields in this order. The desk sends exactly
 * these bytes, so that a checker doesn't have to reproduce them. New versions may only add fields.
 */
export interface ReceiptTerms {
  readonly type: 'kurs-receipt';
  readonly version: 1;
  /** `review`: a quote in step 3, not ordered yet; `order`: a placed order. */
  readonly kind: 'review' | 'order';
  /** The desk's name and the address of its site. */
  readonly issuer: { readonly name: string; readonly url: string };
  /** Number of the order, or id of the calculation. */
  readonly id: string;
  /** Time at which the order was placed; absent for a review. */
  readonly placed_at?: string;
  /** End of the rate's lock; absent for a review, and for an order that was placed and exchanged at once. */
  readonly locked_until?: string;
  /** For a review: end of the quote's validity. */
  readonly quote_expires_at?: string;
  /** For a review: minutes for which placing the order locks the rate. */
  readonly lock_minutes?: number;
  readonly give: Sum;
  readonly get: Sum;
  /** One whole `base` is worth `value` whole `quote`. */
  readonly rate: { readonly base: string; readonly quote: string; readonly value: string };
  readonly rates_version: string;
  readonly fees: readonly (Sum & { readonly code: string; readonly percent?: string | undefined })[];
  /** Sum of all discounts; absent if there are none. */
  readonly discount?: Sum;
  /** Each discount; absent if there are none. */
  readonly discounts?: readonly (Sum & { readonly code: string })[];
  /** The part of `give` that is exchanged at the rate. `get` is the result, rounded down. */
  readonly exchanged: Sum;
  /** Minimum and maximum of one order in this direction, in the currency given. */
  readonly limits: { readonly min: string; readonly max: string };
  /** True if the desk sets `get` aside from its reserve when the order is placed. */
  readonly reserve_held: boolean;
  readonly policy_version: string;
  readonly rules: {
    /**
     * Rules for a payment that is seen after the lock, or not confirmed in time: the customer chooses the current rate or a
     * refund.
     */
    readonly late: {
      readonly first_confirmation_minutes: number;
      readonly offer_seconds: number;
      readonly choose_hours: number;
    };
    /**
     * Rules for a payment below the amount. A payment of `goes_on_from` or more is exchanged at the locked rate when the lock
     * ends. For a smaller payment, the customer chooses between a refund and the lower of the locked and the current rate.
     * `goes_on_from` is absent if the customer wants to be asked, or if nothing is set aside for the order.
     */
    readonly short: { readonly goes_on_from?: Sum };
    /**
     * Rules for a payment above the amount. An excess of at most `up_to` is exchanged at the same rate; the customer decides
     * separately about a larger excess.
     */
    readonly more?: { readonly up_to: Sum };
    /** Rules for a payment that can be reversed for months. `waits_hours`: maximum time that its payout waits. */
    readonly payout?: { readonly waits_hours: number };
    /** Rules for refunds. `costs`: cost of sending a refund; `smallest`: minimum refund. */
    readonly refund: { readonly costs: Sum; readonly smallest: Sum };
    /**
     * Promised time, in minutes from a final, fitting and clean payment to the payout's handover to its rail. The clock stops
     * during the customer's own steps, checks of compliance and the waiting time of `payout`. With `after_approval`, it also
     * stops while people have to approve.
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
