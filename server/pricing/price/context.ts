import { type DiscountKind, type Fraction, type Money, fraction } from '@kurs/money';
import type { Level } from '../../compliance/index.ts';
import type { NetworkCost } from '../directions/store.ts';

/** Sides of an exchange that are its holder's own wallets. */
export type WalletSides = 'give' | 'get' | 'both';

/** Whether a side is among them. */
export const isWallet = (wallet: WalletSides | undefined, side: 'give' | 'get'): boolean => wallet === side || wallet === 'both';

/** A discount as it is asked for: a share of the fee (the friend's: of what the others leave of it), a sum, or both. */
export interface AskedDiscount {
  readonly kind: DiscountKind;
  readonly percent?: Fraction;
  /** In the unit of rewards, by the middle of the market: so much, or of a share at most so much. */
  readonly worth?: Money;
}

/** What loyalty asks for: so many percent of the fee. */
export const loyaltyDiscount = (of: number | undefined): AskedDiscount[] =>
  of === undefined ? [] : [{ kind: 'loyalty', percent: fraction(BigInt(of), 100n) }];

/** For whom a price is made, and for what. Without any of it: for a visitor who pays and is paid by rails. */
export interface PriceContext {
  /** The customer's verification level; decides the largest amount. */
  readonly level?: Level;
  /** What sending to the customer's very account costs, where that is known; the usual cost by default. */
  readonly sending?: NetworkCost | undefined;
  /** Sides that are wallets of ours: no rail carries them, so neither network nor provider takes anything. */
  readonly wallet?: WalletSides | undefined;
  /** What the customer asks to be let off; how much of it they are is the price's. */
  readonly discounts?: readonly AskedDiscount[] | undefined;
  /** Of what the desk keeps of its fee, the share that it pays on to those who sent the customer. */
  readonly rewards?: Fraction | undefined;
  /** What it is for, as people switch rails by it: orders, if nothing is said. */
  readonly purpose?: string | undefined;
}
