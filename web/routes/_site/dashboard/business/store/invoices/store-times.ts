import { writeZonedTime } from '@kurs/money';
import { useSite } from '../../../../../../features/site.ts';
import { writeMoment } from '../../../orders/write-moment.ts';

/** Returns a time as a clock in the zone shows it, written as if it were UTC. */
function thereIn(timezone: string, time: string): string {
  const fields = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  }).formatToParts(new Date(time));
  const part = (type: Intl.DateTimeFormatPartTypes): string => fields.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}Z`;
}

/** Writes day and time in a store's time zone, without the zone; adds the year if it isn't the current one. */
export const momentIn = (timezone: string, time: string, now: string, locale: 'en' | 'ru'): string =>
  writeMoment(thereIn(timezone, time), thereIn(timezone, now), locale);

/** Returns a function that writes times with the store's time zone: `Nov 20, 2026, 15:05 GMT+1`. */
export function useStoreTime(timezone: string): (time: string) => string {
  const { locale } = useSite();
  return (time) => writeZonedTime(time, locale, timezone);
}
