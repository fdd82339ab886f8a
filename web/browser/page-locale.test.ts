import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLocale } from './page-locale.ts';

/** Returns the language of a page, and the warnings about it. */
function told(lang: string, cookie = ''): [locale: string, warnings: string[]] {
  const warnings: string[] = [];
  const locale = pageLocale({ documentElement: { lang }, cookie } as Document, (words) => warnings.push(words));
  return [locale, warnings];
}

test('a page has the language that its document names, without a warning', () => {
  assert.deepEqual(told('en'), ['en', []]);
  assert.deepEqual(told('ru', 'theme=dark; i18n_redirected=ru; x=y'), ['ru', []]);
  assert.deepEqual(told('en', 'i18n_redirected=En'), ['en', []]);
  assert.deepEqual(told('en', 'x_i18n_redirected=de'), ['en', []]);
});

test('an unknown language causes a warning, and the page is in its document’s language or English', () => {
  assert.deepEqual(told('de'), ['en', ['There is no locale "de": this page is in "en".']]);
  assert.deepEqual(told('ru', 'i18n_redirected=de'), ['ru', ['There is no locale "de": this page is in "ru".']]);
});
