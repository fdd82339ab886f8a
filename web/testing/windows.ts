// Serves the built site with the stub of the API, and opens browser windows on it, for the tests of one file.

import { after, before } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startBrowser } from './browser.ts';
import { serve } from './serve.ts';

export const WAIT_MS = 15_000;

/** Browser window in its own context, with the errors that console and page reported. */
export interface OpenWindow {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly troubles: string[];
}

/** Served site with a function that opens windows. */
interface Windows {
  /** URL of the site; available once the tests run. */
  readonly url: string;
  readonly open: (options?: Parameters<Browser['newContext']>[0]) => Promise<OpenWindow>;
}

/** Starts a browser and a site before the calling file's tests, and stops both after them. */
export function windowsOnSite(begin: () => ReturnType<typeof serve> = () => serve()): Windows {
  let browser: Browser;
  let site: Awaited<ReturnType<typeof serve>>;
  before(async () => {
    [browser, site] = await Promise.all([startBrowser(), begin()]);
  });
  after(async () => {
    await browser?.close();
    site?.close();
  });
  return {
    get url() {
      return site.url;
    },
    async open(options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
      context.setDefaultTimeout(WAIT_MS);
      const page = await context.newPage();
      const troubles: string[] = [];
      page.on('pageerror', (error) => troubles.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().includes('404')) troubles.push(message.text());
      });
      return { page, context, troubles };
    },
  };
}

/**
 * Waits until a page is hydrated. A link that is clicked earlier loads its page as a document, without the calls that tests
 * expect.
 */
export async function isTakenOver(page: Page): Promise<void> {
  await page.waitForFunction(() => Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__react')));
}
