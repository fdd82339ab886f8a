// The seven events that are published about an order, for rooms above that reward, discount or count orders. All events of an
// order have the outbox subject `order:<id>`, so that each subscriber gets them in sequence. Pure.
//
// Nothing is published about an unallocated payment. If its money becomes a new order, all events of that order are published.

import { type PriceTerms, type Rate, larger, money, percentText, rewardRate, scaleBy } from '@kurs/money';
import { z } from 'zod';
import { counts } from '../counts.ts';
import { bookedOf, promisedOf } from '../money/breakdown.ts';
import type { Exchange, OrderState, OrderView, Side } from '../order.ts';

/**
 * - `placed`: the customer confirmed the order
 * - `exchanged`: the order's price was booked
 * - `exchange_reversed`: that booking was reversed
 * - `ended`: nothing more is expected; the body's `ended` says how the order ended. After `cancelled`, `expired` or `taken_back`
 *   a late payment may still arrive, and the order is then exchanged after all
 * - `completed`: the payout was sent, and the order counts (`order/counts.ts`). Published once per exchange: if the payout comes
 *   back and is sent again, `completed` is not published again
 * - `reversed`: the order no longer counts: a payment was taken back, or the payout was bought back or is held by law. If the
 *   order ends at the same moment, `ended` is published instead
 * - `restored`: the debt for the money taken back is settled, and the order counts again
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
  /** Amount given, less fees and costs, plus discounts: the part that is exchanged at the rate. */
  exchanged: parts,
  rate,
  /** Mid-market rate when the price was made; null if none was known. */
  mid: rate.nullable(),
  /** Minimum margin of the desk, in minor units of the currency given. */
  margin: parts,
  /** Mid-market rate from the unit given to the unit of rewards; null if the market had no such rate. */
  rewardMid: rate.nullable(),
  /** Sum that providers deducted from the order's payments, in minor units of the currency given. */
  retained: parts,
  /** Sum set aside for a reversal of the payment, in minor units of the currency given. */
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
    /** Identity keys, made by compliance, that are proven to be the customer's. Two orders that share a key have the same customer. */
    shown: z.array(z.string()),
    /** Identity keys, made by compliance, of data that was only typed on the order. */
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
      /** True if the customer had completed an order before this one. */
      hadOrdered: z.boolean(),
      /** The affiliate who referred this affiliate; null if there is none. */
      second: z.uuid().nullable(),
      /** Kind of data that the customer shares with the affiliate, or the affiliate with the second-level affiliate; null for none. */
      shared: z.string().nullable(),
      /** The friend's discount in percent, taken of the fee after all other discounts. */
      friendPercent: z.string(),
      /** True if the affiliate's own program placed the order: such a customer is not bound to the affiliate. */
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
  /** For `order.ended`: how the order ended. `taken_back`: the payment was taken back before anything was paid out. */
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

/** Returns the state in which an order ended, even if its payment was taken back afterwards. */
const outcomeOf = ({ state, facts }: OrderView): OrderState => (state === 'charged_back' ? (facts.ended ?? state) : state);

/** Returns how an order ended; null if it has not ended. */
export const endedAs = (view: OrderView): OrderPublished['ended'] => ENDED[outcomeOf(view)] ?? null;

/** An event to publish, with the order's new `isCounted` if that changes. */
export interface PublishedEvent {
  readonly kind: OrderEventKind;
  readonly isCounted?: boolean;
}

/**
 * Returns the events to publish after an event that turned `before` into `next`, in sequence. `postings`: names of the event's
 * postings. The fact `isCounted` only changes together with one of the published events.
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

/**
 * Returns the order's price for an event: as booked, else as promised. After a reversal of the exchange, returns the price of the
 * reversed exchange.
 */
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

/** Returns the desk's minimum margin on an exchange, in parts given. */
function marginOf({ give }: Exchange, { giveUnit, minMargin }: PriceTerms): string {
  return larger(scaleBy(money(giveUnit, give), minMargin.percent, 'up'), minMargin.min).parts.toString();
}

/** Returns the affiliate of an order's customer in the form of an event; null if there is none. */
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
