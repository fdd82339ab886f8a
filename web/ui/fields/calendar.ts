// Days in calendars and fields: typed as `MM/dd/yyyy` in both languages, or `dd.MM.yyyy`; weeks from Monday, 1900 to 2100.

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
 * Reads a typed day: month first with slashes (`11/22/2026`), or day first with dots, as in Russian (`22.11.2026`). Undefined if
 * it is no day or lies outside the years.
 */
export function readDay(text: string): Day | undefined {
  const found = (MONTH_FIRST.exec(text) ?? DAY_FIRST.exec(text))?.groups;
  if (!found) return undefined;
  const [month, day, year] = [found['month'], found['day'], found['year']].map(Number) as [number, number, number];
  if (year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12 || day < 1 || day > lengthOf(year, month))
    return undefined;
  return dayOf(year, month, day);
}

/** Writes a day in the form in which it is typed. */
export function writeTypedDay(day: Day): string {
  const [year, month, date] = day.split('-');
  return `${month}/${date}/${year}`;
}

/** Month of a year. */
export interface Month {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
}

/** Returns the month of a day. */
export function monthOf(day: Day): Month {
  const [year = '', month = ''] = day.split('-');
  return { year: Number.parseInt(year, 10), month: Number.parseInt(month, 10) };
}

/** Returns the month `by` months later; the same month if that lies outside the years. */
export function monthsOn(from: Month, by: number): Month {
  const count = from.year * 12 + from.month - 1 + by;
  const next = { year: Math.floor(count / 12), month: (count % 12) + 1 };
  return next.year < FIRST_YEAR || next.year > LAST_YEAR ? from : next;
}

/** Returns a month's days in weeks from Monday. Days of other months are undefined. */
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
