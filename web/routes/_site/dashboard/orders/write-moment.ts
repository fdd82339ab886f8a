import { writeClock, writeDay } from '../../../../ui/base/time.ts';

/** Day and clock; the year only where it isn't this one. */
export function writeMoment(time: string, now: string, locale: 'en' | 'ru'): string {
  const year = time.slice(0, 4) === now.slice(0, 4) ? '' : `${locale === 'en' ? ',' : ''} ${time.slice(0, 4)}`;
  return `${writeDay(time, locale)}${year}, ${writeClock(time)}`;
}
