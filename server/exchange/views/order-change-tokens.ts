import type { Statements } from '../../platform/index.ts';
import type { Owner } from '../order/store/owner.ts';

/** Number of an owner's newest orders that the change token covers: more than a page shows. */
const NEWEST = 20;

/**
 * Returns a change token for each owner, by id. The token differs after an order of the owner is added or changes. One query
 * serves all owners. It finds each owner's orders by the same rule as `OWNED`.
 */
export async function orderChangeTokens(db: Statements, owners: readonly Owner[]): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; mark: string }>(
    `select asked.id, coalesce((
       select string_agg(concat_ws(' ', newest.id, version), ',' order by newest.id) from (
         (select id, version from customer_order where holder_id = asked.id order by created_at desc limit ${NEWEST})
         union all
         (select id, version from customer_order
          where holder_id is null and lower(email) = asked.mailbox order by created_at desc limit ${NEWEST})
       ) as newest), '') as mark
     from unnest($1::uuid[], $2::text[]) as asked (id, mailbox)`,
    [owners.map(({ id }) => id), owners.map(({ mailbox }) => mailbox ?? null)],
    { name: 'exchange.order_marks' },
  );
  return new Map(rows.map(({ id, mark }) => [id, mark]));
}
