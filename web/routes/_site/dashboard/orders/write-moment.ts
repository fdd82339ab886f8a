import { writeClock, writeDay } from '../../../../ui/base/time.ts';

/** Formats day and time; adds the year if it isn't the current one. */
export function writeMoment(time: string, now: string, locale: 'en' | 'ru'): string {
  const year = time.slice(0, 4) === now.slice(0, 4) ? '' : `${locale === 'en' ? ',' : ''} ${time.slice(0, 4)}`;
  return `${writeDay(time, locale)}${year}, ${writeClock(time)}`;
}
