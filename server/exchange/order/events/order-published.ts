// The seven events that are published about an order, for rooms above that reward, discount or count. They go through the outbox
// with the subject `order:<id>`, so that a subscriber gets the events of one order in sequence. Pure.
//
// An unallocated payment publishes none. The new order that its money becomes publishes all.

import { type PriceTerms, type Rate, larger, money, percentText, rewardRate, scaleBy } from '@kurs/money';
import { z } from 'zod';
import { counts } from '../counts.ts';
import { bookedOf, promisedOf } from '../money/breakdown.ts';
import type { Exchange, OrderState, OrderView, Side } from '../order.ts';

/**
 * - `placed`: the customer confirmed the order · `exchanged`, `exchange_reversed`: its price was booked, or that booking was
 *   reversed
 * - `ended`: nothing more is expected, and `ended` says how the order ended. A late payment may still arrive: an order that ended
 *   as `cancelled`, `expired` or `taken_back` is then exchanged after all
 * - `completed`: paid out; the order counts from then on (`order/counts.ts`). Published once per exchange: not again if the
 *   payout comes back and goes out once more, but again if the order was exchanged anew meanwhile
 * - `reversed`: the order no longer counts, because a payment was taken back, or its payout was bought back or is held by law. If
 *   the order ends at the same moment, `ended` is published instead
 * - `restored`: nothing is owed any more for the money taken back, and the order counts again
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
  /** True if the price was booked with the exchange; false if it was only promised at the placing. */
  isBooked: z.boolean(),
  give: side,
  get: side,
  /** Fees, costs and discounts, each in parts of the unit given. Fees and costs were deducted; discounts were added back. */
  lines: z.array(
    z.strictObject({
      code: z.string(),
      kind: z.enum(['fee', 'discount', 'cost']),
      account: z.enum(['income:spread', 'income:fee', 'spent:discount']),
      payer: z.enum(['customer', 'desk']),
      parts,
    }),
  ),
  /** The rest of the amount given, exchanged at the rate. */
  exchanged: parts,
  rate,
  /** Mid-market rate at the same moment; null if none was known. */
  mid: rate.nullable(),
  /** Minimum margin of the desk, in minor units of the currency given. */
  margin: parts,
  /** Mid-market rate from the unit given to the unit of rewards; null if no market was known for it. */
  rewardMid: rate.nullable(),
  /** Providers' deductions from the order's payments; and the sum set aside for a reversal. */
  retained: parts,
  provision: parts,
});

/** Body of each of the events. */
export const orderPublished = z.strictObject({
  order: z.uuid(),
  number: z.string(),
  /** The order's version after the event, as in its timeline. */
  version: z.int().positive(),
  at: z.iso.datetime(),
  price,
  customer: z.strictObject({
    /** The account holder in whose session the order was placed. */
    holder: z.uuid().nullable(),
    /**
     * Compliance's keys of the customer: those proven to be the customer's, and those only typed. Two orders that share a key
     * have the same customer.
     */
    shown: z.array(z.string()),
    typed: z.array(z.string()),
  }),
  /** The customer's affiliate, as known when the order was placed; null if there is none. */
  sentBy: z
    .strictObject({
      affiliate: z.uuid(),
      /** Name of the affiliate's campaign; empty for none. */
      campaign: z.string(),
      /** The affiliate's private note in the link. */
      sub: z.string(),
      since: z.iso.datetime(),
      /** True if the customer had completed an order before. */
      hadOrdered: z.boolean(),
      /** The affiliate who sent this affiliate. */
      second: z.uuid().nullable(),
      /** Kind of data that the customer shares with the affiliate, or that both affiliates share; null for none. */
      shared: z.string().nullable(),
      /** The friend's discount, in percent of the fee kept by the desk. */
      friendPercent: z.string(),
      /** A program of the affiliate's placed the order: the customer is not bound to the affiliate. */
      isByPartner: z.literal(true).optional(),
    })
    .nullable(),
  paidBy: z.strictObject({
    way: z.enum(['chain', 'wallet', 'e-wallet', 'voucher']),
    /** True if the rail can take a payment back for months. */
    isReversible: z.boolean(),
  }),
  /** Seconds within which the payout was promised; null if nothing was promised. */
  promisedSeconds: z.int().positive().nullable(),
  /** Seconds that the order took us (`order/clock.ts`); null until it is paid out. */
  takenSeconds: z.int().nonnegative().nullable(),
  /** Outcome of the order, in `order.ended`. `taken_back`: its payment was taken back before anything was paid out. */
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

/** Returns the order's outcome, ignoring money that was taken back since. */
const outcomeOf = ({ state, facts }: OrderView): OrderState => (state === 'charged_back' ? (facts.ended ?? state) : state);

/** Returns how an order ended; null if it has not ended. */
export const endedAs = (view: OrderView): OrderPublished['ended'] => ENDED[outcomeOf(view)] ?? null;

/** An event to publish, with the order's new `isCounted` if that changes. */
export interface PublishedEvent {
  readonly kind: OrderEventKind;
  readonly isCounted?: boolean;
}

/**
 * Returns the events to publish after a decided event, in sequence. `postings`: names of its postings. `isCounted` only changes
 * together with one of these events.
 */
export function publishedOf(before: OrderView, next: OrderView, postings: readonly string[]): PublishedEvent[] {
  if (next.kind === 'unallocated') return [];
  const [was, is] = [outcomeOf(before), outcomeOf(next)];
  const booked = postings.flatMap((name): PublishedEvent[] =>
    name === 'exchange'
      ? [{ kind: 'order.exchanged' }]
      : name === 'exchange_reverse'
        ? [{ kind: 'order.exchange_reversed' }]
        : [],
  );
  const stops = counts(before) && !counts(next);
  if (was !== is && ENDED[is]) return [...booked, { kind: 'order.ended', ...(stops && { isCounted: false }) }];
  if (stops) return [...booked, { kind: 'order.reversed', isCounted: false }];
  if (counts(before) || !counts(next)) return booked;
  return [...booked, { kind: before.facts.isCounted === undefined ? 'order.completed' : 'order.restored', isCounted: true }];
}

/** Returns the price for an event. If the exchange was reversed, that is the price of the reversed exchange. */
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
  retained: booked.retained.toString(),
  provision: booked.provision.toString(),
});

/** Minimum margin of the desk on an exchange. */
function marginOf({ give }: Exchange, { giveUnit, minMargin }: PriceTerms): string {
  return larger(scaleBy(money(giveUnit, give), minMargin.percent, 'up'), minMargin.min).parts.toString();
}

/** Returns the affiliate of an order's customer. */
export function sentByOf({ pinned: { sent } }: OrderView): OrderPublished['sentBy'] {
  if (!sent) return null;
  const { affiliate, campaign, sub, since, hadOrdered, second, shared, friend, isByPartner } = sent;
  return {
    ...{ affiliate, campaign, sub, since: since.toISOString(), hadOrdered: hadOrdered },
    ...{ second: second ?? null, shared: shared ?? null, friendPercent: percentText(friend) },
    ...(isByPartner && { isByPartner: isByPartner }),
  };
}

const sideOf = ({ currency, unit }: Side, amount: bigint): z.infer<typeof side> => ({ currency, unit, parts: amount.toString() });

const rateWire = ({ base, quote, value }: Rate): z.infer<typeof rate> => ({
  ...{ base, quote, numerator: value.numerator.toString(), denominator: value.denominator.toString() },
});
