import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLocale } from './page-locale.ts';

/** Returns the language of a page, and the warnings about it. */
function reported(lang: string, cookie = ''): [locale: string, warnings: string[]] {
  const warnings: string[] = [];
  const locale = pageLocale({ documentElement: { lang }, cookie } as Document, (words) => warnings.push(words));
  return [locale, warnings];
}

test('a page has the language that its document names, without a warning', () => {
  assert.deepEqual(reported('en'), ['en', []]);
  assert.deepEqual(reported('ru', 'theme=dark; i18n_redirected=ru; x=y'), ['ru', []]);
  assert.deepEqual(reported('en', 'i18n_redirected=En'), ['en', []]);
  assert.deepEqual(reported('en', 'x_i18n_redirected=de'), ['en', []]);
});

test('an unknown language causes a warning, and the page is in its document’s language or English', () => {
  assert.deepEqual(reported('de'), ['en', ['There is no locale "de": this page is in "en".']]);
  assert.deepEqual(reported('ru', 'i18n_redirected=de'), ['ru', ['There is no locale "de": this page is in "ru".']]);
});
