// Creates unallocated payments, and the orders that are made of their money. An unallocated payment is money that an order
// doesn't take, or that came without an order.

import { PERCENT_ENOUGH, sumOf } from '../../collecting/index.ts';
import type { Context, Effect } from '../order/events/events.ts';
import { EMPTY, type Facts, type OrderView, type PromisedTime, type Side } from '../order/order.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { worthNow } from '../order/money/order-worth.ts';

/** Returns a new hold, with its cause and start. A debtor's money waits for people, without a time limit. */
export const holdOf = (held: 'soft' | 'hard' | 'debt', since: Date): NonNullable<Facts['hold']> => ({
  cause: held === 'debt' ? 'hard' : held,
  since,
  ...(held === 'debt' && { isDebt: true }),
});

/**
 * Returns the kind of hold that the customer's debt or block requires; undefined if there is none. No money of such a customer
 * moves automatically.
 */
export const heldBy = (owes: Context['owes']): 'debt' | 'hard' | undefined =>
  owes === 'blocked' ? 'hard' : owes === 'shown' ? 'debt' : undefined;

/** Returns the facts of an order that has just entered its state. */
export const freshFacts = (now: Date, facts: Partial<Facts> = {}): Facts => ({
  since: now,
  isLate: false,
  hasLowerRate: false,
  askMe: false,
  isAsked: false,
  isFreeRefund: false,
  tries: 0,
  isTransient: false,
  offers: 0,
  reminded: 0,
  ...facts,
});

type OpenUnallocated = Extract<Effect, { do: 'open_unallocated' }>;

/** Known data of the customer of an unallocated payment or of an order made of it. `email` is empty if no address is known. */
export type Customer = Pick<StoredOrder, 'email' | 'holderId' | 'locale' | 'device' | 'ip'>;

/** Contents of an unallocated payment. `pieces`: its payments. `held`: the payment is held, for this cause. */
type Unallocated = Pick<OpenUnallocated, 'id' | 'pieces' | 'settled' | 'held'>;

/**
 * Origin of an unallocated payment: its customer, the side and pinned terms that it inherits, the accounts that it may go to, and
 * its root order, if any.
 */
export interface Origin {
  readonly customer: Customer;
  readonly side: Side;
  readonly goesTo: Pick<OrderView, 'get' | 'receive' | 'refund'>;
  readonly pinned: OrderView['pinned'];
  readonly root?: string;
}

/**
 * Returns the origin of payments for `parent` that this order doesn't take. These payments may go to the order's payout account
 * or refund account. For a payment in another currency (`side`), neither direction nor account is known.
 */
function besideOrder(parent: StoredOrder, side?: Side): Origin {
  const { id, give, get, receive, refund, pinned } = parent.view;
  const { terms: _, promised: _promised, coupons: _coupons, ...stored } = pinned;
  return {
    customer: parent,
    side: side ?? give,
    goesTo: side ? {} : { ...(get && { get: { ...get, parts: 0n } }), ...(receive && { receive }), ...(refund && { refund }) },
    pinned: { ...stored, ...(side && { refundCost: 0n, minRefund: 1n }) },
    root: parent.unallocatedOf ?? id,
  };
}

/** Returns the origin of a payment without any order. No account is known for it, and sending it back has no cost for the customer. */
export function withoutOrder(
  customer: Customer,
  side: Side,
  { now, isReversible, isReceiveOnly }: { readonly now: Date; readonly isReversible: boolean; readonly isReceiveOnly: boolean },
): Origin {
  const pinned = {
    ...{
      lockUntil: now,
      confirmWithin: 0,
      outageWithin: 0,
      shortPercent: PERCENT_ENOUGH,
      minimum: 0n,
      tolerance: 0n,
      refundCost: 0n,
      minRefund: 1n,
      ratesVersion: '0',
    },
    ...{ isReversible: isReversible, ...(isReceiveOnly && { isReceiveOnly: true as const }) },
  };
  return { customer, side, goesTo: {}, pinned };
}

/**
 * Returns an unallocated payment: one or more payments of a customer that belong to no order. The customer chooses what happens
 * to the money. If the money is held, people decide.
 */
export function unallocatedPayment(
  { customer, side, goesTo, pinned, root }: Origin,
  { id, pieces, settled = 0n, held }: Unallocated,
  number: string,
  now: Date,
): StoredOrder {
  const parts = sumOf(pieces) + settled;
  const view: OrderView = {
    id,
    kind: 'unallocated',
    state: held ? 'holding' : 'choosing',
    version: 1,
    give: { ...side, parts },
    ...goesTo,
    pinned,
    payments: pieces,
    positions: { ...EMPTY, in: parts },
    facts: freshFacts(now, {
      isLate: true,
      isAsked: !held,
      ...(settled > 0n && { settled }),
      ...(held && { hold: holdOf(held, now) }),
    }),
  };
  return newOrder(customer, view, { number, now, root });
}

/**
 * Returns the unallocated payment for money that arrived for `parent` but doesn't belong to that order. `side`: the money's
 * currency, if it differs from the order's.
 */
export const unallocatedOf = (
  parent: StoredOrder,
  { side, ...made }: Unallocated & { readonly side?: Side },
  number: string,
  now: Date,
): StoredOrder => unallocatedPayment(besideOrder(parent, side), made, number, now);

/** Returns the order that takes over an unallocated payment's money, at the price of an offer that its customer has just accepted. */
export function orderFromUnallocated(
  parent: StoredOrder,
  { id, parts, offer, payments }: Extract<Effect, { do: 'open_order' }>,
  number: string,
  now: Date,
  promised?: PromisedTime,
): StoredOrder {
  const { view } = parent;
  if (!view.get) throw new Error(`Unallocated payment ${parent.number} has no direction`);
  const { madeFrom: _, ...pinned } = view.pinned;
  const brought = sumOf(payments.filter(({ status }) => status === 'final'));
  const order: OrderView = {
    ...view,
    id,
    kind: 'order',
    state: 'choosing',
    version: 1,
    give: { ...view.give, parts },
    get: { ...view.get, parts: offer.breakdown.get.parts },
    pinned: {
      ...{ ...pinned, terms: offer.terms, ratesVersion: offer.version },
      // The desk doesn't decide how long a payment takes to be deep.
      ...(promised && !pinned.isShallow && { promised }),
    },
    payments,
    positions: { ...EMPTY, in: parts },
    facts: freshFacts(now, {
      ...{ isLate: true, offer: { ...offer, choice: 'continue' }, offers: offer.number },
      ...(parts > brought && { settled: parts - brought }),
    }),
  };
  return newOrder(parent, order, { number, now, root: parent.unallocatedOf ?? view.id });
}

function newOrder(
  { email, holderId, locale, device, ip }: Customer,
  view: OrderView,
  { number, now, root }: { readonly number: string; readonly now: Date; readonly root: string | undefined },
): StoredOrder {
  return {
    view,
    number,
    email,
    locale,
    usd: worthNow(view) ?? 0n,
    createdAt: now,
    updatedAt: now,
    tokenVersion: 1,
    ...(root !== undefined && { unallocatedOf: root }),
    ...(holderId !== undefined && { holderId }),
    ...(device !== undefined && { device }),
    ...(ip !== undefined && { ip }),
  };
}
