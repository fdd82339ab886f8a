/** What an order's receipt says beside its price, as it stood at the placing. */
export interface ReceiptPins {
  /** The key that signs it. */
  readonly key: string;
  readonly issuer: { readonly name: string; readonly url: string };
  /** Version of the terms of service. */
  readonly policy: string;
  /** The direction's largest amount, in parts given. */
  readonly maximum: bigint;
  /** What it is to get was set aside. */
  readonly held: boolean;
  /** Milliseconds that a choice and an offer stand. */
  readonly choice: number;
  readonly offer: number;
  /** The longest that the payout waits, in milliseconds, where the payment can be taken back for months. */
  readonly clearing?: number;
}
