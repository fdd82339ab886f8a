import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startBrowser } from './browser.ts';
import { type ShownPage, allPages, inspect, open, overflow } from './pages.ts';
import { type System, startSystem } from './system.ts';

const WIDTHS = [320, 360, 390, 600, 769, 770, 900, 1099, 1280, 1920];

let system: System;
let browser: Browser;
let pages: ShownPage[];

before(async () => {
  [system, browser] = await Promise.all([startSystem(), startBrowser()]);
  pages = await allPages(system);
});
after(async () => {
  await browser?.close();
  await system?.stop();
});

for (const language of ['En', 'Ru'] as const) {
  for (const theme of ['light', 'dark'] as const) {
    test(`every page is right in ${language}, ${theme}, narrow and wide`, async () => {
      for (const page of pages)
        for (const width of [390, 770, 1440]) await inspect(browser, system, page, { language, theme, width });
    });
  }
}

test('no page is wider than any screen', async () => {
  for (const width of WIDTHS) {
    for (const language of ['En', 'Ru'] as const) {
      for (const shown of pages) {
        const { page, context } = await open(browser, system, shown, { language, theme: 'light', width });
        assert.equal(await overflow(page), 0, `${shown.name} ${language} ${width}`);
        await context.close();
      }
    }
  }
});
