// The link of a store: who opens it makes an invoice and pays.

/** Sum that a link asks for, in parts of its currency: a fixed amount, or bounds of the sum that the buyer states. */
export type LinkSum = { readonly amount: bigint } | { readonly least: bigint; readonly most: bigint };

export interface Link {
  /** Random: everybody who knows it may open the page of the link. */
  readonly id: string;
  readonly storeId: string;
  readonly title: string;
  /** Asset in which the sum is stated. */
  readonly currency: string;
  readonly sum: LinkSum;
  /** Number of invoices that may be paid; undefined: any number. */
  readonly maxUses: number | undefined;
  /** False if no invoice is made by the link now. */
  readonly isOn: boolean;
  /** Key of the link's picture; undefined: none. */
  readonly picture: string | undefined;
  readonly createdAt: Date;
  readonly removedAt: Date | undefined;
}

/** Maximum number of links of a store, without removed ones. */
export const MAX_LINKS = 100;
