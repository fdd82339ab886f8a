import type { Statements } from '../../platform/index.ts';
import { type OrderView, type OrderWord, wordOf } from '../order/order.ts';
import { readOrders } from '../order/store/order-store.ts';

/** The order behind an operation in a holder's list. */
export interface OrderCause {
  readonly kind: 'exchange';
  readonly order: string;
  /** Unit of the wallet that the order was paid from, if transfers into that wallet are refunds. */
  readonly refunds?: string;
  readonly status: 'confirming' | 'checking' | 'waiting' | 'paying' | 'done' | 'cancelled' | 'failed';
}

const STATUS = {
  waiting: 'waiting',
  seen: 'confirming',
  confirming: 'confirming',
  checking: 'checking',
  choose: 'waiting',
  paying: 'paying',
  done: 'done',
  expired: 'cancelled',
  cancelled: 'cancelled',
  refunding: 'paying',
  refunded: 'cancelled',
  rejected: 'failed',
} as const satisfies Record<OrderWord, OrderCause['status']>;

/** Returns the holder's own orders among the causes of journals. */
export async function ordersAmong(
  db: Statements,
  holderId: string,
  causes: readonly string[],
): Promise<ReadonlyMap<string, OrderCause>> {
  const rows = await db.rows<{ id: string }>('select id from customer_order where id = any ($1) and holder_id = $2', [
    causes,
    holderId,
  ]);
  const orders = await readOrders(
    db,
    rows.map(({ id }) => id),
  );
  return new Map(
    orders.map(({ view, number }) => [
      view.id,
      { kind: 'exchange', order: number, status: STATUS[wordOf(view)], ...refundsOf(view) },
    ]),
  );
}

/**
 * Returns the unit of refunds. An order paid from a wallet sends into that wallet only to refund, unless it pays out in the same
 * unit.
 */
function refundsOf({ pinned: { wallets }, give, get, facts }: OrderView): Pick<OrderCause, 'refunds'> {
  if (wallets?.give === undefined) return {};
  const isOneWallet = wallets.get !== undefined && give.unit === get?.unit;
  return isOneWallet && facts.sent?.kind !== 'refund' ? {} : { refunds: give.unit };
}

/** Returns the orders with an affiliate, and the completed orders of account holders. With `among`: of these orders alone. */
export async function ordersToRemember(
  db: Statements,
  among: readonly string[] | undefined,
): Promise<{ readonly sent: readonly string[]; readonly completed: readonly string[] }> {
  const some = among ? 'and id = any ($1::uuid[])' : '';
  const sent = await db.rows<{ id: string }>(
    `select id from customer_order where kind = 'order' and jsonb_typeof(pinned -> 'pinned' -> 'sent') = 'object' ${some}`,
    among && [among],
  );
  const completed = await db.rows<{ id: string }>(
    `select id from customer_order where kind = 'order' and state = 'completed' and holder_id is not null ${some}`,
    among && [among],
  );
  return { sent: sent.map(({ id }) => id), completed: completed.map(({ id }) => id) };
}
