import type { Statements } from './db.ts';

/** Returns the number of events that still have to be delivered to their subscribers. */
export async function countWaiting(db: Statements): Promise<number> {
  const row = await db.row<{ events: number }>('select count(*)::int as events from event_delivery', [], {
    name: 'platform.waiting',
  });
  return row?.events ?? 0;
}
