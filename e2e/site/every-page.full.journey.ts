// Opens every required page in a real browser, in both languages, as a visitor and signed in. After the script has run the page
// must follow the same rules as the received HTML, and nothing may fail.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContext } from 'playwright-core';
import { signUp, type Signed } from '../customers/signed.ts';
import { htmlFaults } from '../../tools/html-rules.ts';
import { startBrowser } from '../harness/browser.ts';
import { place } from '../customers/customer.ts';
import { faultsOf, untranslated } from '../looks/page-faults.ts';
import { type ShownPage, type View, openLooker } from '../looks/pages.ts';
import { readPage } from '../looks/read-page.ts';
import { ROUTES } from '../looks/seed-routes.ts';
import { type System, startSystem } from '../harness/system.ts';

let system: System;
let browser: Browser;
let signed: Signed;
let order: string;

before(async () => {
  browser = await startBrowser();
  system = await startSystem();
  signed = await signUp(system);
  const placed = await place(signed.client, { from: 'USDT_ERC20', to: 'BTC', amount: '60.00', email: signed.email });
  order = placed.order.id;
});

after(async () => {
  await browser?.close();
  await system?.stop();
});

/** Records failed requests. A page aborts its own requests when it is left or no longer needs them, which is no failure. */
function failuresOf(context: BrowserContext): string[] {
  const failed: string[] = [];
  context.on('requestfailed', (request) => {
    const why = request.failure()?.errorText;
    if (why !== 'net::ERR_ABORTED') failed.push(`${why} ${request.url()}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
  });
  return failed;
}

/** Opens the pages one after the other in one window. Returns their faults and titles. */
async function lookThrough(pages: readonly ShownPage[], view: View): Promise<{ faults: string[]; titles: Map<string, string> }> {
  const faults: string[] = [];
  const titles = new Map<string, string>();
  const looker = await openLooker(browser, system.url, view);
  const failed = failuresOf(looker.page.context());
  for (const shown of pages) {
    const address = `/${view.language}${shown.path}`;
    failed.length = 0;
    await looker.show(shown);
    const html = await looker.page.content();
    const page = readPage(html);
    const foreign = view.language === 'Ru' ? untranslated(page).map((text) => `in English: ${text}`) : [];
    const own = faultsOf(address, page, system.url);
    const written = await htmlFaults(html.replaceAll('&nbsp;', '\u00a0'));
    faults.push(...[...looker.complaints, ...failed, ...own, ...foreign, ...written].map((fault) => `${address}: ${fault}`));
    titles.set(address, page.titles[0] ?? '');
  }
  await looker.close();
  return { faults, titles };
}

const isOwn = (route: string): boolean => route.startsWith('/dashboard');
const shownAs = (route: string): ShownPage => ({ name: route, path: route });

for (const language of ['En', 'Ru'] as const) {
  describe(`every page, in a browser, /${language}`, () => {
    const view = { language, theme: 'light', width: 1280 } as const;

    test('as a visitor sees it', async () => {
      const { faults, titles } = await lookThrough(ROUTES.map(shownAs), view);
      assert.deepEqual(faults, []);
      assert.equal(new Set(titles.values()).size, ROUTES.length, 'each has a title of its own');
    });

    test('as an account holder sees it', async () => {
      const own = ROUTES.filter(isOwn).map((route) => (route === '/dashboard/order' ? `${route}?id=${order}` : route));
      const pages = own.map((route) => ({ ...shownAs(route), token: signed.token }));
      const { faults } = await lookThrough(pages, view);
      assert.deepEqual(faults, []);
    });
  });
}
