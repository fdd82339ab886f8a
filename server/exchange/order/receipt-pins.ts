/** Data of an order's receipt besides the price, as of the placing. */
export interface ReceiptPins {
  /** Id of the key that signs the receipt. */
  readonly key: string;
  readonly issuer: { readonly name: string; readonly url: string };
  /** Version of the terms of service. */
  readonly policy: string;
  /** Maximum amount of the direction, in parts given. */
  readonly maximum: bigint;
  /** True if the payout amount is reserved. */
  readonly isHeld: boolean;
  /** Time in which the customer must make a choice, in ms. */
  readonly choice: number;
  /** Time for which an offer is valid, in ms. */
  readonly offer: number;
  /** Longest wait for a payout in ms, if the payment can be taken back for months. */
  readonly clearing?: number;
}
