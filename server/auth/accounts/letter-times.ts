// Times in letters, in the reader's time zone.

import type { Locale } from '@kurs/contract';
import { writeZonedTime } from '@kurs/money';

/** The reader of a letter: an account holder, or a guest, who has no time zone. */
export interface Reader {
  readonly locale: Locale;
  readonly timezone?: string | undefined;
}

/**
 * Returns a function that formats times for a letter's reader: in the account's time zone, or in UTC for a guest. The formatted
 * text always names the time zone. All letters use this function.
 */
export function letterTimes({ locale, timezone = 'UTC' }: Reader): (moment: Date) => string {
  return (moment) => writeZonedTime(moment.toISOString(), locale, isTimezone(timezone) ? timezone : 'UTC');
}

/** True if this system knows the time zone. Its time zone data may lack a name that was stored elsewhere. */
function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
