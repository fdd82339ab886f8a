import type { Cell, Statements } from '../platform/index.ts';
import { wordOf } from './order.ts';
import type { StoredOrder } from './order-store.ts';
import { moneyWire } from './order-wire.ts';
import { allOwnOrders, type OwnFilter } from './own-orders.ts';
import type { Owner } from './owner.ts';

const COLUMNS = [
  'order', 'kind', 'status', 'created_utc', 'updated_utc', 'give_amount', 'give_currency', 'get_amount', 'get_currency', 'received_at', 'email', 'payout',
]; // prettier-ignore

/** An owner's orders as the rows of a file, newest first, with their head; some hundreds in memory at a time. */
export async function* orderRows(db: Statements, owner: Owner, filter: OwnFilter): AsyncGenerator<Cell[][]> {
  yield [COLUMNS];
  for await (const orders of allOwnOrders(db, owner, filter)) yield orders.map(rowOf);
}

function rowOf(order: StoredOrder): Cell[] {
  const { view } = order;
  const { exchange, sent } = view.facts;
  const get = view.get && moneyWire(exchange ? { ...view.get, parts: exchange.got } : view.get);
  const give = moneyWire(view.give);
  return [
    order.number,
    view.kind,
    wordOf(view),
    order.createdAt.toISOString(),
    order.updatedAt.toISOString(),
    { amount: give.amount },
    give.currency,
    get ? { amount: get.amount } : '',
    get?.currency ?? '',
    Object.values(view.receive?.fields ?? {}).join(' '),
    order.email,
    sent?.txid ?? '',
  ];
}
