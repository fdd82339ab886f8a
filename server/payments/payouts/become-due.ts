import { type Statements, sendWake } from '../../platform/index.ts';

/** A change of a rail's chain, as a poll of its tip shows it. */
interface Moved {
  /** Height of the chain's tip. */
  readonly height: number;
  /** True if the tip is no higher than the height seen before. */
  readonly isReorg: boolean;
  /** True if the rail shows payments only once they are in a block. */
  readonly isBlocksOnly: boolean;
  /** Numbers of addresses whose claims this process holds. Its own quick polls cover them, so they are left out here. */
  readonly held: readonly number[];
}

/**
 * Makes due the addresses and sends that a change of the chain may affect. These are addresses with unfinished payments, and
 * sends that are not final, once the tip reaches their deciding height (`poll_height`). With `isBlocksOnly`, addresses that await
 * a payment are made due, too. After a reorg the deciding height is ignored, and addresses with followed final payments are
 * added. Returns the number of rows made due. Locks rows in the order of their numbers, as all other code does. Wakes pages that
 * show confirmations.
 */
export async function becomeDue(db: Statements, rail: string, { height, isReorg, isBlocksOnly, held }: Moved): Promise<number> {
  const row = await db.row<{ due: number }>(
    `with found as (
       select number from receiving_address where rail = $1 and is_unfinished and ($2 or coalesce(poll_height, 0) <= $4)
       union
       select number from receiving_address where $2 and rail = $1 and is_settling
       union
       select number from receiving_address
       where $3 and rail = $1 and (is_pressing or is_requested) = true and due_at > clock_now() and ($2 or coalesce(poll_height, 0) <= $4)
         and number <> all ($5::bigint[])
     ), waiting_places as (
       select number from receiving_address
       where rail = $1 and number = any (array (select number from found)) and due_at > (select clock_now()) order by number for update
     ), places as (
       update receiving_address set due_at = (select clock_now()), is_requested = true
       where rail = $1 and number = any (array (select number from waiting_places)) returning 1
     ), waiting_attempts as (
       select id from payment_attempt
       where rail = $1 and status in ('sent', 'replaced') and due_at > (select clock_now()) and last_sent_at is not null
         and ($2 or coalesce(poll_height, 0) <= $4)
       order by id for update
     ), attempts as (
       update payment_attempt set due_at = (select clock_now()) where id = any (array (select id from waiting_attempts)) returning 1
     )
     select ((select count(*) from places) + (select count(*) from attempts))::int as due, (${sendWake('blocks')} and
       exists (select from receiving_address cross join lateral (
                 select from payin where payin.rail = receiving_address.rail and payin.number = receiving_address.number and payin.height is not null offset 0
               ) as shown where receiving_address.rail = $1 and receiving_address.is_unfinished))`,
    [rail, isReorg, isBlocksOnly, height, held],
    { name: 'payments.become_due' },
  );
  return row?.due ?? 0;
}
