import type { Statements } from '../../platform/index.ts';
import { settings } from '../rails/settings.ts';

/**
 * Overdue polls of a rail's receiving addresses. `isAwaited`: true for the addresses that await a payment, false for all others.
 */
export interface OverduePolls {
  readonly rail: string;
  readonly isAwaited: boolean;
  /** Seconds by which the most overdue poll is late. */
  readonly seconds: number;
  /** True if the delay is long enough for an alarm. */
  readonly isReported: boolean;
}

/**
 * Returns the overdue polls of each rail that is up. Leaves out rails without overdue polls. Reads one row per rail and kind of
 * address.
 */
export async function overduePolls(db: Statements): Promise<OverduePolls[]> {
  const rows = await db.rows<{ rail: string; urgent: boolean; seconds: number }>(
    `select rail, urgent, extract(epoch from clock_now() - due_at)::float8 as seconds
     from rail_state cross join (values (true), (false)) as sort (urgent) cross join lateral (
       select due_at from receiving_address p where p.rail = rail_state.rail and (p.is_pressing or p.is_requested) = sort.urgent and due_at is not null
       order by due_at limit 1) first
     where up and due_at < clock_now() order by rail, urgent desc`,
    [],
    { name: 'payments.late_looks' },
  );
  const bounds = settings.get('payments.looks_late_minutes');
  return rows.map(({ rail, urgent: isAwaited, seconds }) => ({
    ...{ rail, isAwaited, seconds },
    isReported: seconds > (isAwaited ? bounds.awaited : bounds.others) * 60,
  }));
}

/** Returns the text of the alarm about overdue polls. */
export function overdueWords({ isAwaited, seconds }: OverduePolls): string {
  const minutes = Math.round(seconds / 60);
  return isAwaited ? `awaited payments are polled ${minutes} min late` : `older addresses are polled ${minutes} min late`;
}
