// The browser that journeys go through the product in, and that pictures of it are taken with.

import { type Browser, type Page, type Response, chromium } from 'playwright-core';
import { findChromium } from './chromium.mjs';

/**
 * Starts it without its own network habits. A page that is opened in it by its address is there once its scripts have
 * taken it over, which is after it has loaded. Throws where there is none.
 */
export async function startBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('There is no Chromium: npm test installs one, or name it by CHROMIUM');
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  const openWindow = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await openWindow(options);
    if (options?.javaScriptEnabled === false) return context;
    await context.addInitScript(NOTE_TAKEN_OVER);
    return context.on('page', awaitScripts);
  };
  return browser;
}

/**
 * Lays out what a page leaves until it comes near (`content-visibility`): only then does it have its size, in pictures too,
 * and is seen to be wider than the screen instead of being cut off.
 */
export async function layOutAll(page: Page): Promise<void> {
  await page.evaluate(LAY_OUT_ALL);
}

const LAY_OUT_ALL = `(() => {
  const all = new CSSStyleSheet();
  all.replaceSync('* { content-visibility: visible !important; }');
  document.adoptedStyleSheets = [all];
})()`;

const NOTE_TAKEN_OVER = `let isTakenOver = false;
document.addEventListener('taken-over', () => { isTakenOver = true; });
globalThis.isReady = () => isTakenOver || document.getElementById('data') === null;`;
const isReady = (): boolean => (globalThis as unknown as { isReady: () => boolean }).isReady();

function awaitScripts(page: Page): void {
  for (const open of ['goto', 'reload'] as const) {
    const own = page[open].bind(page) as (...given: unknown[]) => Promise<Response | null>;
    const patient = async (...given: unknown[]): Promise<Response | null> => {
      const answer = await own(...given);
      const { waitUntil = 'load' } = (given.at(-1) ?? {}) as { waitUntil?: string };
      if (waitUntil !== 'commit') await page.waitForFunction(isReady);
      return answer;
    };
    Object.assign(page, { [open]: patient });
  }
}
