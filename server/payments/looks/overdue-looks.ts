import type { Statements } from '../../platform/index.ts';
import { settings } from '../rails/settings.ts';

/** Places of a rail that are looked at later than they should be: those where a payment is awaited, or the others. */
export interface OverdueLooks {
  readonly rail: string;
  readonly awaited: boolean;
  /** How long the one that waits longest has been due. */
  readonly seconds: number;
  /** Whether that is more than people want to bear without being told. */
  readonly isTold: boolean;
}

/** How late looks at places are, by rail; what is in time, or whose rail is down, is left out. Reads one row of each. */
export async function overdueLooks(db: Statements): Promise<OverdueLooks[]> {
  const rows = await db.rows<{ rail: string; urgent: boolean; seconds: number }>(
    `select rail, urgent, extract(epoch from clock_now() - due_at)::float8 as seconds
     from rail_state cross join (values (true), (false)) as sort (urgent) cross join lateral (
       select due_at from place p where p.rail = rail_state.rail and (p.pressing or p.asked) = sort.urgent and due_at is not null
       order by due_at limit 1) first
     where up and due_at < clock_now() order by rail, urgent desc`,
    [],
    { name: 'payments.late_looks' },
  );
  const bounds = settings.get('payments.looks_late_minutes');
  return rows.map(({ rail, urgent: awaited, seconds }) => ({
    ...{ rail, awaited, seconds },
    isTold: seconds > (awaited ? bounds.awaited : bounds.others) * 60,
  }));
}

/** What people read of it. */
export function overdueWords({ awaited, seconds }: OverdueLooks): string {
  const minutes = Math.round(seconds / 60);
  return awaited
    ? `payments that are awaited are looked for ${minutes} min late`
    : `older addresses are looked at ${minutes} min late`;
}
