// Tests that no page shifts its layout while it loads, on slow phones and before its fonts, and that each can be used by
// keyboard.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { lookAt, wantedPages } from '../looks/every-view.ts';
import { goThrough, menusClose, skipsAhead } from '../harness/keyboard.ts';
import { type ShownPage, openLooker, shiftByFonts, shiftOf, slowDown } from '../looks/pages.ts';
import { sharedStage } from '../harness/stage.ts';
import type { System } from '../harness/system.ts';

/**
 * Widths of phones, at which another font may break lines differently. Routes that match `MEASURED` have a stricter limit at 412
 * pixels.
 */
const PHONES = [360, 390, 412];
const MEASURED = /^$|^\/faq$|^\/services\/|affiliate-program$|exchange-paypal$/;

let system: System;
let browser: Browser;

before(async () => {
  ({ system, browser } = await sharedStage());
});

test('fallback fonts take the same room as the final ones', async () => {
  const pages = await wantedPages(system);
  for (const language of ['En', 'Ru'] as const) {
    const looker = await openLooker(browser, system.url, { language, theme: 'light', width: 412 });
    const faults: string[] = [];
    for (const { name, path, opens } of pages) {
      if (opens !== undefined) continue;
      for (const width of PHONES) {
        await looker.page.setViewportSize({ width, height: 823 });
        const { size, moved } = await shiftByFonts(looker, `${system.url}/${language}${path}`);
        const max = MEASURED.test(path) && width === 412 ? 0.02 : 0.1;
        if (size > max) faults.push(`${name} ${language} ${width}: ${size.toFixed(3)}, ${moved}`);
      }
    }
    await looker.close();
    assert.deepEqual(faults, []);
  }
});

test('parts painted before the whole page has loaded keep their place', async () => {
  const pages = await wantedPages(system);
  const faults: string[] = [];
  for (const language of ['En', 'Ru'] as const) {
    const looker = await openLooker(browser, system.url, { language, theme: 'light', width: 390 });
    await slowDown(looker);
    for (const shown of pages) {
      if (shown.opens !== undefined) continue;
      await looker.show(shown);
      const { size, moved } = await shiftOf(looker.page);
      if (size > 0.1) faults.push(`${shown.name} ${language}: ${size.toFixed(3)}, ${moved}`);
    }
    await looker.close();
  }
  assert.deepEqual(faults, []);
});

test('the keyboard alone reaches all of every page, past its header, into its menus and out again', async () => {
  const pages = await wantedPages(system);
  for (const [language, width] of [
    ['En', 1440],
    ['Ru', 390],
  ] as const) {
    const isDialog = ({ opens }: ShownPage): boolean => opens !== undefined;
    const view = { language, theme: 'light', width } as const;
    await lookAt(
      browser,
      system.url,
      pages.filter((page) => !isDialog(page)),
      view,
      async (looker, shown) => {
        const where = `${shown.name} ${language} ${width}`;
        const { size, moved } = await shiftOf(looker.page);
        assert.ok(size <= 0.02, `${where}: ${size}, ${moved}`);
        await goThrough(looker.page, where, 10);
        await looker.show(shown);
        await skipsAhead(looker.page, where);
        await menusClose(looker.page, where);
      },
    );
    await lookAt(browser, system.url, pages.filter(isDialog), view, async ({ page }, { name }) => {
      await goThrough(page, `${name} ${language} ${width}`, 2);
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
    });
  }
});
