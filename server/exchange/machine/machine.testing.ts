// Builds orders in a given state and applies events to them, for tests of single rows of the order machine.

import assert from 'node:assert/strict';
import type { Context, OrderEvent } from '../order/events/events.ts';
import { type Outcome, decide } from './machine.ts';
import { makeOffer } from './offers.ts';
import {
  EMPTY,
  type Exchange,
  type Offer,
  type OrderState,
  type OrderView,
  type Payment,
  type Positions,
} from '../order/order.ts';
import { begin } from '../exploration/order-world.testing.ts';
import { BACK, TERMS } from '../exploration/order-terms.testing.ts';

export const DAY = 86_400_000;
export const START = new Date(0);
export const NOW = new Date(60_000);
export const ACCOUNT = { fields: { account: 'b' }, key: 'b' };

/** The exchange of an order of 20: a fee of 2, a coupon's discount of 1 and a cost of 1. So 18 are exchanged, one to one. */
export const EXCHANGED: Exchange = {
  give: 20n,
  components: [
    { code: 'fee', words: 'fee', kind: 'fee', account: 'income:spread', payer: 'customer', amount: 2n },
    { code: 'coupon', words: 'discount', kind: 'discount', account: 'spent:discount', payer: 'desk', amount: 1n },
    { code: 'network', words: 'network', kind: 'cost', account: 'income:fee', payer: 'customer', amount: 1n },
  ],
  exchanged: 18n,
  got: 18n,
  rate: TERMS.rate,
  retained: 0n,
  provision: 0n,
  version: '1',
};

export const CONTEXT: Context = {
  now: NOW,
  rules: {
    offer: 180_000,
    choice: 3 * DAY,
    hold: 3 * DAY,
    approval: DAY,
    keepRate: 1_800_000,
    better: 2,
    retries: 5,
    writeOff: 180 * DAY,
  },
  newId: () => 'x',
  free: { get: 100n, give: 100n },
  held: 100n,
  market: { terms: TERMS, back: BACK, version: '2' },
  allows: () => true,
  approvalFor: () => ({ people: 0 }),
  screening: 'clean',
};

/** Returns a payment with the id `p`. */
export const payment = (status: Payment['status'], parts = 20n): Payment => ({
  id: 'p',
  parts,
  status,
  place: 'hot',
  txid: 'p',
  seenAt: START,
  isFeeOk: true,
  confirmations: 1,
  needed: 1,
});

/** Returns an order in a state with these positions. The order is late unless `facts` says otherwise. */
export function orderIn(
  state: OrderState,
  positions: Partial<Positions>,
  facts: Partial<OrderView['facts']> = {},
  payments: readonly Payment[] = [payment('final')],
  kind: OrderView['kind'] = 'order',
): OrderView {
  const { order } = begin(
    { kind, hasRoute: true, askMe: false },
    { sizes: [20n], pays: 1, reversals: 0, wins: 0, returns: 0, retries: 0 },
  );
  return { ...order, state, payments, positions: { ...EMPTY, ...positions }, facts: { ...order.facts, isLate: true, ...facts } };
}

/** Returns the order with a fresh offer, of which `change` replaces fields. */
export function withOffer(order: OrderView, change: Partial<Offer> = {}): OrderView {
  const offer = makeOffer(order, CONTEXT);
  assert.ok(offer);
  return { ...order, facts: { ...order.facts, offer: { ...offer, ...change } } };
}

/** Returns the order without a refund account. */
export function withoutRefund(order: OrderView): OrderView {
  const { refund: _, ...rest } = order;
  return rest;
}

/** Returns the reason for which an order refuses an event; undefined if it accepts. */
export const refusedOf = (order: OrderView, event: OrderEvent, context: Partial<Context> = {}) =>
  decide(order, event, { ...CONTEXT, ...context }).refused;

/** Returns the outcome of an event that the order accepts; fails the test if it refuses. */
export function next(order: OrderView, event: OrderEvent, context: Partial<Context> = {}): Outcome {
  const outcome = decide(order, event, { ...CONTEXT, ...context });
  if (outcome.refused !== undefined) assert.fail(`${event.type} was refused: ${outcome.refused}`);
  return outcome;
}
