// Offers: what a customer who has to choose would get now. An offer is a quote: numbered, current rate, three minutes.

import { type PriceTerms, type PriceBreakdown, PriceError, money, breakdownForGive } from '@kurs/money';
import { arrivedInTime } from '../../collecting/index.ts';
import type { Context } from '../order/events/events.ts';
import { type Offer, type OrderView, type Price, sends } from '../order/order.ts';
import { type Again, withOpenCoupons } from '../order/money/order-coupons.ts';
import { refundCostOf } from '../order/money/sent-back.ts';
import { rules } from './settings.ts';

/** The price breakdown of so many parts given, or undefined where fee and costs would eat it all. */
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

/** The price of so many parts given at these terms, or undefined where nothing is left of them. */
function priceFor(parts: bigint, terms: PriceTerms | undefined, version: string): Price | undefined {
  const breakdown = breakdownFor(parts, terms);
  return breakdown && terms && { breakdown, terms, version };
}

/** The price of so many parts at the rate that was locked; `again`: uses of its coupons that it may take again. */
export const lockedPrice = (order: OrderView, parts: bigint, again?: Again): Price | undefined => {
  const { terms, ratesVersion } = order.pinned;
  return priceFor(parts, terms && withOpenCoupons(order, terms, again), ratesVersion);
};

/**
 * Whether only the lower of the locked and the current rate is owed: money came in time, and may still go on at the locked one.
 */
function takesLower({ facts, kind }: OrderView, inTime: bigint): boolean {
  return facts.lower || (kind === 'order' && !facts.late && inTime > 0n);
}

/**
 * What exchanging `parts` brings now: the current rate, or the lower of it and the locked one. Anyone who paid short in
 * time could else pick the better of two rates until their lock ends.
 */
export function currentPrice(order: OrderView, parts: bigint, { market, again }: Context): Price | undefined {
  const current = market && priceFor(parts, market.terms, market.version);
  if (!takesLower(order, arrivedInTime(order))) return current;
  const locked = lockedPrice(order, parts, again);
  return current && locked && locked.breakdown.get.parts < current.breakdown.get.parts ? locked : current;
}

/** Whether an order's customer has to choose, and so is to have an offer. */
export const isOffered = ({ state }: OrderView): boolean => state === 'choosing' || state === 'undelivered';

/** Whether such an order has no offer that stands now. */
export const lacksOffer = (order: OrderView, now: Date): boolean =>
  isOffered(order) && now.getTime() - (order.facts.offer?.madeAt.getTime() ?? -Infinity) >= rules().offer;

/** The offer that this order can be made now, or undefined where there is nothing to offer. */
export function makeOffer(order: OrderView, context: Context): Offer | undefined {
  const { market, now } = context;
  if (!market) return undefined;
  const made = { number: order.facts.offers + 1, madeAt: now };
  if (order.state === 'undelivered') {
    if (sends(order) === 'refund') return undefined;
    const parts = buyBackParts(order, context);
    const price = priceFor(order.positions.out, market.back, market.version);
    // It would be sent to them at once: without an account, or below what sending costs, there is nothing to offer.
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

/** What buying an undeliverable payout back brings: the current rate, at most what was given. */
export function buyBackParts(order: OrderView, context: Context): bigint {
  const breakdown = breakdownFor(order.positions.out, context.market?.back);
  const given = order.facts.exchange?.give ?? 0n;
  return breakdown ? (breakdown.get.parts < given ? breakdown.get.parts : given) : 0n;
}
