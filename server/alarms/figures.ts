import { overduePolls, openPayouts, railStates } from '../payments/index.ts';
import { waitingDeliveries } from '../deliveries/index.ts';
import { type Db, countWaiting } from '../platform/index.ts';

/** A measured value with its labels. */
export interface Figure {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Figures about the present state, by name. Old data doesn't slow their queries. */
export type StateFigures = Readonly<Record<'payouts' | 'rails' | 'alarms' | 'waiting' | 'beats' | 'late', readonly Figure[]>>;

/**
 * Reads the figures about the present state: payouts that are not sent yet, rails, alarms, waiting letters and events, seconds
 * since each process's last sign of life, and overdue polls.
 */
export async function stateFigures(db: Db): Promise<StateFigures> {
  const [payouts, rails, alarms, events, deliveries, beats, late] = await Promise.all([
    openPayouts(db),
    railStates(db),
    db.rows<{ kind: string; value: number }>(
      'select kind, count(*)::int as value from alarm where notified_at is not null group by 1',
    ),
    countWaiting(db),
    waitingDeliveries(db),
    db.rows<{ name: string; machine: string; value: number }>(
      'select name, machine, extract(epoch from now() - at)::float8 as value from process_beat',
    ),
    overduePolls(db),
  ]);
  return {
    payouts: payouts.map(({ rail, status, payouts: value }) => ({ labels: { rail, status }, value })),
    rails: rails.map(({ rail, isUp }) => ({ labels: { rail }, value: isUp ? 1 : 0 })),
    alarms: alarms.map(({ kind, value }) => ({ labels: { kind }, value })),
    waiting: Object.entries({ events, ...deliveries }).map(([what, value]) => ({ labels: { what }, value })),
    beats: beats.map(({ name: process, machine, value }) => ({ labels: { process, machine }, value: Math.max(0, value) })),
    late: late.map(({ rail, isAwaited, seconds: value }) => ({
      labels: { rail, places: isAwaited ? 'awaited' : 'others' },
      value,
    })),
  };
}
