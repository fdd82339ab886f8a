// The browser that journeys go through the product in, and that pictures of it are taken with.

import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './chromium.mjs';

/** Starts it without its own network habits. Throws where there is none. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('There is no Chromium: npm test installs one, or name it by CHROMIUM');
  return chromium.launch({
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
}
