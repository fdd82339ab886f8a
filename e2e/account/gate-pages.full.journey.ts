// Tests the pages of businesses and of their buyers, filled with all that they show: in both languages and themes, on every screen
// size.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../harness/browser.ts';
import { type System, startSystem } from '../harness/system.ts';
import { isWanted, lookAt } from '../looks/every-view.ts';
import { businessPages, buyersPages, richShop } from '../looks/gate-pages.ts';
import { type Looker, type ShownPage, inspectOpened, overflow } from '../looks/pages.ts';

const INSPECTED = [390, 1440];
/** Widths of the window, the same for both themes. */
const WIDTHS = [320, 360, 600, 769, 770, 900, 1099, 1280, 1920];

let system: System;
let browser: Browser;
let pages: ShownPage[];

before(async () => {
  browser = await startBrowser();
  system = await startSystem();
  const shop = await richShop(system);
  pages = [...buyersPages(shop), ...businessPages(shop)].filter(isWanted);
});
after(async () => {
  await browser?.close();
  await system?.stop();
});

/** Views of the pages. Texts have no part in the contrast of colours, so the dark theme is inspected in one language. */
const VIEWS = [
  { language: 'En', theme: 'light' },
  { language: 'Ru', theme: 'light' },
  { language: 'En', theme: 'dark' },
] as const;

describe('every page of the gate is without faults, narrow and wide', { concurrency: 2 }, () => {
  for (const view of VIEWS) {
    const { language, theme } = view;
    const inspectAll = async ({ page }: Looker, { name }: ShownPage): Promise<void> => {
      for (const width of INSPECTED) {
        await page.setViewportSize({ width, height: 900 });
        await inspectOpened(page, `${name} ${language} ${theme} ${width}`);
      }
      if (theme === 'dark') return;
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        assert.equal(await overflow(page), 0, `${name} ${language} ${width}: wider than the screen`);
      }
    };
    test(`in ${language}, ${theme}`, () => lookAt(browser, system.url, pages, { ...view, width: 390 }, inspectAll));
  }
});
