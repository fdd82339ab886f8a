import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preferredLocale, readOf } from './visit.ts';

const localeOf = (list: string | undefined, cookies = {}) =>
  preferredLocale({ method: 'GET', url: '/', headers: list === undefined ? {} : { 'accept-language': list }, cookies });

test('the language is our language with the highest weight in the browser’s list, the first of equal ones', () => {
  const table: readonly (readonly [list: string | undefined, locale: 'en' | 'ru'])[] = [
    ['en;q=0.3,ru;q=0.9', 'ru'],
    ['ru;q=0, en', 'en'],
    ['ru;q=0', 'en'],
    ['ru;q=0.0, de', 'en'],
    ['en-US,en;q=0.9,ru;q=0.8', 'en'],
    ['ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7', 'ru'],
    ['de, fr;q=0.9, ru;q=0.2', 'ru'],
    ['en;q=0.5, ru;q=0.5', 'en'],
    ['ru ; Q=0.5 , en;q=0.4', 'ru'],
    ['RU', 'ru'],
    ['run, rus', 'en'],
    ['ru;q=heavy, en;q=0.1', 'en'],
    ['*', 'en'],
    ['', 'en'],
    [undefined, 'en'],
  ];
  for (const [list, locale] of table) assert.equal(localeOf(list), locale, list);
});

test('a language chosen before takes precedence over the browser’s list', () => {
  assert.equal(localeOf('en', { i18n_redirected: 'Ru' }), 'ru');
  assert.equal(localeOf('ru', { i18n_redirected: 'nothing' }), 'ru');
});

test('a page that looks up a cookie, present or not, is personal; the theme’s cookie is part of the key', () => {
  const reads: Record<string, (cookies: Record<string, string | undefined>) => unknown> = {
    'one that is there': (cookies) => cookies['order-last'],
    'one that is not there': (cookies) => cookies['session'],
    'whether one is there': (cookies) => 'order-last' in cookies,
    'all of them': (cookies) => ({ ...cookies }),
    'their names': (cookies) => Object.keys(cookies),
  };
  for (const [words, read] of Object.entries(reads)) {
    const { cookies, isPersonal } = readOf({
      method: 'GET',
      url: '/En',
      headers: {},
      cookies: { theme: 'dark', 'order-last': 'en X' },
    });
    assert.deepEqual([cookies['theme'], isPersonal()], ['dark', false]);
    read(cookies);
    assert.equal(isPersonal(), true, words);
  }
});
