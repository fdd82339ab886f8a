/** Languages whose number formats are supported. */
export type WrittenLocale = 'en' | 'ru';

const MARKS = { en: { group: ',', decimal: '.' }, ru: { group: '\u00a0', decimal: ',' } } as const;

/** Cuts trailing zeros but leaves at least `min` decimals, adding missing ones: `5` → `5.00`. */
export function trimZeros(amount: string, min: number): string {
  const [whole = '0', behind = ''] = amount.split('.');
  const decimals = behind.replace(/0+$/, '').padEnd(min, '0');
  return decimals === '' ? whole : `${whole}.${decimals}`;
}

/** Writes a plain decimal in a language's format: `1234.5` → `1,234.5`, `1 234,5`. No digit is lost. */
export function writeDecimal(amount: string, locale: WrittenLocale): string {
  const [whole = '0', behind] = amount.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, MARKS[locale].group);
  return behind === undefined ? grouped : `${grouped}${MARKS[locale].decimal}${behind}`;
}

/** Writes an amount without its currency code. It is never shortened, since somebody may have to pay it. */
export function writeAmount(amount: string, min: number, locale: WrittenLocale): string {
  return writeDecimal(trimZeros(amount, min), locale);
}

/**
 * Returns the minimum decimals shown for a currency, by its pay precision: 4 for currencies with 8 or more digits such as BTC,
 * otherwise 2.
 */
export function minDigits(payDigits: number): number {
  return payDigits >= 8 ? 4 : 2;
}
