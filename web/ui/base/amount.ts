import { trimZeros, writeAmount, writeDecimal } from '@kurs/money';
import type { Locale } from './locale.ts';

export { trimZeros, writeAmount, writeDecimal };

/** Writes a rate for tables: 4 decimals under 10, else 2. Truncates, never rounds up. */
export function writeShortRate(value: string, locale: Locale): string {
  const [whole = '0', behind = ''] = value.split('.');
  const digits = whole.length > 1 ? 2 : 4;
  // With four decimals a rate under 0.001 would be shown as almost zero, so all its decimals are shown.
  const shown =
    whole === '0' && behind.startsWith('000') ? trimZeros(value, 4) : `${whole}.${behind.slice(0, digits).padEnd(digits, '0')}`;
  return writeDecimal(shown, locale);
}

/** Writes a rate with all its digits. Amounts are computed with the same digits. */
export function writeRate(value: string, locale: Locale): string {
  return writeAmount(value, value.split('.')[0] === '0' || value.indexOf('.') === 1 ? 4 : 2, locale);
}

/** Writes a percentage: `0.5` as `0.5%`. */
export function writePercent(percent: string, locale: Locale): string {
  return `${writeDecimal(trimZeros(percent, 0), locale)}%`;
}
