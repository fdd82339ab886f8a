// Returns a coupon's discount for a code, or throws why it gives none.

import { Problem } from '@kurs/contract';
import { type Fraction, type Money, REWARD_UNIT, format, money, percent, trimZeros } from '@kurs/money';
import { type Statements, log } from '../platform/index.ts';
import type { CustomerKeys } from './claimant-keys.ts';
import { type Coupon, MIN_PARTS, isBalance, isTaken, typedCodes } from './coupon.ts';
import { findCoupons, largestRest, usesOf } from './coupon-store.ts';

/** The customer, once known. */
export interface Claimant extends CustomerKeys {
  /** The canonical address. */
  readonly emailKey: string;
  readonly holderId: string | undefined;
  /** True if an order of theirs was completed before. */
  readonly hasOrdered: () => Promise<boolean>;
}

/** A coupon's discount for a price. */
export interface CouponRequest {
  readonly coupon: Coupon;
  readonly discount: {
    readonly kind: 'coupon' | 'late' | 'credit';
    readonly percent?: Fraction;
    readonly worth: Money;
  };
}

/** Direction, time and customer of a request for a coupon. */
interface Asking {
  /** The slug of the direction. */
  readonly direction: string;
  readonly now: Date;
  readonly claimant?: Claimant | undefined;
  /** People's name of the direction of a slug. */
  readonly nameOf?: (slug: string) => string;
}

/**
 * Returns a code's discount in a direction at a moment, for a claimant if one is known. Throws `coupon_unknown`,
 * `coupon_altered`, `coupon_over`, `coupon_not_here` for another direction, and for a claimant `coupon_not_yours`.
 */
export async function askCoupon(db: Statements, text: string, asking: Asking): Promise<CouponRequest> {
  return askFound(db, await typedCoupon(db, text), asking);
}

/** Returns coupons by typed codes. Unknown codes are missing. */
export async function couponsByCode(db: Statements, texts: readonly string[]): Promise<Map<string, Coupon>> {
  const codes = new Map(texts.map((text) => [text, typedCodes(text)]));
  const found = await findCoupons(db, [...codes.values()].flat());
  return new Map(
    [...codes].flatMap(([text, all]) => {
      const code = all.find((one) => found.has(one));
      const coupon = code === undefined ? undefined : found.get(code);
      return coupon ? [[text, coupon] as const] : [];
    }),
  );
}

/** Returns a coupon by its typed code, or undefined. */
export const typedCoupon = async (db: Statements, text: string): Promise<Coupon | undefined> =>
  (await couponsByCode(db, [text])).get(text);

/** As `askCoupon`, for a coupon that was found; returns undefined without one. */
export async function askFound(
  db: Statements,
  coupon: Coupon | undefined,
  { direction, now, claimant, nameOf = (slug) => slug }: Asking,
): Promise<CouponRequest> {
  if (!coupon || coupon.kind === 'credit' || (coupon.startsAt && coupon.startsAt > now)) throw new Problem('coupon_unknown');
  requireUnaltered(coupon);
  if (coupon.state !== 'live' || (coupon.endsAt && coupon.endsAt <= now)) throw new Problem('coupon_over');
  if (coupon.directions && !coupon.directions.includes(direction))
    throw new Problem('coupon_not_here', { params: { where: coupon.directions.map(nameOf).join(', ') } });
  const left = await leftFor(db, coupon, claimant);
  if (left < MIN_PARTS) throw new Problem('coupon_over');
  const share = coupon.percent === undefined ? {} : { percent: percent(coupon.percent) };
  const kind = coupon.kind === 'late' ? 'late' : 'coupon';
  return { coupon, discount: { kind, ...share, worth: money(REWARD_UNIT, left) } };
}

/** Throws `coupon_altered`, and raises an alarm, for a coupon whose row was changed by SQL. */
export function requireUnaltered({ id, isAltered }: Coupon): void {
  if (!isAltered) return;
  log.alarm('a coupon’s row was changed past the product: it gives nothing', { coupon: id });
  throw new Problem('coupon_altered');
}

/** Throws `coupon_not_here` for an order worth less (in parts of the unit of rewards) than a coupon is for. */
export function requireWorth({ min }: Pick<Coupon, 'min'>, worth: bigint): void {
  if (worth < min)
    throw new Problem('coupon_not_here', { params: { where: `≥ ${trimZeros(format(money(REWARD_UNIT, min), 2), 0)} USD` } });
}

/** Returns the maximum amount that one use may take of a coupon. Throws `coupon_not_yours` if it is not the claimant's. */
async function leftFor(db: Statements, coupon: Coupon, claimant: Claimant | undefined): Promise<bigint> {
  const free = coupon.budget - coupon.held;
  const ofOne = coupon.kind === 'fixed' && coupon.value !== undefined && coupon.value < free ? coupon.value : free;
  if (!claimant) return isTaken(coupon) ? largestRest(db, coupon.id) : ofOne;
  if (!isTheirs(coupon, claimant)) throw new Problem('coupon_not_yours');
  const { count, rest } = await usesOf(db, coupon.id, claimant);
  if (rest) return rest.rest;
  if (count >= coupon.perCustomer && !isBalance(coupon)) throw new Problem('coupon_not_yours');
  if (coupon.isFirstOnly && (await claimant.hasOrdered())) throw new Problem('coupon_not_yours');
  return isTaken(coupon) ? 0n : ofOne;
}

/** True if a coupon is bound to nobody else. */
export const isTheirs = ({ emailKey, holderId }: Coupon, claimant: Pick<Claimant, 'emailKey' | 'holderId'>): boolean =>
  (emailKey === undefined || emailKey === claimant.emailKey) && (holderId === undefined || holderId === claimant.holderId);
