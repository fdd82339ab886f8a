// Orders that account holders' programs placed for their own customers.

import type { Statements, Tx } from '../../../platform/index.ts';
import { requireAsStored } from './order-mac.ts';
import { type StoredOrder, readOrders } from './order-store.ts';

/** Stores the account holder whose program placed an order. */
export async function notePartnerOrder(
  tx: Tx,
  { orderId, holderId }: { readonly orderId: string; readonly holderId: string },
): Promise<void> {
  await tx.run('insert into partner_order (order_id, holder_id, placed_at) values ($1, $2, $3)', [orderId, holderId, tx.now], {
    name: 'exchange.note_partner_order',
  });
}

/** Returns the number of completed orders that a holder's programs placed; at most `max`. */
export async function countPaidFor(db: Statements, holderId: string, max: number): Promise<number> {
  const row = await db.row<{ paid: number }>(
    `select count(*)::int as paid from (
       select from partner_order p join customer_order o on o.id = p.order_id
       where p.holder_id = $1 and o.state = 'completed' limit $2
     ) as counted`,
    [holderId, max],
    { name: 'exchange.partner_paid' },
  );
  return row?.paid ?? 0;
}

/**
 * Returns an order that a holder's program placed, by its number; undefined if there is none or another holder's program placed
 * it. Throws `record_altered`.
 */
export async function readPartnerOrder(db: Statements, holderId: string, number: string): Promise<StoredOrder | undefined> {
  const row = await db.row<{ id: string }>(
    `select o.id from customer_order o join partner_order p on p.order_id = o.id where o.number = $2 and p.holder_id = $1`,
    [holderId, number],
    { name: 'exchange.partner_order' },
  );
  const [order] = row ? await readOrders(db, [row.id]) : [];
  return order && requireAsStored(order);
}
