// Moments in letters, by the clocks of their reader.

import type { Locale } from '@kurs/contract';
import { writeZonedTime } from '@kurs/money';

/** The reader of a letter: an account holder, or a guest, who has no time zone. */
export interface Reader {
  readonly locale: Locale;
  readonly timezone?: string | undefined;
}

/**
 * Writes moments for the reader of a letter: by the clocks of the account's time zone, and in UTC for a guest, always with the
 * zone. All letters write their moments by it.
 */
export function letterTimes({ locale, timezone = 'UTC' }: Reader): (moment: Date) => string {
  return (moment) => writeZonedTime(moment.toISOString(), locale, isTimezone(timezone) ? timezone : 'UTC');
}

/** True if the clocks of a time zone are known here: those of one that was stored before may not be. */
function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
