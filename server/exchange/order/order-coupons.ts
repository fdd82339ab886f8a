// The coupons of an order: what its exchange takes of them, and where their uses stand by the order. Pure.

import { type PriceTerms, REWARD_UNIT, assetOf, convert, money, rewardRate } from '@kurs/money';
import type { UseMoved } from '../../coupons/index.ts';
import { least } from '../../collecting/index.ts';
import { bookedOf } from './breakdown.ts';
import type { CouponTaken, OrderView, Price } from './order.ts';

/** What a discount in parts given is worth in the unit of rewards, by the middle of its terms, rounded up. */
export function worthOfDiscount(parts: bigint, terms: PriceTerms): bigint {
  const rate = rewardRate(terms);
  if (!rate) throw new Error(`No middle of ${terms.giveUnit} into ${REWARD_UNIT} was kept`);
  return convert(money(terms.giveUnit, parts), assetOf(terms.giveUnit), rate, REWARD_UNIT, 'up').parts;
}

/** What the exchange of an order at a price takes of its coupons: what each gave, at most what is held. */
export function couponsTaken({ pinned, facts }: OrderView, { slip: breakdown, terms }: Price): CouponTaken[] {
  if (!pinned.coupons || facts.couponsDone) return [];
  return pinned.coupons.flatMap(({ id, coupon, code, held, funded }) => {
    const given = breakdown.components.find((one) => one.kind === 'discount' && one.code === code);
    return given ? [{ use: id, coupon, parts: least(worthOfDiscount(given.amount, terms), held), funded }] : [];
  });
}

/** Terms as they are once the order's coupons are held no more: without what those gave. */
export function withoutCoupons({ pinned, facts }: OrderView, terms: PriceTerms): PriceTerms {
  if (!pinned.coupons || !facts.couponsDone) return terms;
  const codes = new Set<string>(pinned.coupons.map(({ code }) => code));
  return { ...terms, cuts: terms.cuts.filter(({ code }) => !codes.has(code)) };
}

/** Where the uses of an order's coupons stand by it. */
export function usesOf(view: OrderView): UseMoved[] {
  const booked = bookedOf(view);
  return (view.pinned.coupons ?? []).map(({ id }) => {
    const taken = booked?.coupons?.find(({ use }) => use === id);
    if (taken) return { id, to: 'spent', spent: taken.parts };
    return { id, to: booked || view.facts.couponsDone ? 'free' : 'held', spent: 0n };
  });
}

/** How uses moved from one view of an order to the next. */
export function movedUses(before: OrderView, next: OrderView): UseMoved[] {
  const was = new Map(usesOf(before).map((one) => [one.id, one.to]));
  return usesOf(next).filter(({ id, to }) => was.get(id) !== to);
}
