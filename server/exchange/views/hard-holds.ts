import type { Statements } from '../../platform/index.ts';

/** Returns the number of orders and unallocated payments that are held until people decide: no time ends their hold. */
export async function countHeldOrders(db: Statements): Promise<number> {
  const row = await db.row<{ count: number }>(
    `select count(*)::int as count from customer_order where state = 'holding' and body #>> '{facts,hold,cause}' = 'hard'`,
    [],
    { name: 'exchange.count_held_orders' },
  );
  return row?.count ?? 0;
}
