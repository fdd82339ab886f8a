import type { Locale } from './locale.ts';

const MONTHS = {
  en: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  ru: ['янв.', 'февр.', 'мар.', 'апр.', 'мая', 'июн.', 'июл.', 'авг.', 'сент.', 'окт.', 'нояб.', 'дек.'],
} as const;

const two = (value: number): string => value.toString().padStart(2, '0');

/** `14:05` in UTC, or `14:05:12`. Takes RFC 3339. */
export function writeClock(time: string, seconds = false): string {
  const at = new Date(time);
  return `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}${seconds ? `:${two(at.getUTCSeconds())}` : ''}`;
}

/** `Nov 20, 2026` · `20 нояб. 2026`, in UTC. */
export function writeDate(time: string, locale: Locale): string {
  const at = new Date(time);
  const month = MONTHS[locale][at.getUTCMonth()];
  return locale === 'ru'
    ? `${at.getUTCDate()}\u00a0${month}\u00a0${at.getUTCFullYear()}`
    : `${month}\u00a0${at.getUTCDate()}, ${at.getUTCFullYear()}`;
}

/** `Nov 20, 2026, 14:05 UTC` · `20 нояб. 2026, 14:05 UTC`. */
export function writeTime(time: string, locale: Locale): string {
  return `${writeDate(time, locale)}, ${writeClock(time)}\u00a0UTC`;
}

/** A deadline: the clock alone on the same day, else with its date. */
export function writeDeadline(time: string, now: number, locale: Locale): string {
  const sameDay = new Date(time).toISOString().slice(0, 10) === new Date(now).toISOString().slice(0, 10);
  return sameDay ? `${writeClock(time)}\u00a0UTC` : writeTime(time, locale);
}

/** What is left, as `2:41`, or `1:02:41` from an hour on. Nothing left is `0:00`. */
export function writeRemaining(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
