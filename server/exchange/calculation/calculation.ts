import { type Output, Problem, type Routes } from '@kurs/contract';
import { type Money, type PriceTerms, type PriceBreakdown, breakdownForGive } from '@kurs/money';
import type { Level } from '../../compliance/index.ts';
import {
  type AskedDiscount,
  type NetworkCost,
  type PriceContext,
  type WalletSides,
  loyaltyDiscount,
} from '../../pricing/index.ts';
import type { Sent, Visit } from '../../referrals/index.ts';
import type { PromisedTime, RailAccount } from '../order/order.ts';

/** A holder's wallet as the account of a side, and whether one is that. */
export const walletAccount = (holderId: string): RailAccount => ({ fields: {}, key: `wallet:${holderId}` });
export const isWalletAccount = ({ key }: RailAccount): boolean => key.startsWith('wallet:');

/** A quote that step 3 holds for the customer, with everything an order pins of it. */
export interface HeldQuote {
  readonly terms: PriceTerms;
  readonly give: Money;
  /** The customer's level that its bounds were made for. */
  readonly level: Level;
  readonly usd: Money<'USD'>;
  readonly ratesVersion: string;
  /** Which versions of the direction and of the rails' cost lines its terms were made from; 0 where there is no line. */
  readonly madeFrom: { readonly direction: number; readonly payin: number; readonly payout: number };
  /** The direction's smallest amount at that moment. */
  readonly minimum: Money;
  /** Percent of what was asked that are enough to go on automatically. */
  readonly shortPercent: number;
  readonly refundCost: Money;
  readonly refundLeast: Money;
  /** Within what one order may hold of the reserve, as far as could be told. */
  readonly fits: boolean;
  /** Within how long the payout is promised; absent until the review is asked for. */
  readonly promised?: PromisedTime;
  /** People were announced because of its customer's own sums, and for no other reason. */
  readonly waitsByOwn?: true;
  /** Who sent its customer; absent for nobody. */
  readonly sent?: Sent;
  /** The quote as the customer was shown it. */
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
  /** None where the rail gives back to where a payment came from. */
  readonly refund?: RailAccount;
  /** What sending to the account costs, where the account decides that: final from step 2 on. */
  readonly sending?: NetworkCost;
  readonly askMe: boolean;
  readonly botChecked: boolean;
  /** Which sides are a holder's wallets, and whose. */
  readonly wallet?: WalletSides;
  readonly holderId?: string;
  /** What of the fee its customer is let off by loyalty, in percent: an account holder's own, or as their mailbox confirmed it. */
  readonly loyalty?: number;
  /** The mailbox whose owner confirmed it by the mailed button, in its canonical spelling. */
  readonly mailbox?: string;
  /** The code of the coupon that it is priced with. */
  readonly coupon?: string;
  /** The affiliate's link that it came by. */
  readonly visit?: Visit;
  readonly held?: HeldQuote;
  readonly orderId?: string;
  readonly endedAt?: Date;
}

/** For who and for what a calculation is priced. What its customer is let off enters here, as `discounts`. */
export function priceContextOf(
  { sending, wallet, loyalty }: Pick<Calculation, 'sending' | 'wallet' | 'loyalty'>,
  level: Level = 0,
  { coupons = [], sent }: { readonly coupons?: readonly AskedDiscount[]; readonly sent?: Sent | undefined } = {},
): PriceContext {
  const discounts = [...coupons, ...loyaltyDiscount(loyalty), ...friendDiscount(sent)];
  return { level, sending, wallet, ...(discounts.length > 0 && { discounts }), ...(sent && { rewards: sent.rewards }) };
}

/** What a customer whom somebody sent is let off. */
export const friendDiscount = (sent: Sent | undefined): AskedDiscount[] =>
  sent && sent.friend.numerator > 0n ? [{ kind: 'friend', percent: sent.friend }] : [];

/** A calculation whose three steps are done. */
export type Complete = Calculation & Required<Pick<Calculation, 'email' | 'receive' | 'held'>>;

/** The last step that is done. */
export function stepOf(calculation: Calculation): 1 | 2 | 3 {
  if (!calculation.receive) return 1;
  return calculation.held ? 3 : 2;
}

/** Throws `calculation_used` or `calculation_expired` where a calculation can't be worked on any more. */
export function requireOpen(calculation: Calculation, now: Date): void {
  if (calculation.orderId !== undefined) throw new Problem('calculation_used');
  if (calculation.endedAt !== undefined || calculation.expiresAt <= now) throw new Problem('calculation_expired');
}

/** Whether step 3's quote still stands. */
export function isHeld(calculation: Calculation, now: Date): boolean {
  return calculation.held !== undefined && calculation.held.expiresAt > now.getTime();
}

/** True if the customer’s level is still at least the one that the quote was held for. */
export const hasItsLevel = (held: HeldQuote, level: Level): boolean => (held.level ?? 0) <= level;

/**
 * The calculation with all that an order needs. Throws `calculation_incomplete` where a step is missing, and
 * `quote_expired` where the review's three minutes are over.
 */
export function requireComplete(calculation: Calculation, now: Date): Complete {
  requireOpen(calculation, now);
  const { email, receive, held } = calculation;
  if (email === undefined || !receive || !held) throw new Problem('calculation_incomplete');
  if (held.expiresAt <= now.getTime()) throw new Problem('quote_expired');
  return { ...calculation, email, receive, held };
}

/** The price breakdown of a held quote: terms and amount make the same one every time. */
export function heldBreakdown(held: HeldQuote): PriceBreakdown {
  return breakdownForGive(held.give, held.terms);
}
