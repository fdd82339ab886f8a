// Computes the money that was in flight at a past moment: either the books or the rail's balance may have included this money
// then, but not both.

import { type AccountRef, type Moved, movedSince } from '../../ledger/index.ts';
import type { Statements } from '../../platform/index.ts';

/**
 * Limits of the difference between books and rail at a moment, in parts. `coming`: largest amount by which the rail may have
 * exceeded the books. `going`: largest amount by which the books may have exceeded the rail.
 */
export interface InFlight {
  readonly coming: bigint;
  readonly going: bigint;
}

/** Seconds by which a rail's clock may differ from ours, and by which its balance may lag behind its payments. */
const APART_SECONDS = 30;

/** Journal kinds for money that people or look-ups report, perhaps long after it reached the rail. */
const BY_WORD = new Set([
  'returned',
  'dispute_won',
  'found_late_settled',
  'capital_in',
  'capital_out',
  'rebalance',
  'difference',
]);
/**
 * Ledger accounts of money that goes to a rail (a payout, a fee, our own transfer). A row of payments stores the time of each
 * such movement.
 */
const WITH_ROW = new Set(['payout', 'spent', 'custody']);
/** Journal kinds for expenses that people report: no row of payments stores their time. */
const SPENT_BY_WORD = new Set(['dispute_cost']);

/**
 * Returns the sums of journals posted after a moment that may have happened at the rail before it, since their time is unknown.
 * Pure.
 */
export function saidLater(moved: readonly Moved[]): InFlight {
  return moved.reduce(
    ({ coming, going }, { kind, other, up, down }) => ({
      coming: coming + (BY_WORD.has(kind) ? up : 0n),
      going: going + (WITH_ROW.has(other) && !SPENT_BY_WORD.has(kind) ? 0n : down),
    }),
    { coming: 0n, going: 0n },
  );
}

/**
 * Returns a hot wallet's money in flight at a moment. It consists of payments made before the moment and booked after it, sends
 * under way at that moment with their fees, and journals that people booked later. Changes that came after the moment both at the
 * rail and in the books are left out.
 */
export async function inFlightThen(db: Statements, account: AccountRef, currency: string, at: Date): Promise<InFlight> {
  const apart = (sign: number): Date => new Date(at.getTime() + sign * APART_SECONDS * 1_000);
  const rows = await db.row<{ coming: string; going: string }>(ROWS, [currency, apart(-1), apart(1)], {
    name: 'payments.in_flight_then',
  });
  const words = saidLater(await movedSince(db, account, at));
  return { coming: BigInt(rows?.coming ?? '0') + words.coming, going: BigInt(rows?.going ?? '0') + words.going };
}

// `$2` and `$3` are the moment minus and plus `APART_SECONDS`. As separate parameters they tell the planner that few rows are so
// young. A payment happened at its `seen_at`. A send may have happened since `stored_at`, and is booked at `accepted_at`.
const ROWS = `
  with late as (
    select id, items, status, stored_at, accepted_at, fee, fee_currency, is_fee_posted from payment_attempt
    where rail = (select rail from rail_balance where currency = $1 limit 1)
      and (accepted_at >= $2 or status in ('stored', 'doubtful', 'sent', 'replaced'))),
  sent as (
    select o.parts, late.status, stored_at, accepted_at from late join payout o on o.id = any (late.items) where o.currency = $1),
  fee as (
    select e.detail ->> 'what' as what, (one ->> 'parts')::numeric as parts
    from payment_event e join payment_attempt a on a.id = e.cause, jsonb_array_elements(e.legs) one
    where e.kind = 'rail_fee' and (e.posted_at is null or e.posted_at >= $2) and a.fee_currency = $1 and a.stored_at <= $3)
  select
    coalesce((select sum(p.parts) from payin p
      where p.currency = $1 and p.place = 'hot' and p.status <> 'dropped' and p.seen_at <= $3
        and (p.status = 'seen' and p.final_at is null or p.final_at >= $2)), 0)
    + coalesce((select sum(parts) from sent where accepted_at between $2 and $3), 0)
    + coalesce((select sum(parts) from fee where what = 'fee_back'), 0) as coming,
    coalesce((select sum(parts) from sent where stored_at <= $3
        and (accepted_at >= $2 or accepted_at is null and status in ('stored', 'doubtful', 'sent', 'replaced'))), 0)
    + coalesce((select sum(p.parts) from payin p
      where p.currency = $1 and p.place = 'hot' and p.final_at between $2 and $3), 0)
    + coalesce((select sum(fee) from late
      where fee_currency = $1 and stored_at <= $3 and not is_fee_posted
        and status in ('stored', 'doubtful', 'sent', 'replaced')), 0)
    + coalesce((select sum(parts) from fee where what = 'fee'), 0) as going`;
