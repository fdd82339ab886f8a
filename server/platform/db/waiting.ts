import type { Statements } from './db.ts';

/** How many mails are still to be sent and how many events to be delivered. */
export function countWaiting(db: Statements): Promise<{ what: 'mails' | 'facts'; value: number }[]> {
  return db.rows(
    `select 'mails' as what, count(*)::int as value from mail where due_at is not null
     union all select 'facts', count(*)::int from fact_delivery`,
    [],
    { name: 'platform.waiting' },
  );
}
