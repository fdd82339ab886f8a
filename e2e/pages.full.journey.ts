// Every page that a visitor can meet, in both languages and themes, on every screen, by keyboard; an order's page in every
// state over the stub of the API.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startBrowser } from './browser.ts';
import { goThrough, menusClose, skipsAhead } from './keyboard.ts';
import {
  type Looker,
  type ShownPage,
  type View,
  allPages,
  inspectOpened,
  openLooker,
  orderScenes,
  overflow,
  shiftByFonts,
  shiftOf,
  slowDown,
} from './pages.ts';
import { type System, startSystem } from './system.ts';

const INSPECTED = [390, 770, 1440];
/** The same in both themes. */
const WIDTHS = [320, 360, 600, 769, 900, 1099, 1280, 1920];
const VIEWS = (['En', 'Ru'] as const).flatMap((language) => (['light', 'dark'] as const).map((theme) => ({ language, theme })));
/** Where a line may break otherwise in another font: a page that is measured is held to less there. */
const PHONES = [360, 390, 412];
const MEASURED = /^$|^\/faq$|^\/services\/|affiliate-program$|exchange-paypal$/;
/** Pages whose names hold one of these words, where somebody looks for a fault in few. */
const ONLY = process.env['KURS_PAGES']?.split(' ');

let system: System;
let browser: Browser;
let stub: Awaited<ReturnType<typeof startStub>>;
const isWanted = ({ name }: ShownPage): boolean => ONLY === undefined || ONLY.some((word) => name.includes(word));
/** Made anew for each test: a calculation lives half an hour, which all of them together may take. */
const wantedPages = async (): Promise<ShownPage[]> => (await allPages(system)).filter(isWanted);

before(async () => {
  browser = await startBrowser();
  stub = await startStub();
  system = await startSystem();
});
after(async () => {
  await browser?.close();
  stub?.stop();
  await system?.stop();
});

/** The built site over the stub, in a process of its own. */
async function startStub(): Promise<{ url: string; stop: () => void }> {
  const args = ['--import', './tools/tether.ts', 'web/testing/serve.ts', '0', 'world'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  assert.ok(child.stdout);
  // A build that was due comes first, and says so.
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('http')) return { url: line, stop: () => void child.kill() };
  throw new Error('The stub ended before it served');
}

/** Shows each page in one window of a view. Throws with all that is wrong, once all have been looked at. */
async function lookAt(
  base: string,
  shown: readonly ShownPage[],
  view: View,
  work: (looker: Looker, page: ShownPage) => Promise<void>,
): Promise<void> {
  const looker = await openLooker(browser, base, view);
  const faults: string[] = [];
  for (const page of shown) {
    try {
      await looker.page.setViewportSize({ width: view.width, height: 900 });
      await looker.show(page);
      await work(looker, page);
      assert.deepEqual(looker.complaints, [], `${page.name} ${view.language} ${view.theme}`);
    } catch (error) {
      faults.push(`${page.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  await looker.close();
  assert.deepEqual(faults, []);
}

describe('every page is right, narrow and wide, and nothing in it jumps while it comes', { concurrency: 2 }, () => {
  for (const view of VIEWS) {
    const inspectAll = async ({ page }: Looker, { name }: ShownPage): Promise<void> => {
      const where = `${name} ${view.language} ${view.theme}`;
      const { size, moved } = await shiftOf(page);
      assert.ok(size <= 0.02, `${where}: ${size}, ${moved}`);
      for (const width of INSPECTED) {
        await page.setViewportSize({ width, height: 900 });
        await inspectOpened(page, `${where} ${width}`);
      }
      if (view.theme === 'dark') return;
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        assert.equal(await overflow(page), 0, `${where} ${width}`);
      }
    };
    test(`in ${view.language}, ${view.theme}`, async () =>
      lookAt(system.url, await wantedPages(), { ...view, width: 390 }, inspectAll));
    test(`an order in every state, in ${view.language}, ${view.theme}`, () =>
      lookAt(stub.url, orderScenes().filter(isWanted), { ...view, width: 390 }, inspectAll));
  }
});

test('what stands until the fonts arrive takes their room', async () => {
  const pages = await wantedPages();
  for (const language of ['En', 'Ru'] as const) {
    const looker = await openLooker(browser, system.url, { language, theme: 'light', width: 412 });
    const faults: string[] = [];
    for (const { name, path, opens } of pages) {
      if (opens !== undefined) continue;
      for (const width of PHONES) {
        await looker.page.setViewportSize({ width, height: 823 });
        const { size, moved } = await shiftByFonts(looker, `${system.url}/${language}${path}`);
        const most = MEASURED.test(path) && width === 412 ? 0.02 : 0.1;
        if (size > most) faults.push(`${name} ${language} ${width}: ${size.toFixed(3)}, ${moved}`);
      }
    }
    await looker.close();
    assert.deepEqual(faults, []);
  }
});

test('what is painted before the whole page has come keeps its place', async () => {
  const pages = await wantedPages();
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

test('the keyboard alone goes through every page, past its header, into its menus and out again', async () => {
  const pages = await wantedPages();
  for (const [language, width] of [
    ['En', 1440],
    ['Ru', 390],
  ] as const) {
    const isDialog = ({ opens }: ShownPage): boolean => opens !== undefined;
    const view = { language, theme: 'light', width } as const;
    await lookAt(
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
    await lookAt(system.url, pages.filter(isDialog), view, async ({ page }, { name }) => {
      await goThrough(page, `${name} ${language} ${width}`, 2);
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
    });
  }
});
