// Where links lead in a browser, over the built site and made-up data.

import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startBrowser } from './testing/browser.ts';
import { serve } from './testing/serve.ts';

let browser: Browser;
let site: { url: string; close: () => void };

before(async () => {
  [browser, site] = await Promise.all([startBrowser(), serve()]);
});
after(async () => {
  await browser?.close();
  site?.close();
});

test('a link to a part of a page that is loaded whole leads to that part', async () => {
  const page = await browser.newPage();
  await page.goto(`${site.url}/En/services/usdt-erc20-btc`);
  const lead = (href: string): Promise<void> =>
    page.locator('main').evaluate((main, target) => {
      const link = document.createElement('a');
      link.href = target;
      main.append(link);
      link.click();
    }, href);
  for (const target of ['/En/aml-kyc-policy#levels', '/En/solutions/HiWallet#fees']) {
    await lead(target);
    await page.waitForURL(`${site.url}${target}`);
    await page.waitForFunction(() => scrollY > 0);
  }
  await page.close();
});
