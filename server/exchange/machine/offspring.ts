// Orders that come from orders: a stray from money that an order doesn't take, a new order from a stray.

import type { Context, Effect } from '../order/events.ts';
import { EMPTY, type Facts, type OrderView, type Side } from '../order/order.ts';
import type { StoredOrder } from '../order/order-store.ts';
import { sumOf } from '../order/pieces.ts';
import { worthNow } from '../order/order-worth.ts';

/** How money is held that nobody has asked anything about. What a debtor has paid waits for people, without an end. */
export const holdOf = (held: 'soft' | 'hard' | 'debt', since: Date): NonNullable<Facts['hold']> => ({
  cause: held === 'debt' ? 'hard' : held,
  since,
  ...(held === 'debt' && { isDebt: true }),
});

/** How what people decide of is held by what is known of its customer: nothing of a debtor's or of somebody blocked goes by itself. */
export const heldBy = (owes: Context['owes']): 'debt' | 'hard' | undefined =>
  owes === 'blocked' ? 'hard' : owes === 'shown' ? 'debt' : undefined;

/** Facts of an order that has just come to its state. */
export const freshFacts = (now: Date, facts: Partial<Facts> = {}): Facts => ({
  since: now,
  late: false,
  lower: false,
  askMe: false,
  asked: false,
  freeRefund: false,
  tries: 0,
  passing: false,
  dedupeOver: false,
  offers: 0,
  reminded: 0,
  ...facts,
});

type OpenStray = Extract<Effect, { do: 'open_stray' }>;

/**
 * A stray of the same customer: payments that arrived for `parent` and are not its own. It may go where the parent was
 * to go, and back where the parent's refund goes. `held` keeps it for a person.
 */
export function strayOf(
  parent: StoredOrder,
  { id, pieces, settled = 0n, side, held }: Pick<OpenStray, 'id' | 'pieces' | 'settled' | 'held'> & { readonly side?: Side },
  number: string,
  now: Date,
): StoredOrder {
  const { view } = parent;
  const parts = sumOf(pieces) + settled;
  const give = { ...(side ?? view.give), parts };
  const { terms: _, ...pinned } = view.pinned;
  const stray: OrderView = {
    id,
    kind: 'stray',
    state: held ? 'holding' : 'choosing',
    version: 1,
    give,
    // In another currency than the order's nothing is known: neither a direction nor an account.
    ...(!side && view.get && { get: { ...view.get, parts: 0n } }),
    ...(!side && view.receive && { receive: view.receive }),
    ...(!side && view.refund && { refund: view.refund }),
    pinned: { ...pinned, ...(side && { refundCost: 0n, refundLeast: 1n }) },
    payments: pieces,
    positions: { ...EMPTY, in: parts },
    facts: freshFacts(now, {
      late: true,
      asked: !held,
      ...(settled > 0n && { settled }),
      ...(held && { hold: holdOf(held, now) }),
    }),
  };
  return offspring(parent, stray, number, now);
}

/** The order that a stray's money is used for: at the offer's price, about to go on by that offer. */
export function orderFromStray(
  parent: StoredOrder,
  { id, parts, offer, payments }: Extract<Effect, { do: 'open_order' }>,
  number: string,
  now: Date,
): StoredOrder {
  const { view } = parent;
  if (!view.get) throw new Error(`Stray ${parent.number} has no direction`);
  const { madeFrom: _, ...pinned } = view.pinned;
  const brought = sumOf(payments.filter(({ standing }) => standing === 'final'));
  const order: OrderView = {
    ...view,
    id,
    kind: 'order',
    state: 'choosing',
    version: 1,
    give: { ...view.give, parts },
    get: { ...view.get, parts: offer.slip.get.parts },
    pinned: { ...pinned, terms: offer.terms, ratesVersion: offer.version },
    payments,
    positions: { ...EMPTY, in: parts },
    facts: freshFacts(now, {
      ...{ late: true, offer: { ...offer, choice: 'continue' }, offers: offer.number },
      ...(parts > brought && { settled: parts - brought }),
    }),
  };
  return offspring(parent, order, number, now);
}

function offspring(parent: StoredOrder, view: OrderView, number: string, now: Date): StoredOrder {
  const { email, holderId, locale, device, ip, strayOf: root } = parent;
  return {
    view,
    number,
    email,
    locale,
    usd: worthNow(view) ?? 0n,
    createdAt: now,
    updatedAt: now,
    tokenVersion: 1,
    strayOf: root ?? parent.view.id,
    ...(holderId !== undefined && { holderId }),
    ...(device !== undefined && { device }),
    ...(ip !== undefined && { ip }),
  };
}
