/** One line of the signer's journal: a signed transaction. `at`: the time of the signature (ISO 8601). */
export interface SignedEntry {
  readonly at: string;
  readonly rail: string;
  readonly txid: string;
  readonly payouts: readonly string[];
  readonly spends: readonly string[];
  /** Amounts that leave us for good, by currency, in minor units as decimal text. */
  readonly leaves: Readonly<Record<string, string>>;
  /** The signed bytes. After a crash before payments stored them, only these bytes are sent. */
  readonly raw: string;
  /** The network's fee, in minor units as decimal text. */
  readonly fee: { readonly currency: string; readonly parts: string };
  /** Payments to others, in minor units as decimal text. */
  readonly pays: readonly { readonly currency: string; readonly to: string; readonly parts: string }[];
}
