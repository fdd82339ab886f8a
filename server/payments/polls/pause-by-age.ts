import type { LockedAddress } from '../payins/payin-store.ts';
import { settings } from '../rails/settings.ts';

const HOUR_MS = 3_600_000;

/**
 * Returns the pause in ms before the next poll of an address where a payment is no longer likely. The pause grows with the time
 * since a payment was last likely.
 */
export function pauseByAge(now: Date, { closeUntil, liveUntil }: Pick<LockedAddress, 'closeUntil' | 'liveUntil'>): number {
  const watch = settings.get('payments.watch');
  const hours = settings.get('payments.watch_hours');
  const agoMs = now.getTime() - closeUntil.getTime();
  return agoMs < hours.late * HOUR_MS
    ? watch.lateMs
    : agoMs < hours.recent * HOUR_MS
      ? watch.recentMs
      : now < liveUntil
        ? watch.liveMs
        : watch.everMs;
}
