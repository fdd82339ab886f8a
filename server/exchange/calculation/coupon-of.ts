// The coupon of a calculation: what its code gives, to whom, and in which exchange.

import { Problem } from '@kurs/contract';
import { type PriceBreakdown, type PriceTerms, REWARD_UNIT, parse } from '@kurs/money';
import { type Subject, knownBy } from '../../compliance/index.ts';
import {
  type Claimant,
  type CouponAsked,
  type HeldUse,
  askCoupon,
  couponTries,
  holdUse,
  requireWorth,
} from '../../coupons/index.ts';
import { type Context, type Owner, type Statements, type Tx, canonicalEmail } from '../../platform/index.ts';
import { directionOf, quote, worthOf } from '../../pricing/index.ts';
import { worthOfDiscount } from '../order/order-coupons.ts';
import type { Calculation } from './calculation.ts';

type Asked = Pick<Calculation, 'from' | 'to'> & { readonly coupon?: string | undefined };

/** What the coupon of a calculation gives, if it has one. Throws as `askCoupon`. Without a code nothing is asked. */
export async function couponOf(
  db: Statements,
  { from, to, coupon }: Asked,
  claimant?: Claimant,
): Promise<CouponAsked | undefined> {
  if (coupon === undefined) return undefined;
  const direction = directionOf(from, to).slug;
  return askCoupon(db, coupon, { direction, now: await nowOf(db), claimant });
}

/** The discounts that a price is asked for with. */
export const discountsOf = (asked: CouponAsked | undefined): CouponAsked['discount'][] => (asked ? [asked.discount] : []);

/** A quote, refused where it is worth less than its coupon is for. */
export function quoteWith(
  input: Parameters<typeof quote>[0],
  context: Parameters<typeof quote>[1],
  asked: CouponAsked | undefined,
): ReturnType<typeof quote> {
  const quoted = quote(input, context);
  if (asked) requireEnough(asked, worthOf(quoted).parts);
  return quoted;
}

/** `usd`: cents that an exchange is worth. */
export function requireEnough({ coupon }: CouponAsked, usd: bigint): void {
  requireWorth(coupon, usd * CENT);
}

/** Parts of the unit of rewards in a cent. */
const CENT = parse(REWARD_UNIT, '0.01').parts;

/** Who claims a coupon: everything that is known of who asks. */
export function claimantOf(db: Statements, subject: Subject): Claimant {
  const emailKey = canonicalEmail(subject.email);
  return {
    emailKey,
    holderId: subject.holder?.id,
    keys: knownBy(subject),
    hasOrdered: () => hasOrdered(db, emailKey, subject.holder?.id),
  };
}

async function hasOrdered(db: Statements, customer: string, holderId: string | undefined): Promise<boolean> {
  const row = await db.row(
    `select from customer_order where state = 'completed' and customer = $1
     union all select from customer_order where state = 'completed' and holder_id = $2 limit 1`,
    [customer, holderId ?? null],
    { name: 'exchange.has_ordered' },
  );
  return row !== undefined;
}

/** Holds the use of a calculation's coupon for the order that it becomes; none where it gave nothing. */
export async function holdCoupon(
  tx: Tx,
  calculation: Asked,
  held: { readonly breakdown: PriceBreakdown; readonly terms: PriceTerms; readonly usd: bigint },
  who: { readonly owner: Owner; readonly subject: Subject },
): Promise<HeldUse[]> {
  const claimant = claimantOf(tx, who.subject);
  const asked = await couponOf(tx, calculation, claimant);
  if (!asked) return [];
  requireEnough(asked, held.usd);
  const given = held.breakdown.components.find((one) => one.kind === 'discount' && one.code === asked.discount.kind);
  if (!given) return [];
  const needed = worthOfDiscount(given.amount, held.terms);
  return [await holdUse(tx, { owner: who.owner, asked, claimant, needed })];
}

const HOUR = 3_600;

/** Counts a try of a code, which a right one was none: so many wrong ones an hour from a device and a network are answered. */
export async function tryingCode<T>(
  context: Pick<Context, 'limitDevice' | 'limitNetwork'>,
  code: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (code === undefined) return work();
  const { device, network } = couponTries();
  const ofDevice = await context.limitDevice('coupon', { most: device, seconds: HOUR });
  const ofNetwork = await context.limitNetwork('coupon', { most: network, seconds: HOUR });
  const undo = async (): Promise<void> => void (await Promise.all([ofDevice.undo(), ofNetwork.undo()]));
  try {
    const value = await work();
    await undo();
    return value;
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'coupon_unknown') await undo();
    throw error;
  }
}

/** The moment by the database's clock. */
async function nowOf(db: Statements | Tx): Promise<Date> {
  if ('now' in db && db.now instanceof Date) return db.now;
  const row = await db.row<{ now: Date }>('select clock_now() as now', [], { name: 'exchange.now' });
  if (!row) throw new Error('the database told no time');
  return row.now;
}
