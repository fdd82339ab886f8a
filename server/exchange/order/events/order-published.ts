// What is published of an order: seven events, for rooms above that reward, discount or count. They go by the outbox with the
// subject `order:<id>`, so that a subscriber gets those of one order in their order. Pure.
//
// An unallocated payment publishes none, and the new order that its money becomes publishes all.

import { type PriceTerms, type Rate, larger, money, percentText, rewardRate, scaleBy } from '@kurs/money';
import { z } from 'zod';
import { counts } from '../counts.ts';
import { bookedOf, promisedOf } from '../money/breakdown.ts';
import type { Exchange, OrderState, OrderView, Side } from '../order.ts';

/**
 * - `placed`: the customer confirmed it · `exchanged`, `exchange_reversed`: its price was booked, or that was turned round
 * - `ended`: nothing more is to come, and `ended` says how. A late payment may still come: one of `cancelled`, `expired` or
 *   `taken_back` is exchanged after all then
 * - `completed`: paid out; it counts from then on (`order/counts.ts`). Told once for an exchange: not again where the payout comes
 *   back and goes out once more, but again where the order was exchanged anew meanwhile
 * - `reversed`: it counts no more, since a payment was taken back, or what it paid out was bought back or is held by law. Where it
 *   ends in that very moment, `ended` says so instead
 * - `restored`: nothing is owed for what was taken back, and it counts again
 */
export const ORDER_EVENTS = [
  'order.placed',
  'order.exchanged',
  'order.exchange_reversed',
  'order.ended',
  'order.completed',
  'order.reversed',
  'order.restored',
] as const;
export type OrderEventKind = (typeof ORDER_EVENTS)[number];

/** A whole number of a unit's smallest part, as text. */
const parts = z.string().regex(/^\d+$/);
const side = z.strictObject({ currency: z.string(), unit: z.string(), parts });
/** One whole `base` is worth `numerator ÷ denominator` whole `quote`, exactly. */
const rate = z.strictObject({ base: z.string(), quote: z.string(), numerator: parts, denominator: parts });

const price = z.strictObject({
  /** Booked as the order was exchanged, else promised as it was placed. */
  isBooked: z.boolean(),
  give: side,
  get: side,
  /** What was taken of what was given; a discount was added to it. Each in parts of the unit given. */
  lines: z.array(
    z.strictObject({
      code: z.string(),
      kind: z.enum(['fee', 'discount', 'cost']),
      account: z.enum(['income:spread', 'income:fee', 'spent:discount']),
      payer: z.enum(['customer', 'desk']),
      parts,
    }),
  ),
  /** What was left of what was given, and exchanged at the rate. */
  exchanged: parts,
  rate,
  /** The middle of the market at the same moment; null where none was known. */
  mid: rate.nullable(),
  /** Minimum margin of the desk, in minor units of the currency given. */
  margin: parts,
  /** The same from what was given into the unit of rewards; null where no market was known for it. */
  rewardMid: rate.nullable(),
  /** What providers kept of its payments, and what was set aside for a reversal. */
  kept: parts,
  provision: parts,
});

/** The body of each of the events. */
export const orderPublished = z.strictObject({
  order: z.uuid(),
  number: z.string(),
  /** The order's version after the event, as in its timeline. */
  version: z.int().positive(),
  at: z.iso.datetime(),
  price,
  customer: z.strictObject({
    /** The account holder whose session it was placed with. */
    holder: z.uuid().nullable(),
    /**
     * Keys of compliance: what is shown to be the customer's, and what was only typed. Who shares a key is the same customer.
     */
    shown: z.array(z.string()),
    typed: z.array(z.string()),
  }),
  /** Who sent the customer, as it was known when the order was placed; null for nobody. */
  sentBy: z
    .strictObject({
      affiliate: z.uuid(),
      /** Of the affiliate's campaigns; empty: none. */
      campaign: z.string(),
      /** What the link said to the affiliate alone. */
      sub: z.string(),
      since: z.iso.datetime(),
      /** The customer had completed an order before. */
      hadOrdered: z.boolean(),
      /** Who sent the affiliate. */
      second: z.uuid().nullable(),
      /** The kind of what customer and affiliate, or both affiliates, are known by; null for nothing. */
      shared: z.string().nullable(),
      /** Percent of what is kept that the friend's discount was asked as. */
      friendPercent: z.string(),
      /** A program of the affiliate's placed the order: it binds nobody. */
      byPartner: z.literal(true).optional(),
    })
    .nullable(),
  paidBy: z.strictObject({
    way: z.enum(['chain', 'wallet', 'e-wallet', 'voucher']),
    /** Its rail can take a payment back for months. */
    isReversible: z.boolean(),
  }),
  /** Seconds that the payout was promised within; null where nothing was promised. */
  promisedSeconds: z.int().positive().nullable(),
  /** Seconds that it took us (`order/clock.ts`); null until it is paid out. */
  takenSeconds: z.int().nonnegative().nullable(),
  /** Of `order.ended`: how. `taken_back`: its payment was, before anything was paid out. */
  ended: z.enum(['cancelled', 'expired', 'refunded', 'taken_back', 'surrendered', 'applied']).nullable(),
});
export type OrderPublished = z.infer<typeof orderPublished>;

const ENDED: Partial<Record<OrderState, OrderPublished['ended']>> = {
  cancelled: 'cancelled',
  expired: 'expired',
  refunded: 'refunded',
  reversed: 'taken_back',
  surrendered: 'surrendered',
  applied: 'applied',
};

/** Where an order came to, whatever was taken back of it since. */
const outcomeOf = ({ state, facts }: OrderView): OrderState => (state === 'charged_back' ? (facts.ended ?? state) : state);

/** How an order ended; null where it didn't. */
export const endedAs = (view: OrderView): OrderPublished['ended'] => ENDED[outcomeOf(view)] ?? null;

/** What is published, and, where it says so, whether the order counts from then on. */
export interface Published {
  readonly kind: OrderEventKind;
  readonly counts?: boolean;
}

/** What is published of a decided event, in order. `postings`: what it posted. Whether an order counts changes with one of them. */
export function publishedOf(before: OrderView, next: OrderView, postings: readonly string[]): Published[] {
  if (next.kind === 'unallocated') return [];
  const [was, is] = [outcomeOf(before), outcomeOf(next)];
  const booked = postings.flatMap((name): Published[] =>
    name === 'exchange'
      ? [{ kind: 'order.exchanged' }]
      : name === 'exchange_reverse'
        ? [{ kind: 'order.exchange_reversed' }]
        : [],
  );
  const stops = counts(before) && !counts(next);
  if (was !== is && ENDED[is]) return [...booked, { kind: 'order.ended', ...(stops && { counts: false }) }];
  if (stops) return [...booked, { kind: 'order.reversed', counts: false }];
  if (counts(before) || !counts(next)) return booked;
  return [...booked, { kind: before.facts.counts === undefined ? 'order.completed' : 'order.restored', counts: true }];
}

/** The price that an event carries: of a reversed exchange the one that was turned round. */
export function pricePublished(view: OrderView, before?: OrderView): OrderPublished['price'] {
  const booked = bookedOf(view) ?? (before && bookedOf(before));
  const shown = booked ?? promisedOf(view);
  if (!shown || !view.get) throw new Error(`Order ${view.id} has no price`);
  const terms = shown.terms ?? view.pinned.terms;
  if (!terms) throw new Error(`Order ${view.id} has no terms`);
  const reward = rewardRate(terms);
  return {
    isBooked: booked !== undefined,
    ...priceOf(shown, view.give, view.get),
    rewardMid: reward ? rateWire(reward) : null,
    margin: marginOf(shown, terms),
  };
}

const priceOf = (
  booked: Exchange,
  give: Side,
  get: Side,
): Omit<OrderPublished['price'], 'isBooked' | 'margin' | 'rewardMid'> => ({
  give: sideOf(give, booked.give),
  get: sideOf(get, booked.got),
  lines: booked.components.map(({ code, kind, account, payer, amount }) => ({
    ...{ code, kind, account, payer },
    parts: amount.toString(),
  })),
  exchanged: booked.exchanged.toString(),
  rate: rateWire(booked.rate),
  mid: booked.mid ? rateWire(booked.mid) : null,
  kept: booked.kept.toString(),
  provision: booked.provision.toString(),
});

/** What the desk keeps of an exchange at the least. */
function marginOf({ give }: Exchange, { giveUnit, minMargin }: PriceTerms): string {
  return larger(scaleBy(money(giveUnit, give), minMargin.percent, 'up'), minMargin.min).parts.toString();
}

/** Who sent an order's customer. */
export function sentByOf({ pinned: { sent } }: OrderView): OrderPublished['sentBy'] {
  if (!sent) return null;
  const { affiliate, campaign, sub, since, hadOrdered, second, shared, friend, byPartner } = sent;
  return {
    ...{ affiliate, campaign, sub, since: since.toISOString(), hadOrdered },
    ...{ second: second ?? null, shared: shared ?? null, friendPercent: percentText(friend) },
    ...(byPartner && { byPartner }),
  };
}

const sideOf = ({ currency, unit }: Side, amount: bigint): z.infer<typeof side> => ({ currency, unit, parts: amount.toString() });

const rateWire = ({ base, quote, value }: Rate): z.infer<typeof rate> => ({
  ...{ base, quote, numerator: value.numerator.toString(), denominator: value.denominator.toString() },
});
