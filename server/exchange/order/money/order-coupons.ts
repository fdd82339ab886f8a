// Coupons of an order: the amounts that its exchange takes from the coupons, and the status of their uses. Pure.

import { type PriceTerms, REWARD_UNIT, assetOf, convert, money, rewardRate } from '@kurs/money';
import type { HeldUse, UseMoved } from '../../../coupons/index.ts';
import type { RequestedDiscount } from '../../../pricing/index.ts';
import { min } from '../../../collecting/index.ts';
import { bookedOf } from './breakdown.ts';
import type { CouponTaken, OrderView, Price } from '../order.ts';

/**
 * Returns the worth of a discount in the unit of rewards, at the mid-market rate of its terms, rounded up. `parts`: the discount
 * in parts given. Throws if the terms have no such rate.
 */
export function worthOfDiscount(parts: bigint, terms: PriceTerms): bigint {
  const rate = rewardRate(terms);
  if (!rate) throw new Error(`No middle of ${terms.giveUnit} into ${REWARD_UNIT} was kept`);
  return convert(money(terms.giveUnit, parts), assetOf(terms.giveUnit), rate, REWARD_UNIT, 'up').parts;
}

/** Ids of coupon uses that an order may take again; undefined if the order still holds its uses. */
export type Again = ReadonlySet<string> | undefined;

/**
 * True if an order has released its coupon uses but may need them again: it ended without an exchange, is late or was reversed,
 * and may still be exchanged.
 */
export const hasFreeUses = (view: OrderView): boolean =>
  view.pinned.coupons !== undefined && view.facts.hasEndedCoupons === true && bookedOf(view) === undefined;

/**
 * Returns the coupon uses that an exchange may take from: those held for the order or, once the order has released them, those in
 * `again`.
 */
function openUses({ pinned: { coupons = [] }, facts }: OrderView, again: Again): readonly HeldUse[] {
  return facts.hasEndedCoupons ? coupons.filter(({ id }) => again?.has(id)) : coupons;
}

/**
 * Returns the amounts that an order's exchange takes from its coupons: for each coupon the discount it gave, at most the sum that
 * was held.
 */
export function couponsTaken(view: OrderView, { breakdown, terms }: Price, again: Again): CouponTaken[] {
  return openUses(view, again).flatMap(({ id, coupon, code, held, isFunded }) => {
    const given = breakdown.components.find((one) => one.kind === 'discount' && one.code === code);
    return given ? [{ use: id, coupon, parts: min(worthOfDiscount(given.amount, terms), held), isFunded: isFunded }] : [];
  });
}

/** Returns pinned terms without the discounts of coupons whose uses the order has lost. */
export function withOpenCoupons(view: OrderView, terms: PriceTerms, again: Again): PriceTerms {
  const open = new Set(openUses(view, again).map(({ id }) => id));
  const gone = new Set<string>((view.pinned.coupons ?? []).flatMap(({ id, code }) => (open.has(id) ? [] : [code])));
  return gone.size === 0 ? terms : { ...terms, discounts: terms.discounts.filter(({ code }) => !gone.has(code)) };
}

/** True if the order still has the uses of all coupons that a price has discounts from. */
export function hasUsesOf(view: OrderView, { breakdown }: Price, again: Again): boolean {
  const open = new Set<string>(openUses(view, again).map(({ code }) => code));
  const codes = new Set<string>((view.pinned.coupons ?? []).map(({ code }) => code));
  return breakdown.components.every(({ kind, code }) => kind !== 'discount' || !codes.has(code) || open.has(code));
}

/** Returns the coupon discounts that an order may take again, to request a current price with them. */
export function discountsAgain(view: OrderView, again: Again): RequestedDiscount[] {
  if (!hasFreeUses(view)) return [];
  return openUses(view, again).map(({ code, held }) => {
    const share = view.pinned.terms?.discounts.find((one) => one.code === code)?.percent;
    return { kind: code, ...(share && { percent: share }), worth: money(REWARD_UNIT, held) };
  });
}

/** Returns the status of each use of the order's coupons, derived from the order. */
export function usesOf(view: OrderView): UseMoved[] {
  const booked = bookedOf(view);
  const all = [...(booked?.coupons ?? []), ...(view.facts.couponsRetained ?? [])];
  return (view.pinned.coupons ?? []).map(({ id }) => {
    const taken = all.find(({ use }) => use === id);
    if (taken) return { id, to: 'spent', spent: taken.parts };
    return { id, to: booked || view.facts.hasEndedCoupons ? 'free' : 'held', spent: 0n };
  });
}

/** Returns the uses whose status differs between two views of an order. */
export function movedUses(before: OrderView, next: OrderView): UseMoved[] {
  const was = new Map(usesOf(before).map((one) => [one.id, one.to]));
  return usesOf(next).filter(({ id, to }) => was.get(id) !== to);
}
