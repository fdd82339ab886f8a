// Creates unallocated payments, from money that an order doesn't take or that came without an order, and new orders from that
// money.

import { PERCENT_ENOUGH, sumOf } from '../../collecting/index.ts';
import type { Context, Effect } from '../order/events/events.ts';
import { EMPTY, type Facts, type OrderView, type PromisedTime, type Side } from '../order/order.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { worthNow } from '../order/money/order-worth.ts';

/** Returns the hold of money whose customer was not asked for anything. A debtor's money waits for people, with no time limit. */
export const holdOf = (held: 'soft' | 'hard' | 'debt', since: Date): NonNullable<Facts['hold']> => ({
  cause: held === 'debt' ? 'hard' : held,
  since,
  ...(held === 'debt' && { isDebt: true }),
});

/**
 * Returns the kind of hold that the customer's debt or block requires, or undefined. Nothing of a debtor or a blocked customer
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

/** The customer of an unallocated payment or a new order, as far as known. */
export type Customer = Pick<StoredOrder, 'email' | 'holderId' | 'locale' | 'device' | 'ip'>;

/** Contents of an unallocated payment. `held` makes it wait for a person. */
type Unallocated = Pick<OpenUnallocated, 'id' | 'pieces' | 'settled' | 'held'>;

/** Owner and destination of an unallocated payment: the sides and terms that it inherits, and its root order, if any. */
export interface Origin {
  readonly customer: Customer;
  readonly side: Side;
  readonly goesTo: Pick<OrderView, 'get' | 'receive' | 'refund'>;
  readonly pinned: OrderView['pinned'];
  readonly root?: string;
}

/**
 * Returns the origin of payments to `parent` that the order doesn't take. They may go to the order's payout or refund account.
 * For a payment in another currency (`side`), neither direction nor account is known.
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

/** Returns the origin of a payment without any order: its customer is asked where it should go, and sending it back is free. */
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
 * Returns an unallocated payment: payments of a customer that belong to no order. Its customer chooses, or people decide if it is
 * held.
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
 * Returns an unallocated payment of the parent's customer: payments that arrived for `parent` but are not the order's. `side`:
 * their currency, if it differs.
 */
export const unallocatedOf = (
  parent: StoredOrder,
  { side, ...made }: Unallocated & { readonly side?: Side },
  number: string,
  now: Date,
): StoredOrder => unallocatedPayment(besideOrder(parent, side), made, number, now);

/** Returns the order that takes over an unallocated payment's money: at the offer's price, about to continue with that offer. */
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
    pinned: { ...pinned, terms: offer.terms, ratesVersion: offer.version, ...(promised && { promised }) },
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
