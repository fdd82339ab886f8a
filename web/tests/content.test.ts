import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { PAGES } from '../routes/pages.ts';
import { filled, filledWords } from '../server/document/page-words.ts';

const CONTENT = join(import.meta.dirname, '..', 'content');
/** Number of plural forms that each language needs. */
const FORMS = { en: 2, ru: 3 } as const;
const FILES = { en: 'en-US', ru: 'ru-RU' } as const;

type Language = keyof typeof FILES;
/** Texts of a page by path: `groups.0.title`. */
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

/** True for values that are no words: ids, addresses, sums, code. */
const isCode = (path: string): boolean => /(^|\.)(id|icon|to|href|code|tone|currency|updated)(\.|$)/.test(path);
/** True for texts that may be the same in both languages: capitalised names, and texts without words. */
const mayBeSame = (text: string): boolean =>
  /^\p{Lu}[\w\u2011-]*( \p{Lu}[\w\u2011-]*)*$/u.test(text) || !/\p{Ll}{3}/u.test(text.replace(/\{[a-z_]+\}|`[^`]*`/gu, ''));

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

  test('exist in both languages, and none is empty', () => {
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

  test('have the same placeholders and link targets in both languages', () => {
    each((path, en, ru) => {
      assert.deepEqual(blanksOf(ru), blanksOf(en), path);
      assert.deepEqual(targetsOf(ru), targetsOf(en), path);
    });
  });

  test('link to pages that exist', () => {
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
      // A line must not break after the short part of a hyphenated word.
      for (const text of [en, ru]) assert.doesNotMatch(text, /(?<![\p{L}/#@.-])e-(?:mail|money|voucher|wallet)/iu, path);
      assert.doesNotMatch(ru.replace(/`[^`]*`/g, ''), /"|“|”/, path);
    });
  });
});

test('a number chooses the plural form of its noun', () => {
  const of = (locale: Language, forms: string, count: number): string => filled(`{count} {count:${forms}}`, locale, { count });
  assert.deepEqual(
    [1, 2, 0].map((n) => of('en', 'minute|minutes', n)),
    ['1\u00a0minute', '2\u00a0minutes', '0\u00a0minutes'],
  );
  assert.deepEqual(
    [1, 3, 5, 11, 21, 22].map((n) => of('ru', 'минута|минуты|минут', n)),
    ['1\u00a0минута', '3\u00a0минуты', '5\u00a0минут', '11\u00a0минут', '21\u00a0минута', '22\u00a0минуты'],
  );
});

test('a placeholder without a value is refused', () => {
  assert.throws(() => filled('Up to {max}', 'en', {}), /asks? for max/);
});

test('no line ends with a short Russian word or a number, or begins with a dash', () => {
  const numbers = { hours: 48, count: 15, level: 2, share: 30, name: 'PayPal' };
  for (const [locale, text, tied] of [
    ['ru', 'Не отправляйте код в чате и по почте', 'Не~отправляйте код в~чате и~по~почте'],
    ['en', 'a code in a chat', 'a code in a chat'],
    ['ru', 'ждёт {hours} {hours:час|часа|часов}', 'ждёт 48~часов'],
    ['en', 'within {count} {count:minute|minutes} of it', 'within 15~minutes of it'],
    ['ru', 'платит {share}% прибыли', 'платит 30%~прибыли'],
    ['en', 'from 8 to 23 UTC, {share}% of the profit', 'from 8 to 23~UTC, 30% of the profit'],
    ['ru', 'Нужен уровень {level}, на уровне {level} и с уровнем 3', 'Нужен уровень~2, на~уровне~2 и~с~уровнем~3'],
    ['en', 'At level {level}, in step 2', 'At level~2, in step~2'],
    ['ru', 'Шаг 2 — проверка — всё', 'Шаг~2~— проверка~— всё'],
    ['en', 'A wallet — yours', 'A wallet~— yours'],
    ['ru', 'Платёж {name} отозван', 'Платёж PayPal отозван'],
    ['en', 'Run `head -n 2 file` at level {level}', 'Run `head -n 2 file` at level~2'],
  ] as const)
    assert.equal(filled(text, locale, numbers).replaceAll('\u00a0', '~'), tied);
});

test('words of a table get non-breaking spaces before its rows fill them', () => {
  const words = {
    text: 'до {max} дней',
    table: { note: 'стоит в калькуляторе', row: 'уровень {level}', deep: ['к {sum} USD'] },
  };
  assert.deepEqual(filledWords(words, 'ru', { max: 5 }), {
    text: 'до\u00a05\u00a0дней',
    table: { note: 'стоит в\u00a0калькуляторе', row: 'уровень\u00a0{level}', deep: ['к\u00a0{sum} USD'] },
  });
});
