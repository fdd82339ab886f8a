// Offers to customers who have to choose: the amount that they would get now. An offer is a numbered quote at the current rate,
// valid for three minutes.

import { type PriceTerms, type PriceBreakdown, PriceError, money, breakdownForGive } from '@kurs/money';
import { arrivedInTime } from '../../collecting/index.ts';
import type { Context } from '../order/events/events.ts';
import { type Offer, type OrderView, type Price, sends } from '../order/order.ts';
import { type Again, withOpenCoupons } from '../order/money/order-coupons.ts';
import { refundCostOf } from '../order/money/sent-back.ts';
import { rules } from './settings.ts';

/** Returns the price breakdown of an amount given; undefined without terms, or if nothing would be left of the amount. */
export function breakdownFor(parts: bigint, terms: PriceTerms | undefined): PriceBreakdown | undefined {
  if (!terms || parts <= 0n) return undefined;
  try {
    const breakdown = breakdownForGive(money(terms.giveUnit, parts), terms);
    return breakdown.get.parts > 0n ? breakdown : undefined;
  } catch (error) {
    if (error instanceof PriceError) return undefined;
    throw error;
  }
}

/** Returns the price of an amount given at these terms; undefined without terms, or if nothing would be left of the amount. */
function priceFor(parts: bigint, terms: PriceTerms | undefined, version: string): Price | undefined {
  const breakdown = breakdownFor(parts, terms);
  return breakdown && terms && { breakdown, terms, version };
}

/** Returns the price of an amount given at the locked rate. `again`: coupon uses that the order may take again. */
export const lockedPrice = (order: OrderView, parts: bigint, again?: Again): Price | undefined => {
  const { terms, ratesVersion } = order.pinned;
  return priceFor(parts, terms && withOpenCoupons(order, terms, again), ratesVersion);
};

/**
 * True if the customer gets only the lower of the locked and the current rate: a payment came in time, and the order may still go
 * on at the locked rate.
 */
function takesLower({ facts, kind }: OrderView, inTime: bigint): boolean {
  return facts.hasLowerRate || (kind === 'order' && !facts.isLate && inTime > 0n);
}

/**
 * Returns the price for exchanging `parts` now, at the current rate. A customer who paid too little in time could otherwise pick
 * the better of two rates until the lock ends. For such a customer, the lower of the current and the locked rate applies.
 */
export function currentPrice(order: OrderView, parts: bigint, { market, again }: Context): Price | undefined {
  const current = market && priceFor(parts, market.terms, market.version);
  if (!takesLower(order, arrivedInTime(order))) return current;
  const locked = lockedPrice(order, parts, again);
  return current && locked && locked.breakdown.get.parts < current.breakdown.get.parts ? locked : current;
}

/** True if the order's customer has to choose, so that an offer may be shown. */
export const isOffered = ({ state }: OrderView): boolean => state === 'choosing' || state === 'undelivered';

/** True if the customer has to choose and there is no valid offer. */
export const lacksOffer = (order: OrderView, now: Date): boolean =>
  isOffered(order) && now.getTime() - (order.facts.offer?.madeAt.getTime() ?? -Infinity) >= rules().offer;

/** Returns a new offer for the order; undefined if there is nothing to offer. */
export function makeOffer(order: OrderView, context: Context): Offer | undefined {
  const { market, now } = context;
  if (!market) return undefined;
  const made = { number: order.facts.offers + 1, madeAt: now };
  if (order.state === 'undelivered') {
    if (sends(order) === 'refund') return undefined;
    const parts = buyBackParts(order, context);
    const price = priceFor(order.positions.out, market.back, market.version);
    // The money bought back would be sent at once, so there is no offer without a refund account or below the sending cost.
    return price && order.refund && parts + order.positions.in > refundCostOf(order)
      ? { ...made, ...price, choice: 'take_back', parts }
      : undefined;
  }
  if (order.state !== 'choosing' || !context.allows(order.positions.in)) return undefined;
  const price = currentPrice(order, order.positions.in, context);
  const lacking = price ? price.breakdown.get.parts - order.positions.reserve : 0n;
  if (!price || lacking > context.free.get) return undefined;
  return {
    ...made,
    ...price,
    choice: order.kind === 'unallocated' ? 'new_order' : 'continue',
    parts: price.breakdown.get.parts,
  };
}

/**
 * Returns the amount, in parts given, that the customer would get back for an undeliverable payout: at the current rate, at most
 * the amount originally given.
 */
export function buyBackParts(order: OrderView, context: Context): bigint {
  const breakdown = breakdownFor(order.positions.out, context.market?.back);
  const given = order.facts.exchange?.give ?? 0n;
  return breakdown ? (breakdown.get.parts < given ? breakdown.get.parts : given) : 0n;
}
