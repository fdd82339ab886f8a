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

/** A holder's wallet in the form of a rail account, and the test for such an account. */
export const walletAccount = (holderId: string): RailAccount => ({ fields: {}, key: `wallet:${holderId}` });
export const isWalletAccount = ({ key }: RailAccount): boolean => key.startsWith('wallet:');

/** A quote that step 3 holds for the customer, with everything that an order pins of it. */
export interface HeldQuote {
  readonly terms: PriceTerms;
  readonly give: Money;
  /** The customer's level that the quote's limits are based on. */
  readonly level: Level;
  readonly usd: Money<'USD'>;
  readonly ratesVersion: string;
  /** Versions of the direction and of the rails' cost lines behind the terms; 0 if there is no line. */
  readonly madeFrom: { readonly direction: number; readonly payin: number; readonly payout: number };
  /** The direction's minimum amount at that moment. */
  readonly minimum: Money;
  /** Percent of the requested amount that is enough to go on automatically. */
  readonly shortPercent: number;
  readonly refundCost: Money;
  readonly minRefund: Money;
  /** True if the payout fits into the reserve that one order may hold, as far as known. */
  readonly isWithinReserve: boolean;
  /** Promised time of the payout; absent until the review. */
  readonly promised?: PromisedTime;
  /** The review announced an approval, and only because of the customer's own sums. */
  readonly hasOwnWait?: true;
  /** The customer's affiliate; absent if there is none. */
  readonly sent?: Sent;
  /** The quote as the customer saw it. */
  readonly shown: Output<Routes['calculate']>;
  /** Milliseconds since 1970. */
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
  /** Absent if the rail refunds to the source of a payment. */
  readonly refund?: RailAccount;
  /** Cost of sending to the account, if it depends on the account; fixed from step 2 on. */
  readonly sending?: NetworkCost;
  readonly askMe: boolean;
  readonly isBotChecked: boolean;
  /** The sides that are a holder's wallets, and that holder. */
  readonly wallet?: WalletSides;
  readonly holderId?: string;
  /** Loyalty discount in percent of the fee: the signed-in holder's own, or the one that the mailbox confirmed. */
  readonly loyalty?: number;
  /** The mailbox whose owner confirmed the calculation by the mailed button, in its canonical spelling. */
  readonly mailbox?: string;
  /** Code of the coupon in the price. */
  readonly coupon?: string;
  /** The affiliate's link that led to the calculation. */
  readonly visit?: Visit;
  readonly held?: HeldQuote;
  readonly orderId?: string;
  readonly endedAt?: Date;
}

/** Returns the context that a calculation is priced in. The customer's discounts enter here, as `discounts`. */
export function priceContextOf(
  { sending, wallet, loyalty }: Pick<Calculation, 'sending' | 'wallet' | 'loyalty'>,
  level: Level = 0,
  { coupons = [], sent }: { readonly coupons?: readonly RequestedDiscount[]; readonly sent?: Sent | undefined } = {},
): PriceContext {
  const discounts = [...coupons, ...loyaltyDiscount(loyalty), ...friendDiscount(sent)];
  return { level, sending, wallet, ...(discounts.length > 0 && { discounts }), ...(sent && { rewards: sent.rewards }) };
}

/** Returns the friend's discount of a customer whom an affiliate sent. */
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

/** True if the customer’s level is still at least the one that the quote was held for. */
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
