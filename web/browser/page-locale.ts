const LOCALES = ['en', 'ru'] as const;

/**
 * Returns the language in the `lang` attribute of the document; English if the site has no texts in this language. Warns if the
 * attribute or the cookie of the language switch names an unknown language.
 */
export function pageLocale(page: Document, warn: (words: string) => void): (typeof LOCALES)[number] {
  const { lang } = page.documentElement;
  const stored = /(?:^|; )i18n_redirected=([^;]*)/.exec(page.cookie)?.[1];
  const locale = LOCALES.find((one) => one === lang) ?? 'en';
  for (const request of [lang, stored?.toLowerCase()])
    if (request !== undefined && !LOCALES.includes(request as 'en'))
      warn(`There is no locale "${request}": this page is in "${locale}".`);
  return locale;
}
