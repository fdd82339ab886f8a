import type { Statements } from '../../platform/index.ts';
import { settings } from '../rails/settings.ts';

/** Receiving addresses of a rail whose looks are overdue: those that await a payment, or the others. */
export interface OverdueLooks {
  readonly rail: string;
  readonly awaited: boolean;
  /** How long the most overdue one has waited. */
  readonly seconds: number;
  /** Whether that is long enough for an alarm. */
  readonly isTold: boolean;
}

/** How overdue looks are, by rail; rails that are in time or down are left out. Reads one row of each. */
export async function overdueLooks(db: Statements): Promise<OverdueLooks[]> {
  const rows = await db.rows<{ rail: string; urgent: boolean; seconds: number }>(
    `select rail, urgent, extract(epoch from clock_now() - due_at)::float8 as seconds
     from rail_state cross join (values (true), (false)) as sort (urgent) cross join lateral (
       select due_at from receiving_address p where p.rail = rail_state.rail and (p.pressing or p.asked) = sort.urgent and due_at is not null
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

/** The words that people read about it. */
export function overdueWords({ awaited, seconds }: OverdueLooks): string {
  const minutes = Math.round(seconds / 60);
  return awaited
    ? `payments that are awaited are looked for ${minutes} min late`
    : `older addresses are looked at ${minutes} min late`;
}
