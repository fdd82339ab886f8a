// Without a connection a page says so in words, and shows neither an internal code nor a proxy's status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import en from '../locales/en-US.json' with { type: 'json' };
import ru from '../locales/ru-RU.json' with { type: 'json' };
import { isTakenOver, windowsOnSite } from '../testing/windows.ts';

const site = windowsOnSite();

for (const [prefix, words] of [
  ['En', en],
  ['Ru', ru],
] as const)
  for (const [what, fail] of [
    ['nothing answers', { abort: true }],
    ['a proxy answers in our place', { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }],
  ] as const)
    test(`the calculator says that there was no answer where ${what} (${prefix})`, async () => {
      const { page, context } = await site.open();
      await page.goto(`${site.url}/${prefix}?from=BTC&to=USDT_ERC20&amount=0.01&side=give`);
      await isTakenOver(page);
      await page.route('**/api/v1/**', (route) => ('abort' in fail ? route.abort() : route.fulfill(fail)));
      await page.locator('input[inputmode=decimal]').first().fill('0.005');
      await page.getByText(words.offline_lead).first().waitFor();
      const text = await page.locator('main form').first().innerText();
      assert.doesNotMatch(text, /^network$|HTTP \d/m);
      await context.close();
    });
