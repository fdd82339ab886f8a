import { COUNTRIES } from '@kurs/contract/countries';

/** Returns a country's name in a language; its code if the browser has no name for it. */
export const countryName = (code: string, locale: 'en' | 'ru'): string =>
  new Intl.DisplayNames([locale], { type: 'region' }).of(code) ?? code;

/** Returns the countries that the desk serves, with their names in a language, sorted by name. */
export function servedCountries(locale: 'en' | 'ru', refused: readonly string[]): readonly { code: string; name: string }[] {
  const names = new Intl.DisplayNames([locale], { type: 'region' });
  return COUNTRIES.filter((code) => !refused.includes(code))
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((one, other) => one.name.localeCompare(other.name, locale));
}
