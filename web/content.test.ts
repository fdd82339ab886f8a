import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { PAGES } from './routes/pages.ts';
import { filled } from './server/page-words.ts';

const CONTENT = join(import.meta.dirname, 'content');
/** Forms of a number's noun that each language needs. */
const FORMS = { en: 2, ru: 3 } as const;
const FILES = { en: 'en-US', ru: 'ru-RU' } as const;

type Language = keyof typeof FILES;
/** Every text of a page by where it stands: `groups.0.title`. */
type Texts = ReadonlyMap<string, string>;
let pages: { readonly page: string; readonly words: Readonly<Record<Language, Texts>> }[];

before(async () => {
  const folders = await readdir(CONTENT);
  const read = async (page: string, language: Language): Promise<Texts | undefined> => {
    const text = await readFile(join(CONTENT, page, `${FILES[language]}.json`), 'utf8').catch(() => undefined);
    return text === undefined ? undefined : new Map(textsOf(JSON.parse(text)));
  };
  const all = await Promise.all(folders.map(async (page) => ({ page, en: await read(page, 'en'), ru: await read(page, 'ru') })));
  pages = all.flatMap(({ page, en, ru }) => (en || ru ? [{ page, words: { en: en ?? new Map(), ru: ru ?? new Map() } }] : []));
});

function textsOf(value: unknown, path: readonly string[] = []): [string, string][] {
  if (typeof value === 'string') return [[path.join('.'), value]];
  assert.ok(typeof value === 'object' && value !== null, `${path.join('.')} is no text`);
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, [...path, key]));
}

/** What is no word: an id, an address, a sum, a piece of code. */
const isCode = (path: string): boolean => /(^|\.)(id|icon|to|href|code|tone|currency|updated)(\.|$)/.test(path);
/** What may be the same in both languages: names, which have capitals, and what has no words. */
const mayBeSame = (text: string): boolean =>
  /^\p{Lu}[\w-]*( \p{Lu}[\w-]*)*$/u.test(text) || !/\p{Ll}{3}/u.test(text.replace(/\{[a-z_]+\}|`[^`]*`/gu, ''));

const blanksOf = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{([a-z_]+)/g)].map(([, name]) => name as string))].sort();
const pluralsOf = (text: string): string[][] =>
  [...text.matchAll(/\{[a-z_]+:([^}]+)\}/g)].map(([, forms]) => (forms as string).split('|'));
const targetsOf = (text: string): string[] =>
  [...text.matchAll(/\[[^\]]+\]\(([^)]+)\)/g)].map(([, target]) => target as string).sort();

describe('the words of pages', () => {
  const each = (check: (path: string, en: string, ru: string) => void): void => {
    assert.ok(pages.length > 0);
    for (const { page, words } of pages)
      for (const [path, en] of words.en) check(`${page} ${path}`, en, words.ru.get(path) ?? '');
  };

  test('are there in both languages, and none is empty', () => {
    for (const { page, words } of pages) {
      assert.deepEqual([...words.ru.keys()], [...words.en.keys()], page);
      for (const texts of [words.en, words.ru])
        for (const [path, text] of texts) assert.notEqual(text.trim(), '', `${page} ${path}`);
    }
  });

  test('are not the same in both by mistake', () => {
    each((path, en, ru) => {
      if (isCode(path)) assert.equal(ru, en, path);
      else if (!mayBeSame(en)) assert.notEqual(ru, en, path);
    });
  });

  test('ask for the same blanks and lead to the same places in both', () => {
    each((path, en, ru) => {
      assert.deepEqual(blanksOf(ru), blanksOf(en), path);
      assert.deepEqual(targetsOf(ru), targetsOf(en), path);
    });
  });

  test('lead to pages that exist', () => {
    each((path, en) => {
      for (const target of targetsOf(en)) {
        const [, page] = /^([A-Za-z]+)([?#].*)?$/.exec(target) ?? [];
        assert.ok(/^(\/(?!\/)|https:\/\/|mailto:)/.test(target) || (page !== undefined && page in PAGES), `${path}: ${target}`);
      }
    });
  });

  test('have the forms that numbers need in each language', () => {
    each((path, en, ru) => {
      for (const forms of pluralsOf(en)) assert.equal(forms.length, FORMS.en, path);
      for (const forms of pluralsOf(ru)) assert.equal(forms.length, FORMS.ru, path);
    });
  });

  test('are plain: no exclamation, no straight quotes around Russian, no hyphen for a dash', () => {
    each((path, en, ru) => {
      if (isCode(path)) return;
      for (const text of [en, ru]) assert.doesNotMatch(text, /!| - |\.\.\./, path);
      assert.doesNotMatch(ru.replace(/`[^`]*`/g, ''), /"|“|”/, path);
    });
  });
});

test('a number chooses the form of its noun', () => {
  const of = (locale: Language, forms: string, count: number): string => filled(`{count} {count:${forms}}`, locale, { count });
  assert.deepEqual(
    [1, 2, 0].map((n) => of('en', 'minute|minutes', n)),
    ['1 minute', '2 minutes', '0 minutes'],
  );
  assert.deepEqual(
    [1, 3, 5, 11, 21, 22].map((n) => of('ru', 'минута|минуты|минут', n)),
    ['1 минута', '3 минуты', '5 минут', '11 минут', '21 минута', '22 минуты'],
  );
});

test('a blank that nothing fills is refused, and short Russian words are tied to the next', () => {
  assert.throws(() => filled('Up to {most}', 'en', {}), /asks? for most/);
  assert.equal(filled('Не отправляйте код в чате и по почте', 'ru'), 'Не\u00a0отправляйте код в\u00a0чате и\u00a0по\u00a0почте');
  assert.equal(filled('a code in a chat', 'en'), 'a code in a chat');
});
