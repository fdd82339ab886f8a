// The coupons of an order: what its exchange takes of them, and where their uses stand by the order. Pure.

import { type PriceTerms, REWARD_UNIT, assetOf, convert, money, rewardRate } from '@kurs/money';
import type { HeldUse, UseMoved } from '../../../coupons/index.ts';
import type { AskedDiscount } from '../../../pricing/index.ts';
import { least } from '../../../collecting/index.ts';
import { bookedOf } from './breakdown.ts';
import type { CouponTaken, OrderView, Price } from '../order.ts';

/** What a discount in parts given is worth in the unit of rewards, by the middle of its terms, rounded up. */
export function worthOfDiscount(parts: bigint, terms: PriceTerms): bigint {
  const rate = rewardRate(terms);
  if (!rate) throw new Error(`No middle of ${terms.giveUnit} into ${REWARD_UNIT} was kept`);
  return convert(money(terms.giveUnit, parts), assetOf(terms.giveUnit), rate, REWARD_UNIT, 'up').parts;
}

/** Uses that an order may take again; of one that still holds its uses none is asked for. */
export type Again = ReadonlySet<string> | undefined;

/** Whether an order's uses are free: it came to nothing, is late or was turned round, and may still be exchanged. */
export const hasFreeUses = (view: OrderView): boolean =>
  view.pinned.coupons !== undefined && view.facts.couponsDone === true && bookedOf(view) === undefined;

/** The uses that an exchange of an order may take of: those that are held for it, else those that it may take again. */
function openUses({ pinned: { coupons = [] }, facts }: OrderView, again: Again): readonly HeldUse[] {
  return facts.couponsDone ? coupons.filter(({ id }) => again?.has(id)) : coupons;
}

/** What the exchange of an order at a price takes of its coupons: what each gave, at most what is held. */
export function couponsTaken(view: OrderView, { breakdown, terms }: Price, again: Again): CouponTaken[] {
  return openUses(view, again).flatMap(({ id, coupon, code, held, funded }) => {
    const given = breakdown.components.find((one) => one.kind === 'discount' && one.code === code);
    return given ? [{ use: id, coupon, parts: least(worthOfDiscount(given.amount, terms), held), funded }] : [];
  });
}

/** Pinned terms without what coupons gave whose uses the order has no more. */
export function withOpenCoupons(view: OrderView, terms: PriceTerms, again: Again): PriceTerms {
  const open = new Set(openUses(view, again).map(({ id }) => id));
  const gone = new Set<string>((view.pinned.coupons ?? []).flatMap(({ id, code }) => (open.has(id) ? [] : [code])));
  return gone.size === 0 ? terms : { ...terms, discounts: terms.discounts.filter(({ code }) => !gone.has(code)) };
}

/** Whether an order still has the uses of all coupons that a price has discounts of. */
export function hasUsesOf(view: OrderView, { breakdown }: Price, again: Again): boolean {
  const open = new Set<string>(openUses(view, again).map(({ code }) => code));
  const codes = new Set<string>((view.pinned.coupons ?? []).map(({ code }) => code));
  return breakdown.components.every(({ kind, code }) => kind !== 'discount' || !codes.has(code) || open.has(code));
}

/** What an order that takes its uses again is let off at a price of now. */
export function discountsAgain(view: OrderView, again: Again): AskedDiscount[] {
  if (!hasFreeUses(view)) return [];
  return openUses(view, again).map(({ code, held }) => {
    const share = view.pinned.terms?.discounts.find((one) => one.code === code)?.percent;
    return { kind: code, ...(share && { percent: share }), worth: money(REWARD_UNIT, held) };
  });
}

/** Where the uses of an order's coupons stand by it. */
export function usesOf(view: OrderView): UseMoved[] {
  const booked = bookedOf(view);
  const all = [...(booked?.coupons ?? []), ...(view.facts.couponsKept ?? [])];
  return (view.pinned.coupons ?? []).map(({ id }) => {
    const taken = all.find(({ use }) => use === id);
    if (taken) return { id, to: 'spent', spent: taken.parts };
    return { id, to: booked || view.facts.couponsDone ? 'free' : 'held', spent: 0n };
  });
}

/** How uses moved from one view of an order to the next. */
export function movedUses(before: OrderView, next: OrderView): UseMoved[] {
  const was = new Map(usesOf(before).map((one) => [one.id, one.to]));
  return usesOf(next).filter(({ id, to }) => was.get(id) !== to);
}
