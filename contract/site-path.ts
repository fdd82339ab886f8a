import type { Locale } from './words.ts';

/** Returns the path of a page of the site in a language: `sitePath('ru', 'track')` → `/Ru/track`. `page` may have a query. */
export const sitePath = (locale: Locale, page: string): string => `/${locale === 'ru' ? 'Ru' : 'En'}/${page}`;
