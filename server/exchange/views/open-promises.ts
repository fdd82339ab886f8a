import type { Statements } from '../../platform/index.ts';
import { ORDER_STATES, RESTING } from '../order/order.ts';

/** Numbers of held quotes and open orders of a pair: a change of prices doesn't affect them. */
export interface OpenPromises {
  readonly quotes: number;
  readonly orders: number;
}

const OPEN = ORDER_STATES.filter((state) => !RESTING.has(state));

/** Returns the current numbers of held quotes and open orders of a pair. */
export async function openPromises(db: Statements, from: string, to: string): Promise<OpenPromises> {
  const row = await db.row<OpenPromises>(
    `select (select count(*)::int from calculation
             where from_currency = $1 and to_currency = $2 and order_id is null and ended_at is null and expires_at > clock_now()
               and held is not null and (held ->> 'expiresAt')::numeric > extract(epoch from clock_now()) * 1000) as quotes,
            (select count(*)::int from customer_order
             where give_currency = $1 and get_currency = $2 and kind = 'order' and state = any ($3)) as orders`,
    [from, to, OPEN],
    { name: 'exchange.open_promises' },
  );
  return row ?? { quotes: 0, orders: 0 };
}
