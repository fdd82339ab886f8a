import type { Statements } from '../../platform/index.ts';
import { type OrderView, type OrderWord, wordOf } from '../order/order.ts';
import { readOrders } from '../order/store/order-store.ts';

/** The order that caused an operation in a holder's list. */
export interface OrderCause {
  readonly kind: 'exchange';
  readonly order: string;
  /**
   * Money of this unit that the order sends to the wallet that paid the order is a refund. Absent if the order was not paid from
   * a wallet, or such money may be its payout.
   */
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

/** Returns a holder's orders among the causes of journals, by id. */
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
 * Returns the unit in which money sent to the paying wallet is a refund. If the order also pays out into that wallet in the same
 * unit, the money is a refund only once a refund was sent.
 */
function refundsOf({ pinned: { wallets }, give, get, facts }: OrderView): Pick<OrderCause, 'refunds'> {
  if (wallets?.give === undefined) return {};
  const isOneWallet = wallets.get !== undefined && give.unit === get?.unit;
  return isOneWallet && facts.sent?.kind !== 'refund' ? {} : { refunds: give.unit };
}

/**
 * Returns the ids of orders with an affiliate (`sent`), and of account holders' completed orders (`completed`). `among`: limits
 * both to these orders.
 */
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
