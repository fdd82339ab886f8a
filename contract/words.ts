import { tickerOf, writeDecimal } from '@kurs/money';
import en from './words/en-US.json' with { type: 'json' };
import ru from './words/ru-RU.json' with { type: 'json' };

/** Languages of the product; `en` is the default. */
export const LOCALES = ['en', 'ru'] as const;
export type Locale = (typeof LOCALES)[number];

type Words = { readonly [key: string]: string | Words };
const WORDS: Record<Locale, Words> = { en, ru };

/** Returns the first language of an `Accept-Language` header that the product has; English if there is none. */
export function localeOf(header: string | undefined): Locale {
  for (const part of (header ?? '').split(',')) {
    const tag = part.split(';')[0]?.trim().toLowerCase() ?? '';
    if (tag === 'ru' || tag.startsWith('ru-')) return 'ru';
    if (tag === 'en' || tag.startsWith('en-')) return 'en';
  }
  return 'en';
}

/**
 * Returns the text for a dotted key (`problems.quote_expired`) in a language, with `{name}` filled from `params`; undefined for
 * an unknown key. A plain decimal in `params` is formatted for the language, and the code of a unit or currency with several
 * parts (`USDT_ERC20`) is replaced by the ticker of its money.
 */
export function say(locale: Locale, key: string, params: Readonly<Record<string, string>> = {}): string | undefined {
  let found: string | Words | undefined = WORDS[locale];
  for (const part of key.split('.')) found = typeof found === 'object' ? found[part] : undefined;
  if (typeof found !== 'string') return undefined;
  return found.replace(/\{([a-z_]+)\}/g, (whole, name: string) => written(params[name], locale) ?? whole);
}

function written(value: string | undefined, locale: Locale): string | undefined {
  if (value === undefined) return undefined;
  if (/^\d+\.\d+$/.test(value)) return writeDecimal(value, locale);
  return /^[A-Z]+_[A-Z0-9]+$/.test(value) ? tickerOf(value) : value;
}
