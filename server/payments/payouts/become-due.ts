import { type Statements, tellWake } from '../../platform/index.ts';

/** How a rail's chain has moved. */
interface Moved {
  /** Where its tip is. */
  readonly height: number;
  /** It is no higher than what was seen before. */
  readonly reorg: boolean;
  /** Payments are shown in blocks alone. */
  readonly blocksOnly: boolean;
}

/**
 * A rail's chain has moved: payments that are not final are due, and so is what was sent and is not, where the height decides
 * something (`look_height`); where payments come in blocks alone addresses where one is awaited, too; after a reorg all of
 * these, and the final payments that are followed. Gives how much is. Locks each kind in the order of its numbers, as all
 * others do. Pages are told where they show what a block confirms.
 */
export async function becomeDue(db: Statements, rail: string, { height, reorg, blocksOnly }: Moved): Promise<number> {
  const row = await db.row<{ due: number }>(
    `with found as (
       select number from place where rail = $1 and (unfinished and coalesce(look_height, 0) <= $4 or $2 and (unfinished or settling))
       union
       select number from place
       where $3 and rail = $1 and (pressing or asked) = true and due_at > clock_now() and ($2 or coalesce(look_height, 0) <= $4)
     ), waiting_places as (
       select number from place
       where rail = $1 and number in (select number from found) and due_at > clock_now() order by number for update
     ), places as (
       update place set due_at = clock_now(), asked = true where rail = $1 and number in (select number from waiting_places) returning 1
     ), waiting_attempts as (
       select id from payment_attempt
       where rail = $1 and status in ('sent', 'replaced') and due_at > clock_now() and last_sent_at is not null
         and ($2 or coalesce(look_height, 0) <= $4)
       order by id for update
     ), attempts as (
       update payment_attempt set due_at = clock_now() where id in (select id from waiting_attempts) returning 1
     )
     select ((select count(*) from places) + (select count(*) from attempts))::int as due, (${tellWake('blocks')} and
       (exists (select from place join payin using (rail, number) where place.rail = $1 and place.unfinished and payin.height is not null)
       or exists (select from payment_attempt a join payout p on p.attempt_id = a.id
                  where a.rail = $1 and a.status = 'sent' and a.height is not null and p.owner_kind = 'wallet')))`,
    [rail, reorg, blocksOnly, height],
    { name: 'payments.become_due' },
  );
  return row?.due ?? 0;
}
