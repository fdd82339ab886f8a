import { type Month, monthOf, monthsOn } from '../../../../../../ui/fields/calendar.ts';

/** Month of a report: `2026-11`. */
export type ReportMonth = string;

const textOf = ({ year, month }: Month): ReportMonth => `${year}-${String(month).padStart(2, '0')}`;

/** Returns the month that is `by` months later; undefined if it is not between `since` and `now`. */
export function monthBeside(
  month: ReportMonth,
  by: number,
  { since, now }: { readonly since: ReportMonth; readonly now: ReportMonth },
): ReportMonth | undefined {
  const beside = textOf(monthsOn(monthOf(month), by));
  return beside >= since && beside <= now ? beside : undefined;
}

const TAGS = { en: 'en-US', ru: 'ru-RU' } as const;

/** Writes a month: `November 2026`, `Ноябрь 2026`. */
export function writeMonth(month: ReportMonth, locale: 'en' | 'ru'): string {
  const first = new Date(`${month}-01T00:00:00Z`);
  const name = new Intl.DateTimeFormat(TAGS[locale], { month: 'long', timeZone: 'UTC' }).format(first);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}\u00a0${month.slice(0, 4)}`;
}

/** Returns the days of a month: `2026-11-01`, …. */
export function daysOf(month: ReportMonth): string[] {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length }, (_, at) => `${month}-${String(at + 1).padStart(2, '0')}`);
}
