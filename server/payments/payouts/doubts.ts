import type { Statements } from '../../platform/index.ts';

/** Returns the number of payouts per rail that have been in doubt for longer than a number of minutes. */
export function doubtsByRail(db: Statements, minutes: number): Promise<{ rail: string; payouts: number }[]> {
  return db.rows(
    `select rail, count(*)::int as payouts from payout
     where status = 'in_doubt' and status_at < clock_now() - $1 * interval '1 minute' group by 1 order by 1`,
    [minutes],
    { name: 'payments.doubts_by_rail' },
  );
}

/** Returns the number of payouts per rail that are not sent yet or in doubt, by status. */
export function openPayouts(db: Statements): Promise<{ rail: string; status: string; payouts: number }[]> {
  return db.rows(
    `select rail, status, count(*)::int as payouts from payout
     where status in ('queued', 'preparing', 'sending', 'in_doubt') group by 1, 2 order by 1, 2`,
    [],
    { name: 'payments.open_payouts' },
  );
}
