import { type DiscountKind, type Fraction, type Money, fraction } from '@kurs/money';
import type { Level } from '../../compliance/index.ts';
import type { NetworkCost } from '../directions/store.ts';

/** Sides of an exchange that are the customer's own wallets. */
export type WalletSides = 'give' | 'get' | 'both';

/** Returns true if a side is a wallet. */
export const isWallet = (wallet: WalletSides | undefined, side: 'give' | 'get'): boolean => wallet === side || wallet === 'both';

/** A requested discount: a share of the fee (for a friend's: of the rest after other discounts), a sum, or both. */
export interface RequestedDiscount {
  readonly kind: DiscountKind;
  readonly percent?: Fraction;
  /** Sum in the unit of rewards, converted at the market's middle rate. With `percent`, the maximum of the discount. */
  readonly worth?: Money;
}

/** Returns the loyalty discount: a percentage of the fee. */
export const loyaltyDiscount = (of: number | undefined): RequestedDiscount[] =>
  of === undefined ? [] : [{ kind: 'loyalty', percent: fraction(BigInt(of), 100n) }];

/** The customer and the purpose that a price is made for. By default: a visitor who pays and is paid by rails. */
export interface PriceContext {
  /** The customer's verification level; it decides the largest amount. */
  readonly level?: Level;
  /** Cost of sending to the customer's own account, if known; the usual cost by default. */
  readonly sending?: NetworkCost | undefined;
  /** Sides that are wallets: no rail is involved, so no network or provider charges anything. */
  readonly wallet?: WalletSides | undefined;
  /** Requested discounts; the price decides how much of them applies. */
  readonly discounts?: readonly RequestedDiscount[] | undefined;
  /** Share of the desk's kept fee that is paid on to those who referred the customer. */
  readonly rewards?: Fraction | undefined;
  /** Purpose by which people switch rails; orders by default. */
  readonly purpose?: string | undefined;
}
