import type { SiteLocale } from '../../site.ts';

/**
 * Values for placeholders in a page's texts, by name: `{name}`. A number also chooses a plural form: `{minutes:minute|minutes}`.
 */
export type Params = Readonly<Record<string, string | number>>;

const RULES = { en: new Intl.PluralRules('en'), ru: new Intl.PluralRules('ru') };
/** Plural forms of each language, in the order in which placeholders list them. */
const FORMS = { en: ['one', 'other'], ru: ['one', 'few', 'many'] } as const;

/**
 * Fills in the placeholders of a text from `content/<page>/`, and adds non-breaking spaces. `{name}` becomes a value.
 * `{count:вопрос|вопроса|вопросов}` becomes the plural form for the number `count` (English: one, other; Russian: one, few,
 * many). Throws if a value is missing, so that no page shows a blank.
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
 * Fills in the placeholders of all texts in a structure. Texts in a field `table` keep their placeholders, which each row of the
 * table fills in later; they only get non-breaking spaces. Throws if a value is missing.
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

/** Adds non-breaking spaces by the rules in `TIES`. Code between backticks stays unchanged, since people copy it. */
const tied = (text: string, locale: SiteLocale): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1 ? part : TIES[locale].reduce((set, [loose, tight]) => set.replace(loose, tight), part),
    )
    .join('');

/**
 * Rules for non-breaking spaces in both languages: after a number (unless a preposition follows), between a word like "step" and
 * its number, and before a dash.
 */
const TIES_OF_ALL = [
  [/(\d%?) (?!(?:[авикосу]|на|по|до|от|за|из|не|но|and|or|of|to|at|in|on|by|for|is)[ \u00a0])(?=\p{L})/gu, '$1\u00a0'],
  [/(?<!\p{L})(уров(?:ень|н[яеюи]|нем)|шаг(?:а|е|у|ом|и)?|levels?|steps?|№|no\.) (?=[\d{])/giu, '$1\u00a0'],
  [/ (?=—)/g, '\u00a0'],
] as const;
/** Rules for non-breaking spaces, by language. In Russian, words of one or two letters are also tied to the next word. */
const TIES = {
  en: TIES_OF_ALL,
  ru: [...TIES_OF_ALL, [/(?<![\p{L}\p{N}-])([А-Яа-яЁё]{1,2}) (?=\S)/gu, '$1\u00a0']],
} as const;
