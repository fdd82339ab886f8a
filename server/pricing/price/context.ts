import { type DiscountKind, type Fraction, type Money, fraction } from '@kurs/money';
import type { Level } from '../../compliance/index.ts';
import type { NetworkCost } from '../directions/store.ts';

/** The sides of an exchange that are the customer's own wallets. */
export type WalletSides = 'give' | 'get' | 'both';

/** Returns true if a side of the exchange is a wallet. */
export const isWallet = (wallet: WalletSides | undefined, side: 'give' | 'get'): boolean => wallet === side || wallet === 'both';

/**
 * A requested discount: a percentage, a sum, or both. The percentage is of the fee; for a friend's discount, of the fee after all
 * other discounts.
 */
export interface RequestedDiscount {
  readonly kind: DiscountKind;
  readonly percent?: Fraction;
  /** Sum in the unit of rewards, converted at the mid-market rate. If there is also `percent`, the sum is the discount's maximum. */
  readonly worth?: Money;
}

/** Returns the loyalty discount for this percentage of the fee; empty without one. */
export const loyaltyDiscount = (of: number | undefined): RequestedDiscount[] =>
  of === undefined ? [] : [{ kind: 'loyalty', percent: fraction(BigInt(of), 100n) }];

/** The customer and the purpose that a price is made for. By default: a visitor who pays and is paid by rails. */
export interface PriceContext {
  /** The customer's verification level, which limits the amount. */
  readonly level?: Level;
  /** Cost of sending to the customer's own account, if known; the usual cost by default. */
  readonly sending?: NetworkCost | undefined;
  /** The sides that are wallets. These sides involve no rail, so no network or provider charges anything. */
  readonly wallet?: WalletSides | undefined;
  /** Requested discounts. The price may apply only a part of them. */
  readonly discounts?: readonly RequestedDiscount[] | undefined;
  /** Share of the desk's fee, after discounts, that the customer's affiliates get. */
  readonly rewards?: Fraction | undefined;
  /** Purpose of the payments, for which people can switch rails off; orders by default. */
  readonly purpose?: string | undefined;
}
