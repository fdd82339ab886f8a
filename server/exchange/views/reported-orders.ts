// Queries of orders for reports about the desk's money.

import type { Statements } from '../../platform/index.ts';

/** SQL query for the two currencies of each order: `(id, give, get)`. */
export const ORDER_CURRENCIES = 'select id, give_currency as give, get_currency as get from customer_order';

/** Returns the number of orders that were placed since a moment, by their two currencies joined with a space. */
export async function ordersPlacedSince(db: Statements, since: Date): Promise<ReadonlyMap<string, number>> {
  const rows = await db.rows<{ pair: string; count: string }>(
    `select give_currency || ' ' || get_currency as pair, count(*) as count from customer_order
     where kind = 'order' and created_at >= $1 group by 1`,
    [since],
  );
  return new Map(rows.map(({ pair, count }) => [pair, +count]));
}
