import type { SiteLocale } from '../site.ts';

/** What a page's words are filled with: `{name}`. Numbers also choose a form: `{minutes:minute|minutes}`. */
export type Params = Readonly<Record<string, string | number>>;

const RULES = { en: new Intl.PluralRules('en'), ru: new Intl.PluralRules('ru') };
/** The forms as they stand in the words of each language. */
const FORMS = { en: ['one', 'other'], ru: ['one', 'few', 'many'] } as const;

/**
 * One text of `content/<page>/`, filled in. `{name}` is a parameter, `{count:вопрос|вопроса|вопросов}` the form that the
 * number `count` asks for (English: one, other; Russian: one, few, many). Short Russian words are tied to the next. Throws
 * for a parameter that is not given: a page must not show a blank.
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
  return locale === 'ru' ? tied(full) : full;
}

/** The words with every blank filled in, but those of a `table`: its rows fill them. Throws for a blank that nothing fills. */
export function filledWords<W>(words: W, locale: SiteLocale, params: Params): W {
  if (typeof words === 'string') return filled(words, locale, params) as W;
  if (Array.isArray(words)) return words.map((one: unknown) => filledWords(one, locale, params)) as W;
  return Object.fromEntries(
    Object.entries(words as Readonly<Record<string, unknown>>).map(([key, inner]) => [
      key,
      key === 'table' ? inner : filledWords(inner, locale, params),
    ]),
  ) as W;
}

/** A space that does not break after Russian words of one or two letters, as printers set them. */
const tied = (text: string): string => text.replace(/(?<![\p{L}\p{N}-])([А-Яа-яЁё]{1,2}) (?=\S)/gu, '$1\u00a0');
