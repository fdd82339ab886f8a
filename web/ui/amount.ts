import type { Locale } from './locale.ts';

const MARKS = { en: { group: ',', decimal: '.' }, ru: { group: '\u00a0', decimal: ',' } } as const;

/** Cuts zeros at the end, but leaves `least` digits behind the point and adds those that are missing: `5` → `5.00`. */
export function trimZeros(amount: string, least: number): string {
  const [whole = '0', behind = ''] = amount.split('.');
  const kept = behind.replace(/0+$/, '').padEnd(least, '0');
  return kept === '' ? whole : `${whole}.${kept}`;
}

/** Writes a plain decimal as people of a language do: `1234.5` → `1,234.5`, `1 234,5`. No digit is lost. */
export function writeDecimal(amount: string, locale: Locale): string {
  const [whole = '0', behind] = amount.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, MARKS[locale].group);
  return behind === undefined ? grouped : `${grouped}${MARKS[locale].decimal}${behind}`;
}

/** An amount of money as text, without its code. Never shortened: somebody may have to pay it. */
export function writeAmount(amount: string, least: number, locale: Locale): string {
  return writeDecimal(trimZeros(amount, least), locale);
}

/** A rate for tables: 4 digits behind the point under 10, 2 above. Cut, never rounded up. */
export function writeShortRate(value: string, locale: Locale): string {
  const [whole = '0', behind = ''] = value.split('.');
  const digits = whole.length > 1 ? 2 : 4;
  // A rate under 0.001 would show as nothing: then all its digits stand.
  const shown =
    whole === '0' && behind.startsWith('000') ? trimZeros(value, 4) : `${whole}.${behind.slice(0, digits).padEnd(digits, '0')}`;
  return writeDecimal(shown, locale);
}

/** A rate with all its digits, as amounts are computed from it. */
export function writeRate(value: string, locale: Locale): string {
  return writeAmount(value, value.split('.')[0] === '0' || value.indexOf('.') === 1 ? 4 : 2, locale);
}

/** A share like `0.5` as `0.5%`. */
export function writePercent(percent: string, locale: Locale): string {
  return `${writeDecimal(trimZeros(percent, 0), locale)}%`;
}
