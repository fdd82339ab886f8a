// Claims addresses for a poll, so that no other process polls them meanwhile.

import type { Statements } from '../../platform/index.ts';
import type { ClaimedAddress } from '../payins/payin-store.ts';

/** Validity of a claim, in seconds. After that another process may poll the claimed address. */
const POLL_SECONDS = 30;

/** Addresses claimed for one poll. */
export interface Claim {
  readonly addresses: readonly ClaimedAddress[];
  /** Greatest height of the rail's chain that any process has seen. */
  readonly top: number;
  /**
   * True if other addresses are due, too. After a claim of urgent addresses, the others are those where no payment is likely, and
   * vice versa.
   */
  readonly hasOthersDue: boolean;
}

/** A claim that a process holds in memory after a poll found no payment. */
export interface HeldClaim {
  readonly number: number;
  readonly poll: string;
  /** Start of the last complete poll that found no payment; null if there was none. */
  readonly provenAt: Date | null;
}

/**
 * Claims addresses of a rail that are due, those due longest first. `isUrgent`: true to claim addresses where a payment is likely
 * or a poll was requested; false to claim the others. Claims no addresses while the rail is down.
 */
export async function claimAddresses(
  tx: Statements,
  rail: string,
  { isUrgent, max }: { readonly isUrgent: boolean; readonly max: number },
): Promise<Claim> {
  const due = `
    select number from receiving_address where rail = $1 and (is_pressing or is_requested) = $2 and due_at <= clock_now()
      and exists (select from rail_state where rail = $1 and up)
    order by due_at limit $3 for update skip locked`;
  return claimOf(await tx.rows<ClaimRow>(claimSql(due), [rail, isUrgent, max], { name: 'payments.claim_places' }));
}

/**
 * Renews held claims, and stores the time of each address's last complete poll. Leaves out addresses that another process has
 * claimed.
 */
export async function claimHeld(tx: Statements, rail: string, held: readonly HeldClaim[]): Promise<Claim> {
  const due = `
    select receiving_address.number, proven_at from receiving_address
    join unnest($3::bigint[], $4::bigint[], $5::timestamptz[]) as held (number, poll, proven_at) using (number, poll)
    where rail = $1 and exists (select from rail_state where rail = $1 and up) order by receiving_address.number for update of receiving_address skip locked`;
  const proved = 'polled_at = greatest(polled_at, (select proven_at from due where due.number = receiving_address.number))';
  const rows = await tx.rows<ClaimRow>(claimSql(due, proved), [rail, true, ...columnsOf(held)], { name: 'payments.claim_held' });
  return claimOf(rows);
}

/** Releases held claims, and stores the time of each address's last complete poll. Makes the addresses due at once. */
export async function giveBack(db: Statements, rail: string, held: readonly HeldClaim[]): Promise<void> {
  if (held.length === 0) return;
  await db.run(
    `update receiving_address set due_at = least(due_at, (select clock_now())), polled_at = greatest(polled_at, proven_at)
     from unnest($2::bigint[], $3::bigint[], $4::timestamptz[]) as held (number, poll, proven_at)
     where rail = $1 and receiving_address.number = held.number and receiving_address.poll = held.poll`,
    [rail, ...columnsOf(held)],
  );
}

const columnsOf = (held: readonly HeldClaim[]): unknown[] => [
  held.map(({ number }) => number),
  held.map(({ poll }) => poll),
  held.map(({ provenAt }) => provenAt),
];

interface ClaimRow {
  number: string;
  currency: string;
  to_text: string;
  from_height: string;
  poll: string;
  is_open: boolean;
  quiet_until: Date | null;
  provider_id: string | null;
  is_wanted: boolean | null;
  read_on: string | null;
  begun: Date;
  top: string;
  others_due: boolean;
}

/**
 * Returns SQL that claims the due addresses. An address whose poll was requested (`is_requested`) gets no `quiet_until`, so its
 * poll is always stored.
 */
const claimSql = (due: string, proved = 'polled_at = polled_at'): string => `
  with state as (
    select top_height as top,
      exists (select from receiving_address where rail = $1 and (is_pressing or is_requested) = not $2 and due_at <= clock_now()) as others_due
    from rail_state where rail = $1 and up
  ), due as (${due}), taken as (
    update receiving_address set poll = receiving_address.poll + 1, is_requested = false, due_at = (select clock_now()) + interval '${POLL_SECONDS} seconds', ${proved}
    from state where receiving_address.rail = $1 and receiving_address.number = any (array (select number from due))
    returning receiving_address.number, currency, to_text, from_height, receiving_address.poll, is_unfinished or is_settling as is_open, read_on, top, others_due,
      case when is_pressing and not (old.is_requested or is_unfinished or is_settling) and unread_since is null then close_until end as quiet_until
  )
  select taken.*, provider_id, until > (select clock_now()) as is_wanted, (select clock_now()) as begun
  from taken left join lateral (
    select provider_id, until from payin_request r where r.rail = $1 and r.number = taken.number offset 0
  ) as request on true`;

function claimOf(rows: readonly ClaimRow[]): Claim {
  const addresses = rows.map((row) => ({
    number: Number.parseInt(row.number, 10),
    currency: row.currency,
    to: row.to_text,
    sinceHeight: Number.parseInt(row.from_height, 10),
    poll: row.poll,
    isOpen: row.is_open,
    begun: row.begun,
    ...(row.quiet_until !== null && { quietUntil: row.quiet_until }),
    ...(row.read_on !== null && { readOn: row.read_on }),
    ...(row.provider_id !== null && { id: row.provider_id }),
    ...(row.is_wanted !== null && { isWanted: row.is_wanted }),
  }));
  return { addresses, top: Number.parseInt(rows[0]?.top ?? '0', 10), hasOthersDue: rows[0]?.others_due ?? true };
}
