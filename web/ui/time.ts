import { writeClock, writeTime } from '@kurs/contract/times';
import type { Locale } from './locale.ts';

export { writeClock, writeTime } from '@kurs/contract/times';

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
