// Tests every page that a visitor can open, in both languages and themes and on every screen size, and an order's page in every
// state with the stub of the API. Loading and keyboard are tested in `pages-layout-shift.full.journey.ts`.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../harness/browser.ts';
import { isWanted, lookAt, wantedPages } from '../looks/every-view.ts';
import { type Looker, type ShownPage, inspectOpened, invoiceScenes, orderScenes, overflow, shiftOf } from '../looks/pages.ts';
import { type System, startSystem } from '../harness/system.ts';

const INSPECTED = [390, 770, 1440];
/** Widths of the window, the same for both themes. */
const WIDTHS = [320, 360, 600, 769, 900, 1099, 1280, 1920];
const VIEWS = (['En', 'Ru'] as const).flatMap((language) => (['light', 'dark'] as const).map((theme) => ({ language, theme })));

let system: System;
let browser: Browser;
let stub: Awaited<ReturnType<typeof startStub>>;

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

/** Starts the built site with the stub, in its own process. */
async function startStub(): Promise<{ url: string; stop: () => void }> {
  const args = ['--import', './tools/runner/tether.ts', 'web/testing/serve.ts', '0', 'world'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  assert.ok(child.stdout);
  // A build that is due runs first and prints other lines.
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('http')) return { url: line, stop: () => void child.kill() };
  throw new Error('The stub ended before it served');
}

describe('every page is without faults, narrow and wide, and does not shift while it loads', { concurrency: 2 }, () => {
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
      lookAt(browser, system.url, await wantedPages(system), { ...view, width: 390 }, inspectAll));
    test(`an order in every status, in ${view.language}, ${view.theme}`, () =>
      lookAt(browser, stub.url, orderScenes().filter(isWanted), { ...view, width: 390 }, inspectAll));
    test(`an invoice in every state, in ${view.language}, ${view.theme}`, () =>
      lookAt(browser, stub.url, invoiceScenes().filter(isWanted), { ...view, width: 390 }, inspectAll));
  }
});
