// Days in calendars and date fields. People type them as `MM/dd/yyyy` or `dd.MM.yyyy` in both languages. Weeks begin on Monday.
// Years go from 1900 to 2100.

/** Day in ISO form: `2026-11-22`. */
export type Day = string;

export const FIRST_YEAR = 1900;
export const LAST_YEAR = 2100;

const two = (value: number): string => value.toString().padStart(2, '0');
const dayOf = (year: number, month: number, day: number): Day => `${year}-${two(month)}-${two(day)}`;

/** Returns the number of days in a month. Months count from 1. */
function lengthOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

const MONTH_FIRST = /^\s*(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})\s*$/;
const DAY_FIRST = /^\s*(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})\s*$/;

/**
 * Reads a typed day: month first with slashes (`11/22/2026`), or day first with dots (`22.11.2026`). Returns undefined if the
 * text is no day from 1900 to 2100.
 */
export function readDay(text: string): Day | undefined {
  const found = (MONTH_FIRST.exec(text) ?? DAY_FIRST.exec(text))?.groups;
  if (!found) return undefined;
  const [month, day, year] = [found['month'], found['day'], found['year']].map(Number) as [number, number, number];
  if (year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12 || day < 1 || day > lengthOf(year, month))
    return undefined;
  return dayOf(year, month, day);
}

/** Writes a day in the form in which people type it: `11/22/2026`. */
export function writeTypedDay(day: Day): string {
  const [year, month, date] = day.split('-');
  return `${month}/${date}/${year}`;
}

/** Month of a year. */
export interface Month {
  readonly year: number;
  /** Number of the month, 1 to 12. */
  readonly month: number;
}

/** Returns the month of a day. */
export function monthOf(day: Day): Month {
  const [year = '', month = ''] = day.split('-');
  return { year: Number.parseInt(year, 10), month: Number.parseInt(month, 10) };
}

/** Returns the month that is `by` months later; `from` itself if that month lies outside the years 1900 to 2100. */
export function monthsOn(from: Month, by: number): Month {
  const count = from.year * 12 + from.month - 1 + by;
  const next = { year: Math.floor(count / 12), month: (count % 12) + 1 };
  return next.year < FIRST_YEAR || next.year > LAST_YEAR ? from : next;
}

/** Returns the weeks of a month, from Monday. Days of the neighbouring months are undefined. */
export function weeksOf({ year, month }: Month): (Day | undefined)[][] {
  const before = (new Date(Date.UTC(year, month - 1, 1)).getUTCDay() + 6) % 7;
  const days: (Day | undefined)[] = [
    ...Array.from({ length: before }, () => undefined),
    ...Array.from({ length: lengthOf(year, month) }, (_, index) => dayOf(year, month, index + 1)),
  ];
  return Array.from({ length: Math.ceil(days.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_none, day) => days[week * 7 + day]),
  );
}
