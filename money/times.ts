// Writes times in a language, in the same conventions as its numbers.

import type { WrittenLocale } from './written.ts';

const MONTHS = {
  en: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  ru: ['янв.', 'февр.', 'мар.', 'апр.', 'мая', 'июн.', 'июл.', 'авг.', 'сент.', 'окт.', 'нояб.', 'дек.'],
} as const;

const two = (value: number): string => value.toString().padStart(2, '0');

/** Writes a time of day in UTC: `14:05`, or `14:05:12`. Takes RFC 3339. */
export function writeClock(time: string, seconds = false): string {
  const at = new Date(time);
  return `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}${seconds ? `:${two(at.getUTCSeconds())}` : ''}`;
}

/** Writes a date in UTC: `Nov 20, 2026` · `20 нояб. 2026`. */
export function writeDate(time: string, locale: WrittenLocale): string {
  const at = new Date(time);
  const month = MONTHS[locale][at.getUTCMonth()];
  return locale === 'ru'
    ? `${at.getUTCDate()}\u00a0${month}\u00a0${at.getUTCFullYear()}`
    : `${month}\u00a0${at.getUTCDate()}, ${at.getUTCFullYear()}`;
}

/** Writes date and time in UTC: `Nov 20, 2026, 14:05 UTC` · `20 нояб. 2026, 14:05 UTC`. */
export function writeTime(time: string, locale: WrittenLocale): string {
  return `${writeDate(time, locale)}, ${writeClock(time)}\u00a0UTC`;
}

/** Writes date and time in a time zone (an IANA name): `Nov 20, 2026, 15:05 GMT+1`. */
export function writeZonedTime(time: string, locale: WrittenLocale, timezone: string): string {
  if (timezone === 'UTC') return writeTime(time, locale);
  const fields = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' }).formatToParts(
    new Date(time),
  );
  const offset = fields.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)/.exec(offset) ?? [];
  const ahead = (BigInt(hours) * 60n + BigInt(minutes)) * (sign === '-' ? -60_000n : 60_000n);
  const there = new Date(new Date(time).getTime() + Number.parseInt(ahead.toString(), 10)).toISOString();
  const shift = sign === undefined ? '' : `${sign}${hours.replace(/^0/, '')}${minutes === '00' ? '' : `:${minutes}`}`;
  return `${writeDate(there, locale)}, ${writeClock(there)}\u00a0GMT${shift}`;
}
