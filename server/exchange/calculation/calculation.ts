import { type Output, Problem, type Routes } from '@kurs/contract';
import { type Money, type PriceTerms, type PriceBreakdown, breakdownForGive } from '@kurs/money';
import type { Level } from '../../compliance/index.ts';
import {
  type RequestedDiscount,
  type NetworkCost,
  type PriceContext,
  type WalletSides,
  loyaltyDiscount,
} from '../../pricing/index.ts';
import type { Sent, Visit } from '../../referrals/index.ts';
import type { PromisedTime, RailAccount } from '../order/order.ts';

/** Returns a holder's wallet in the form of a rail account. */
export const walletAccount = (holderId: string): RailAccount => ({ fields: {}, key: `wallet:${holderId}` });
/** True if a rail account is in truth a wallet (`walletAccount`). */
export const isWalletAccount = ({ key }: RailAccount): boolean => key.startsWith('wallet:');

/** A quote that step 3 holds for the customer, with all data that an order pins of the quote. */
export interface HeldQuote {
  readonly terms: PriceTerms;
  readonly give: Money;
  /** The customer's level that the quote's limits are based on. */
  readonly level: Level;
  readonly usd: Money<'USD'>;
  readonly ratesVersion: string;
  /** Versions of the direction and of the rails' cost lines that the terms were made from; 0 for a missing cost line. */
  readonly madeFrom: { readonly direction: number; readonly payin: number; readonly payout: number };
  /** The direction's minimum amount when the quote was made. */
  readonly minimum: Money;
  /** Percent of the requested amount that is enough for the order to be exchanged automatically. */
  readonly shortPercent: number;
  readonly refundCost: Money;
  readonly minRefund: Money;
  /** True if the payout fitted into the part of the reserve that one order may take, when the quote was made. */
  readonly isWithinReserve: boolean;
  /** Promised time of the payout; absent until the review. */
  readonly promised?: PromisedTime;
  /** True if the review announced an approval that only the customer's own payout totals require. */
  readonly hasOwnWait?: true;
  /** The customer's affiliate; absent if there is none. */
  readonly sent?: Sent;
  /** The quote as the customer saw it. */
  readonly shown: Output<Routes['calculate']>;
  /** Time at which the quote ends, in ms since 1970. */
  readonly expiresAt: number;
}

/** A customer's draft in three steps: 1 direction and amount, 2 wallet information, 3 review. */
export interface Calculation {
  readonly id: string;
  readonly expiresAt: Date;
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly side: 'give' | 'get';
  readonly locale: 'en' | 'ru';
  readonly device?: string;
  readonly ip?: string;
  readonly email?: string;
  readonly receive?: RailAccount;
  /** The account for refunds. Absent if the rail refunds to the source of a payment. */
  readonly refund?: RailAccount;
  /** Cost of sending to the account of `receive`, if it depends on the account; fixed from step 2 on. */
  readonly sending?: NetworkCost;
  readonly askMe: boolean;
  readonly isBotChecked: boolean;
  /** The sides of the exchange that are wallets. */
  readonly wallet?: WalletSides;
  /** The account holder who owns these wallets. */
  readonly holderId?: string;
  /** Loyalty discount in percent of the fee: that of the signed-in holder, or of the mailbox that a visitor confirmed. */
  readonly loyalty?: number;
  /** The visitor's mailbox, in its canonical spelling, if its owner pressed the button in the letter for this calculation. */
  readonly mailbox?: string;
  /** Code of the coupon that the customer wants to use. */
  readonly coupon?: string;
  /** The affiliate's link that led to the calculation. */
  readonly visit?: Visit;
  readonly held?: HeldQuote;
  readonly orderId?: string;
  readonly endedAt?: Date;
}

/**
 * Returns the context that a calculation is priced in. The context's `discounts` combine the given coupons with loyalty and
 * friend's discount.
 */
export function priceContextOf(
  { sending, wallet, loyalty }: Pick<Calculation, 'sending' | 'wallet' | 'loyalty'>,
  level: Level = 0,
  { coupons = [], sent }: { readonly coupons?: readonly RequestedDiscount[]; readonly sent?: Sent | undefined } = {},
): PriceContext {
  const discounts = [...coupons, ...loyaltyDiscount(loyalty), ...friendDiscount(sent)];
  return { level, sending, wallet, ...(discounts.length > 0 && { discounts }), ...(sent && { rewards: sent.rewards }) };
}

/** Returns the friend's discount of a customer with this affiliate; empty if there is none. */
export const friendDiscount = (sent: Sent | undefined): RequestedDiscount[] =>
  sent && sent.friend.numerator > 0n ? [{ kind: 'friend', percent: sent.friend }] : [];

/** A calculation whose three steps are done. */
export type Complete = Calculation & Required<Pick<Calculation, 'email' | 'receive' | 'held'>>;

/** Returns the last step that is done. */
export function stepOf(calculation: Calculation): 1 | 2 | 3 {
  if (!calculation.receive) return 1;
  return calculation.held ? 3 : 2;
}

/** Throws `calculation_used` or `calculation_expired` if a calculation can't be changed any more. */
export function requireOpen(calculation: Calculation, now: Date): void {
  if (calculation.orderId !== undefined) throw new Problem('calculation_used');
  if (calculation.endedAt !== undefined || calculation.expiresAt <= now) throw new Problem('calculation_expired');
}

/** True if the quote of step 3 is still held. */
export function isHeld(calculation: Calculation, now: Date): boolean {
  return calculation.held !== undefined && calculation.held.expiresAt > now.getTime();
}

/** True if the customer's level is at least the level that the held quote was made for. */
export const hasItsLevel = (held: HeldQuote, level: Level): boolean => (held.level ?? 0) <= level;

/**
 * Returns the calculation with everything that an order needs. Throws `calculation_incomplete` if a step is missing, and
 * `quote_expired` if the quote's three minutes are over.
 */
export function requireComplete(calculation: Calculation, now: Date): Complete {
  requireOpen(calculation, now);
  const { email, receive, held } = calculation;
  if (email === undefined || !receive || !held) throw new Problem('calculation_incomplete');
  if (held.expiresAt <= now.getTime()) throw new Problem('quote_expired');
  return { ...calculation, email, receive, held };
}

/** Returns the price breakdown of a held quote. The same terms and amount always give the same breakdown. */
export function heldBreakdown(held: HeldQuote): PriceBreakdown {
  return breakdownForGive(held.give, held.terms);
}
