// Finds a calculation's discounts, by its coupon code and by its holder's credit. Holds the coupons' uses for the order.

import { Problem } from '@kurs/contract';
import { type PriceBreakdown, type PriceTerms, REWARD_UNIT, parse } from '@kurs/money';
import { type Subject, knownBy, shownKeys } from '../../../compliance/index.ts';
import {
  type Claimant,
  type CouponRequest,
  type HeldUse,
  type HoldRequest,
  askCoupon,
  askFound,
  askCredit,
  holdUse,
  requireWorth,
} from '../../../coupons/index.ts';
import { type Owner, type Statements, type Tx, allEnded, canonicalEmail, orProblem } from '../../../platform/index.ts';
import { currentView, directionOf, quote, worthOf } from '../../../pricing/index.ts';
import { worthOfDiscount } from '../../order/money/order-coupons.ts';
import type { Calculation } from '../calculation.ts';
import { hasOrdered, nowOf, ordererOf } from './has-ordered.ts';
import type { CallerRead } from './read-callers.ts';

type WantedCoupon = Pick<Calculation, 'from' | 'to' | 'mailbox'> & { readonly coupon?: string | undefined };

/** The customer of a calculation. */
interface Who {
  /** The customer as a claimant of coupons; absent until their address is known. */
  readonly claimant?: Claimant | undefined;
  /** The account holder who is signed in. */
  readonly holderId?: string | undefined;
}

/**
 * Returns the discounts of a calculation by the credit of its holder and by its coupon code. Makes no query if both the holder
 * and the code are missing. Throws the errors of `askCoupon`.
 */
export async function couponsOf(
  db: Statements,
  { from, to, coupon }: WantedCoupon,
  { claimant, holderId = claimant?.holderId }: Who = {},
): Promise<CouponRequest[]> {
  const credit = await askCredit(db, holderId);
  if (coupon === undefined) return credit ? [credit] : [];
  const direction = directionOf(from, to).slug;
  const named = await askCoupon(db, coupon, { direction, now: await nowOf(db), claimant, nameOf });
  return credit ? [credit, named] : [named];
}

/** Like `couponsOf`, from data that was already read about the caller and the code. Throws the errors of `couponsOf`. */
export async function couponsRead(
  db: Statements,
  { from, to, coupon }: WantedCoupon,
  read: CallerRead | undefined,
): Promise<CouponRequest[]> {
  const credit = read?.credit ? [read.credit] : [];
  if (coupon === undefined || !read) return credit;
  return [...credit, await askFound(db, read.coupon, { direction: directionOf(from, to).slug, now: read.now, nameOf })];
}

/** Returns the readable name of a direction by its slug: `BTC → USDT ERC20`. */
function nameOf(slug: string): string {
  const direction = currentView().directions.find((one) => one.slug === slug);
  return direction ? `${direction.from} → ${direction.to}`.replaceAll('_', ' ') : slug;
}

/** Returns the discounts of these requests, in the form that a price context takes. */
export const discountsOf = (requests: readonly CouponRequest[]): CouponRequest['discount'][] =>
  requests.map(({ discount }) => discount);

/** Returns a quote with these coupons. Throws if the exchange is worth less than a coupon requires, and the errors of `quote`. */
export function quoteWith(
  input: Parameters<typeof quote>[0],
  context: Parameters<typeof quote>[1],
  requests: readonly CouponRequest[],
): ReturnType<typeof quote> {
  const quoted = quote(input, context);
  for (const one of requests) requireEnough(one, worthOf(quoted).parts);
  return quoted;
}

/** Throws if an exchange is worth too little for a coupon. `usd`: the exchange's worth in cents. */
export function requireEnough({ coupon }: CouponRequest, usd: bigint): void {
  requireWorth(coupon, usd * CENT);
}

/** A cent in parts of the unit of rewards. */
const CENT = parse(REWARD_UNIT, '0.01').parts;

/**
 * Returns a customer as a claimant of coupons. `mailbox`: the mailbox that a visitor has confirmed. For an account holder or such
 * a visitor, earlier orders on which the address was only typed are ignored.
 */
export function claimantOf(db: Statements, subject: Subject, mailbox?: string): Claimant {
  const [emailKey, holderId] = [canonicalEmail(subject.email), subject.holder?.id];
  const confirmed = mailbox === emailKey ? [`email:${mailbox}`] : [];
  return {
    ...{ emailKey, holderId, keys: knownBy(subject), shown: [...shownKeys(subject), ...confirmed] },
    hasOrdered: () => hasOrdered(db, ordererOf(subject, mailbox)),
  };
}

/** A price as the review showed it. `usd`: its worth in cents. */
interface Reviewed {
  readonly breakdown: PriceBreakdown;
  readonly terms: PriceTerms;
  readonly usd: bigint;
}

/**
 * Returns the amount that a price takes from a coupon of this kind, in parts of the unit of rewards; 0 if the price has no such
 * discount.
 */
function neededFor({ breakdown, terms }: Omit<Reviewed, 'usd'>, kind: CouponRequest['discount']['kind']): bigint {
  const given = breakdown.components.find((one) => one.kind === 'discount' && one.code === kind);
  return given ? worthOfDiscount(given.amount, terms) : 0n;
}

/** True if the holder's credit still covers the amount that a price takes from it. */
export const reachesCredit = (price: Omit<Reviewed, 'usd'>, requests: readonly CouponRequest[]): boolean =>
  neededFor(price, 'credit') <= (requests.find(({ discount }) => discount.kind === 'credit')?.discount.worth.parts ?? 0n);

/** A reviewed calculation that becomes an order, with the order's owner and customer (`subject`). */
export interface Couponed extends Reviewed {
  readonly calculation: WantedCoupon;
  readonly owner: Owner;
  readonly subject: Subject;
}

/**
 * Holds the coupon uses of calculations for their orders. Coupons that gave no discount are left out. Returns a problem for each
 * refused calculation: the errors of `holdUse`, or `quote_expired` if the credit no longer covers its price. The caller must roll
 * back a refused calculation, because some of its uses may be held already.
 */
export async function holdCoupons(tx: Tx, all: readonly Couponed[]): Promise<(readonly HeldUse[] | Problem)[]> {
  const wanted = await allEnded(all.map((one) => orProblem(usesFor(tx, one))));
  const held = wanted.map((one): HeldUse[] | Problem => (one instanceof Problem ? one : []));
  const uses = wanted.flatMap((one, at) => (one instanceof Problem ? [] : one.map((use) => ({ at, use }))));
  // Sorted by coupon, so that concurrent transactions lock coupons in the same sequence and can't deadlock.
  for (const { at, use } of uses.toSorted((left, right) => (left.use.request.coupon.id < right.use.request.coupon.id ? -1 : 1))) {
    const before = held[at];
    if (!before || before instanceof Problem) continue;
    const taken = await orProblem(holdUse(tx, use));
    if (taken instanceof Problem) held[at] = taken;
    else before.push(taken);
  }
  return held;
}

/**
 * Returns the coupon uses that a calculation needs. Throws the errors of `couponsOf`, and `quote_expired` if the credit no longer
 * covers its price.
 */
async function usesFor(tx: Tx, { calculation, owner, subject, ...reviewed }: Couponed): Promise<HoldRequest[]> {
  const claimant = claimantOf(tx, subject, calculation.mailbox);
  const requests = await couponsOf(tx, calculation, { claimant });
  if (!reachesCredit(reviewed, requests)) throw new Problem('quote_expired');
  for (const one of requests) requireEnough(one, reviewed.usd);
  return requests
    .map((one) => ({ owner, request: one, claimant, needed: neededFor(reviewed, one.discount.kind) }))
    .filter(({ needed }) => needed > 0n);
}
