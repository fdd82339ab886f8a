// Named anew, not exported on: a re-export splits React off the entry's chunk, which costs 2 kB of compression.
import { writeClock as clock, writeDate, writeTime as timeText } from '@kurs/money';
import type { Locale } from './locale.ts';

/** `14:05` in UTC, or `14:05:12`. Takes RFC 3339. */
export const writeClock = (time: string, seconds = false): string => clock(time, seconds);

/** `Nov 20, 2026, 14:05 UTC` · `20 нояб. 2026, 14:05 UTC`. */
export const writeTime = (time: string, locale: Locale): string => timeText(time, locale);

/** A deadline: the clock alone on the same day, else with its date. */
export function writeDeadline(time: string, now: number, locale: Locale): string {
  const sameDay = new Date(time).toISOString().slice(0, 10) === new Date(now).toISOString().slice(0, 10);
  return sameDay ? `${writeClock(time)}\u00a0UTC` : writeTime(time, locale);
}

const two = (value: number): string => value.toString().padStart(2, '0');

/** What is left, as `2:41`, or `1:02:41` from an hour on. Nothing left is `0:00`. */
export function writeRemaining(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** A day of this year or the last: `Nov 20` · `20 нояб.`, in UTC. Takes RFC 3339. */
export const writeDay = (time: string, locale: Locale): string => writeDate(time, locale).replace(/,?\s\d{4}$/, '');
