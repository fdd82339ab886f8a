/** The languages whose habits of writing numbers are known. */
export type WrittenLocale = 'en' | 'ru';

const MARKS = { en: { group: ',', decimal: '.' }, ru: { group: '\u00a0', decimal: ',' } } as const;

/** Cuts zeros at the end, but leaves `least` digits behind the point and adds those that are missing: `5` → `5.00`. */
export function trimZeros(amount: string, least: number): string {
  const [whole = '0', behind = ''] = amount.split('.');
  const kept = behind.replace(/0+$/, '').padEnd(least, '0');
  return kept === '' ? whole : `${whole}.${kept}`;
}

/** Writes a plain decimal as people of a language do: `1234.5` → `1,234.5`, `1 234,5`. No digit is lost. */
export function writeDecimal(amount: string, locale: WrittenLocale): string {
  const [whole = '0', behind] = amount.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, MARKS[locale].group);
  return behind === undefined ? grouped : `${grouped}${MARKS[locale].decimal}${behind}`;
}

/** An amount of money as text, without its code. Never shortened: somebody may have to pay it. */
export function writeAmount(amount: string, least: number, locale: WrittenLocale): string {
  return writeDecimal(trimZeros(amount, least), locale);
}

/** Digits that always stand behind the point of a currency paid with so many: 2, or 4 where a unit is worth a lot. */
export function leastDigits(payDigits: number): number {
  return payDigits >= 8 ? 4 : 2;
}
