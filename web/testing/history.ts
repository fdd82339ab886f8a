import type { Output, Routes } from '@kurs/contract';

const HOUR_S = 3600;

/** Returns an hourly rate history of a week: waves around the current rate. */
export function historyOf(now: Date, hours = 168): Output<Routes['rateHistory']> {
  const hour = Math.floor(now.getTime() / (HOUR_S * 1000)) * HOUR_S * 1000;
  const points = Array.from({ length: hours }, (_, index) => ({
    at: new Date(hour - (hours - 1 - index) * HOUR_S * 1000).toISOString(),
    value: (91_000 + 900 * Math.sin(index / 19) + 260 * Math.sin(index / 5)).toFixed(3),
  }));
  return { base: 'BTC', quote: 'USDT', points };
}
