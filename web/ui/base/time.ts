// These functions are wrapped, not re-exported: a re-export moves React out of the entry's chunk, which then compresses 2 kB
// worse.
import { writeClock as clock, writeDate, writeTime as timeText } from '@kurs/money';
import type { Locale } from './locale.ts';

/** Writes a time of day in UTC: `14:05`, or `14:05:12` with `seconds`. Takes RFC 3339. */
export const writeClock = (time: string, seconds = false): string => clock(time, seconds);

/** Writes a moment: `Nov 20, 2026, 14:05 UTC` · `20 нояб. 2026, 14:05 UTC`. */
export const writeTime = (time: string, locale: Locale): string => timeText(time, locale);

/** Writes a deadline: the time alone if it is today, else with its date. */
export function writeDeadline(time: string, now: number, locale: Locale): string {
  const sameDay = new Date(time).toISOString().slice(0, 10) === new Date(now).toISOString().slice(0, 10);
  return sameDay ? `${writeClock(time)}\u00a0UTC` : writeTime(time, locale);
}

const two = (value: number): string => value.toString().padStart(2, '0');

/** Writes the remaining time: `2:41`, or `1:02:41` for an hour and more; `0:00` once the time is over. */
export function writeRemaining(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Writes a day in UTC without its year: `Nov 20` · `20 нояб.`. Takes RFC 3339. */
export const writeDay = (time: string, locale: Locale): string => writeDate(time, locale).replace(/,?\s\d{4}$/, '');
