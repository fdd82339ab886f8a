// Sums of customers' open orders, which the daily limits of each customer include.

import type { Statements } from '../../../platform/index.ts';

/** Payouts of one customer's open orders in one unit. `parts`: their sum. `usd`: their worth in cents of USD at the placing. */
export interface OpenSum {
  readonly holderId: string | undefined;
  /** The customer's canonical e-mail address. */
  readonly email: string;
  /** True if the customer of these orders had proven to read the mailbox of the address. */
  readonly isMailboxShown: boolean;
  readonly unit: string;
  readonly parts: bigint;
  readonly usd: bigint;
}

interface OpenSumRow {
  readonly holderId: string | null;
  readonly email: string;
  readonly isMailboxShown: boolean;
  readonly unit: string;
  readonly parts: string;
  readonly usd: string;
}

/**
 * Returns the sums of open orders, of account holders by id, and of visitors by canonical address. Only orders are included whose
 * payout is still to come and needs no approval. Payouts into wallets are left out: they don't leave the desk.
 */
export async function openSums(
  db: Statements,
  { holders, emails }: { readonly holders: readonly string[]; readonly emails: readonly string[] },
): Promise<OpenSum[]> {
  const rows = await db.rows<OpenSumRow>(
    `select holder_id as "holderId", customer as email, pinned #>> '{pinned,isMailboxProven}' is not null as "isMailboxShown",
       pinned #>> '{get,unit}' as unit, sum(get_parts) as parts, sum(usd) as usd
     from (
       select * from customer_order where ${OPEN} and holder_id = any ($1)
       union all
       select * from customer_order where ${OPEN} and holder_id is null and customer = any ($2)
     ) as open
     where coalesce((body #>> '{facts,approval,people}')::int, 0) = 0 and pinned #>> '{pinned,wallets,get}' is null
     group by 1, 2, 3, 4`,
    [holders, emails],
    { name: 'exchange.open_sums' },
  );
  return rows.map(({ holderId, parts, usd, ...row }) => ({
    ...row,
    ...{ holderId: holderId ?? undefined, parts: BigInt(parts), usd: BigInt(usd) },
  }));
}

/** SQL condition for open orders. It must match the indexes `customer_order_open_holder` and `customer_order_open_customer`. */
const OPEN = `state in ('awaiting', 'seen', 'choosing', 'holding', 'approving', 'undelivered') and kind = 'order'`;
