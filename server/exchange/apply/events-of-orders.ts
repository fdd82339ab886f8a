// Publishes events about orders, in the transaction in which they happen.

import { isChain, payKindOf } from '../../payments/index.ts';
import { type OutboxEvent, type Tx, newId } from '../../platform/index.ts';
import {
  type OrderEventKind,
  type OrderPublished,
  endedAs,
  orderPublished,
  pricePublished,
  publishedOf,
  sentByOf,
} from '../order/events/order-published.ts';
import type { OrderView } from '../order/order.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { takenSeconds } from '../order/clock.ts';
import type { Outcome } from '../machine/machine.ts';
import { keysOfCustomers } from './debts-of-orders.ts';

/**
 * Number of days for which published events are stored. Events name customers. A closed account's data is deleted two weeks after
 * the closing, and its last events must be gone by then.
 */
const RETENTION_DAYS = 14;

/** An event to publish about an order. `order`: the order right after the event; `before`: the order right before it. */
export interface Happened {
  readonly kind: OrderEventKind;
  /** The new value of the order's fact `isCounted`, if the event changes it. */
  readonly isCounted?: boolean;
  readonly order: StoredOrder;
  readonly before?: OrderView;
}

/** Returns the events to publish after a decision; `order`: the order after the decision. */
export function happenedTo(before: StoredOrder, order: StoredOrder, { postings }: Outcome): Happened[] {
  const published = publishedOf(
    before.view,
    order.view,
    postings.map(({ name }) => name),
  );
  return published.map((one) => ({ ...one, order, before: before.view }));
}

/** Returns the outbox event for each of these events of orders, in the same sequence. */
export async function eventsOfOrders(tx: Tx, happened: readonly Happened[]): Promise<OutboxEvent[]> {
  if (happened.length === 0) return [];
  const orders = [...new Map(happened.map(({ order }) => [order.view.id, order])).values()];
  const customers = await keysOfCustomers(tx, orders);
  return happened.map(({ kind, order, before }): OutboxEvent => {
    const { view, number, holderId } = order;
    const body: OrderPublished = {
      order: view.id,
      number,
      version: view.version,
      at: tx.now.toISOString(),
      price: pricePublished(view, before),
      customer: { holder: holderId ?? null, ...(customers.get(view.id) ?? { shown: [], typed: [] }) },
      sentBy: sentByOf(view),
      paidBy: paidByOf(view),
      promisedSeconds: view.pinned.promised?.seconds ?? null,
      takenSeconds: order.finishedAt ? takenSeconds(view) : null,
      ended: kind === 'order.ended' ? endedAs(view) : null,
    };
    return { id: newId(), kind, subject: `order:${view.id}`, body: orderPublished.parse(body), days: RETENTION_DAYS };
  });
}

function paidByOf({ give, pinned }: OrderView): OrderPublished['paidBy'] {
  const { currency } = give;
  const way =
    pinned.wallets?.give !== undefined
      ? 'wallet'
      : isChain(currency)
        ? 'chain'
        : payKindOf(currency) === 'voucher'
          ? 'voucher'
          : 'e-wallet';
  return { way, isReversible: pinned.isReversible };
}
