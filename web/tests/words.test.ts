import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import en from '../locales/en-US.json' with { type: 'json' };
import ru from '../locales/ru-RU.json' with { type: 'json' };

type Message = string | readonly { readonly match: Readonly<Record<string, string>> }[];
const WORDS: Readonly<Record<'en' | 'ru', Readonly<Record<string, Message>>>> = { en, ru };

const textsOf = (message: Message): string[] =>
  typeof message === 'string' ? [message] : message.flatMap(({ match }) => Object.values(match));
const blanksOf = (message: Message): string[] =>
  [...new Set(textsOf(message).flatMap((text) => text.match(/\{[a-z]+\}/g) ?? []))].sort();

/** Returns all source code of the site, in which words are used. */
async function sources(): Promise<string> {
  const names = await readdir(join(import.meta.dirname, '..'), { recursive: true });
  const code = names.filter(
    (name) => /\.tsx?$/.test(name) && !/^(paraglide|dist|testing|\.build)\//.test(name) && !name.endsWith('.test.ts'),
  );
  return (await Promise.all(code.map((name) => readFile(join(import.meta.dirname, '..', name), 'utf8')))).join('\n');
}

test('no word is missing in either language, and both have the same placeholders', () => {
  assert.deepEqual(Object.keys(WORDS.en).sort(), Object.keys(WORDS.ru).sort());
  for (const [key, message] of Object.entries(WORDS.en)) {
    // A plural form may omit the number ("one field").
    const [english, russian] = [blanksOf(message), blanksOf(WORDS.ru[key] as Message)];
    assert.deepEqual(english, russian, key);
    for (const text of [...textsOf(message), ...textsOf(WORDS.ru[key] as Message)]) assert.notEqual(text.trim(), '', key);
  }
});

/** Words that are the same in both languages: names of files, companies and brands, and figures. */
const SAME: ReadonlySet<string> = new Set([
  'pay_memo',
  'sign_in_email',
  'orders_export',
  'discount_percent',
  'export_xlsx',
  'nav_hi_wallet',
  'limits_used',
]);

/** Words whose numbers are fixed and never need the singular form. */
const FIXED: ReadonlySet<string> = new Set(['keys_days_of', 'overview_exchanged', 'overview_quiet', 'overview_days']);

test('a Russian noun after a number has its plural forms', () => {
  const counted = Object.entries(WORDS.ru).filter(
    ([key, message]) =>
      !FIXED.has(key) && typeof message === 'string' && /\{\w+\}\s[а-яё]{3,}(?:ов|ев|ей|ий)(?![а-яё])/u.test(message),
  );
  assert.deepEqual(counted, []);
});

test('a future start or end is written with its year, or as a moment with its zone', async () => {
  const ends = Object.entries(WORDS.en).flatMap(([key, message]) =>
    textsOf(message).some((text) => /\b(?:until|by|before|from) \{(?!name\b)\w+\}/.test(text)) ? [key] : [],
  );
  assert.ok(ends.length > 10);
  const code = await sources();
  for (const key of ends)
    for (const [call] of code.matchAll(new RegExp(`m\\.${key}\\(\\{[^}]*\\}`, 'g')))
      assert.doesNotMatch(call, /writeDay\(|dated\(|writeMoment\(/, call);
});

test('no word is the same in both languages by mistake, and none is listed for nothing', () => {
  const same = Object.keys(WORDS.en).filter((key) => {
    const [english, russian] = [textsOf(WORDS.en[key] as Message), textsOf(WORDS.ru[key] as Message)];
    return english.some((text) => russian.includes(text));
  });
  assert.deepEqual(same.sort(), [...SAME].sort());
});

test('every word that the code uses exists, and every word is used', async () => {
  const used = new Set(
    [...(await sources()).matchAll(/\bm\.([a-z0-9]+(?:_[a-z0-9]+)+|[a-z]+)\b/g)].map(([, key]) => key as string),
  );
  const unused = Object.keys(WORDS.en).filter((key) => !used.has(key));
  assert.deepEqual(unused, []);
});

test('Russian plurals have the forms that Russian needs', () => {
  for (const [key, message] of Object.entries(WORDS.ru)) {
    if (typeof message === 'string') continue;
    const forms = message.flatMap(({ match }) => Object.keys(match)).map((form) => form.split('=')[1]);
    assert.deepEqual(forms.sort(), ['few', 'many', 'one', 'other'], key);
  }
});

test('a short Russian word is tied to the next by a space that does not break', () => {
  for (const [key, message] of Object.entries(WORDS.ru)) {
    for (const text of textsOf(message)) assert.doesNotMatch(text, /(?<![\p{L}\p{N}{])[А-Яа-яё]{1,2} \S/u, key);
  }
});

test('a line does not break after the short part of a hyphenated word', () => {
  for (const words of [WORDS.en, WORDS.ru])
    for (const [key, message] of Object.entries(words))
      for (const text of textsOf(message)) assert.doesNotMatch(text, /\be-\p{L}/iu, key);
});

test('the words are plain: no dash for a comma, no exclamation, no straight quotes around Russian', () => {
  for (const words of [WORDS.en, WORDS.ru]) {
    for (const [key, message] of Object.entries(words))
      for (const text of textsOf(message)) assert.doesNotMatch(text, /!|"| - /, key);
  }
});
