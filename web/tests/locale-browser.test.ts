// Console messages about a page's language: words that can't be loaded, and unknown languages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConsoleMessage, Page } from 'playwright-core';
import { isTakenOver, windowsOnSite } from '../testing/windows.ts';

const site = windowsOnSite();

const saying = (page: Page, type: string, words: RegExp): Promise<ConsoleMessage> =>
  page.waitForEvent('console', { predicate: (message) => message.type() === type && words.test(message.text()) });

for (const [prefix, locale] of [
  ['En', 'en'],
  ['Ru', 'ru'],
] as const)
  test(`a locale that can’t be loaded logs an error (${prefix})`, async () => {
    const { page, context } = await site.open();
    await page.route(/\/assets\/..\/(?!begin-)/, (route) => route.abort());
    const said = saying(page, 'error', new RegExp(`The locale "${locale}" can't be loaded`));
    await page.goto(`${site.url}/${prefix}/track`, { waitUntil: 'commit' });
    await said;
    await context.close();
  });

test('a part of a page whose words can’t be loaded logs an error, too', async () => {
  const { page, context } = await site.open();
  await page.goto(`${site.url}/En/track`);
  await isTakenOver(page);
  await page.route('**/assets/**/*.js', (route) => route.abort());
  const said = saying(page, 'error', /The locale "en" can't be loaded/);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Check a receipt' }).click();
  await said;
  await context.close();
});

test('an unknown locale logs a warning', async () => {
  const { page, context } = await site.open();
  await context.addCookies([{ name: 'i18n_redirected', value: 'de', url: site.url }]);
  const said = saying(page, 'warning', /There is no locale "de": this page is in "ru"/);
  await page.goto(`${site.url}/Ru/track`);
  await said;
  await context.close();
});

test('a page with all its words logs nothing', async () => {
  const { page, context } = await site.open();
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  await context.addCookies([{ name: 'i18n_redirected', value: 'ru', url: site.url }]);
  for (const prefix of ['En', 'Ru']) {
    await page.goto(`${site.url}/${prefix}/track`);
    await isTakenOver(page);
  }
  assert.deepEqual(said, []);
  await context.close();
});
