import type { SiteLocale } from '../../site.ts';

/** What a page's words are filled with: `{name}`. Numbers also choose a form: `{minutes:minute|minutes}`. */
export type Params = Readonly<Record<string, string | number>>;

const RULES = { en: new Intl.PluralRules('en'), ru: new Intl.PluralRules('ru') };
/** The forms as they stand in the words of each language. */
const FORMS = { en: ['one', 'other'], ru: ['one', 'few', 'many'] } as const;

/**
 * One text of `content/<page>/`, filled in. `{name}` is a parameter, `{count:вопрос|вопроса|вопросов}` the form that the
 * number `count` asks for (English: one, other; Russian: one, few, many). What belongs together is tied. Throws for a
 * parameter that is not given: a page must not show a blank.
 */
export function filled(text: string, locale: SiteLocale, params: Params = {}): string {
  const full = text.replace(/\{([a-z_]+)(?::([^}]+))?\}/g, (_, name: string, forms: string | undefined) => {
    const value = params[name];
    if (value === undefined) throw new Error(`The words ask for ${name}, which is not given: ${text}`);
    if (forms === undefined) return String(value);
    const form = RULES[locale].select(Number(value));
    const index = (FORMS[locale] as readonly string[]).indexOf(form);
    return forms.split('|').at(index) ?? '';
  });
  return tied(full, locale);
}

/**
 * The words with every blank filled in, but those of a `table`: its rows fill them, and what has none is tied here. Throws
 * for a blank that nothing fills.
 */
export function filledWords<W>(words: W, locale: SiteLocale, params: Params): W {
  return mapped(
    words,
    (text) => filled(text, locale, params),
    (text) => tied(text, locale),
  ) as W;
}

function mapped(words: unknown, fill: (text: string) => string, tie: (text: string) => string): unknown {
  if (typeof words === 'string') return fill(words);
  if (Array.isArray(words)) return words.map((one: unknown) => mapped(one, fill, tie));
  return Object.fromEntries(
    Object.entries(words as Readonly<Record<string, unknown>>).map(([key, inner]) => [
      key,
      mapped(inner, key === 'table' ? tie : fill, tie),
    ]),
  );
}

/** What no line may end with or begin with, as printers set it, but for code, which is copied as it stands. */
const tied = (text: string, locale: SiteLocale): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1 ? part : TIES[locale].reduce((set, [loose, tight]) => set.replace(loose, tight), part),
    )
    .join('');

/**
 * Of both languages: a number and what it counts (not a preposition), what is numbered and its number, a dash and what is
 * before it.
 */
const TIES_OF_ALL = [
  [/(\d%?) (?!(?:[авикосу]|на|по|до|от|за|из|не|но|and|or|of|to|at|in|on|by|for|is)[ \u00a0])(?=\p{L})/gu, '$1\u00a0'],
  [/(?<!\p{L})(уров(?:ень|н[яеюи]|нем)|шаг(?:а|е|у|ом|и)?|levels?|steps?|№|no\.) (?=[\d{])/giu, '$1\u00a0'],
  [/ (?=—)/g, '\u00a0'],
] as const;
/** And Russian words of one or two letters with the next. */
const TIES = {
  en: TIES_OF_ALL,
  ru: [...TIES_OF_ALL, [/(?<![\p{L}\p{N}-])([А-Яа-яЁё]{1,2}) (?=\S)/gu, '$1\u00a0']],
} as const;
