import type { Statements } from '../platform/index.ts';
import { type StoredOrder, readOrders } from './order-store.ts';

export interface OrderFilter {
  readonly states?: readonly string[] | undefined;
  /** Only orders that wait for a person, oldest first. */
  readonly waiting: boolean;
  /** An order's number, an e-mail address, or a part of either. */
  readonly text?: string | undefined;
  readonly page: number;
  readonly perPage: number;
}

/** States in which an order can't go on without somebody of the desk. */
const WAITING = ['holding', 'approving', 'in_doubt', 'r_in_doubt', 'frozen', 'charged_back'];

/** A page of orders for the desk, newest first, with the number of all that match. */
export async function listOrders(db: Statements, filter: OrderFilter): Promise<{ orders: StoredOrder[]; total: number }> {
  const states = filter.waiting ? WAITING : filter.states && filter.states.length > 0 ? filter.states : null;
  const text = filter.text === undefined || filter.text === '' ? null : `%${filter.text.replace(/[%_\\]/g, '\\$&')}%`;
  const where = 'where ($1::text[] is null or state = any($1)) and ($2::text is null or number ilike $2 or email ilike $2)';
  const order = filter.waiting ? 'updated_at' : 'created_at desc';
  const ids = await db.rows<{ id: string }>(`select id from customer_order ${where} order by ${order} limit $3 offset $4`, [
    states,
    text,
    filter.perPage,
    (filter.page - 1) * filter.perPage,
  ]);
  const count = await db.row<{ total: number }>(`select count(*)::int as total from customer_order ${where}`, [states, text]);
  const found = new Map(
    (
      await readOrders(
        db,
        ids.map(({ id }) => id),
      )
    ).map((one) => [one.view.id, one]),
  );
  return { orders: ids.flatMap(({ id }) => found.get(id) ?? []), total: count?.total ?? 0 };
}
