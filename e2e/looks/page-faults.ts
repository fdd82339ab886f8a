import { readFileSync } from 'node:fs';
import type { ReadPage } from './read-page.ts';

// Finds faults that any page can have: missing data for search engines, and untranslated texts.

const LANGUAGES = { En: 'en', Ru: 'ru' } as const;
export type Prefix = keyof typeof LANGUAGES;

const keysOf = (file: string): string[] =>
  Object.keys(JSON.parse(readFileSync(new URL(`../../web/locales/${file}.json`, import.meta.url), 'utf8')) as object);
/** Keys of the interface that can be told apart from ordinary words, because they contain an underscore. */
const KEYS = new Set(keysOf('en-US').filter((key) => key.includes('_')));
/** Internal codes of currencies and units, which people must not see. */
const OWN_CODES = new Set(
  (
    JSON.parse(readFileSync(new URL('../../server/bin/seed/defaults.json', import.meta.url), 'utf8')) as {
      currencies: { code: string }[];
    }
  ).currencies
    .map(({ code }) => code)
    .filter((code) => code.includes('_')),
);
const BLANK = /\{[a-zA-Z_]+(?:[:,][^}]*)?\}/;
const NOTHING = /\bundefined\b|\bNaN\b|\[object /;

/** Returns the language prefix of an address. */
export const prefixOf = (address: string): Prefix | undefined => /^\/(En|Ru)(?=[/?#]|$)/.exec(address)?.[1] as Prefix | undefined;

/** Returns descriptions of a page's faults, empty if it has none. `base` is the origin of its canonical address. */
export function faultsOf(address: string, page: ReadPage, base: string): string[] {
  const prefix = prefixOf(address);
  const [path = ''] = address.split(/[?#]/);
  const behind = path.slice(3);
  const { head } = page;
  const expected = (name: string, is: unknown, should: unknown): string | undefined =>
    is === should ? undefined : `${name} is ${String(is)}, not ${String(should)}`;
  // Pages to which providers redirect have a canonical address although search engines must not index them.
  const isPrivate = head['robots'] === 'noindex' && !/^\/payment\/(success|fail)$/.test(behind);
  const found = [
    expected('lang', page.language, prefix && LANGUAGES[prefix]),
    expected('how many h1', page.headings, 1),
    expected('how many titles', page.titles.length, 1),
    /^\S.* · \S+$/.test(page.titles[0] ?? '') ? undefined : `title ${page.titles[0]}`,
    ...(isPrivate
      ? [expected('canonical', head['canonical'], undefined)]
      : [
          expected('canonical', head['canonical'], base + path),
          expected('hreflang en', head['alternate en'], `${base}/En${behind}`),
          expected('hreflang ru', head['alternate ru'], `${base}/Ru${behind}`),
          expected('hreflang x-default', head['alternate x-default'], `${base}/En${behind}`),
          (head['description'] ?? '').length >= 50 ? undefined : `description ${head['description']}`,
        ]),
    ...page.twice.map((id) => `id ${id} stands twice`),
    ...[...page.texts, ...page.labels, ...page.titles, head['description'] ?? ''].map((text) => wordFault(text, prefix)),
  ];
  return found.filter((fault) => fault !== undefined);
}

function wordFault(text: string, prefix: Prefix | undefined): string | undefined {
  const shown = JSON.stringify(text.slice(0, 120));
  if (BLANK.test(text)) return `a blank is left in ${shown}`;
  if (NOTHING.test(text)) return `nothing stands in ${shown}`;
  const key = text.match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g)?.find((word) => KEYS.has(word));
  if (key !== undefined) return `the key ${key} stands in ${shown}`;
  const code = ownCodeIn(text);
  if (code !== undefined) return `the code ${code} stands in ${shown}`;
  if (prefix === 'En' && /\p{Script=Cyrillic}/u.test(text)) return `Russian in English: ${shown}`;
  return undefined;
}

/** Returns an internal code that a text of a page or letter contains, or undefined. */
export const ownCodeIn = (text: string): string | undefined =>
  text.match(/\b[A-Z]+_[A-Z0-9]+\b/g)?.find((word) => OWN_CODES.has(word));

/** Matches at least three words in Latin letters that are not names. */
const SENTENCE = /(?:^|\s)[a-z]{2,}\s[a-z]{2,}\s[a-z]{2,}/;

/** Returns the texts of a Russian page that are in English. */
export function untranslated(page: ReadPage): string[] {
  return page.texts.filter((text) => SENTENCE.test(text) && !/\p{Script=Cyrillic}/u.test(text));
}
