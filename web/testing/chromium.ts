import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../tools/chromium.mjs';

/** Starts the browser without its own network habits. */
export async function startChromium(): Promise<Browser> {
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
