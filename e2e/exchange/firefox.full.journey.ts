// Exchanges in Debian's Firefox from the home page to the payout on the other chain, and asserts that no public page violates its
// content security policy.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Locale, PREFIX, openVisit, startFirefox } from '../harness/browser.ts';
import { SELL_BTC, freshAddress, freshEmail, look, reaches } from '../customers/customer.ts';
import { ROUTES } from '../looks/seed-routes.ts';
import { type System, startSystem } from '../harness/system.ts';
import { calculate, placeOrder, walkToReview } from '../harness/walk.ts';

let system: System;
let browser: Browser | undefined;

before(async () => {
  system = await startSystem();
  browser = await startFirefox();
  if (!browser)
    process.stderr.write('\n!!! NO FIREFOX HERE: its journey is LEFT OUT. Install firefox-esr, or name one by FIREFOX.\n\n');
});
after(async () => {
  await browser?.close();
  await system?.stop();
});

async function exchange(firefox: Browser, locale: Locale): Promise<void> {
  const client = system.client(locale);
  const visit = await openVisit(firefox, locale);
  const { page, say, troubles } = visit;
  const [receive, refund] = await Promise.all([freshAddress(client, SELL_BTC.to), freshAddress(client, SELL_BTC.from)]);
  const details = { receive, refund, email: freshEmail() };
  const { calculated, reviewed } = await walkToReview(visit, details, () => calculate(visit, system.url, SELL_BTC));
  assert.deepEqual(reviewed, calculated, 'the review is what the calculator showed');
  const key = await placeOrder(visit);
  await page.getByRole('button', { name: say('sandbox_pay') }).click();
  await page.getByRole('heading', { name: say('headline_done') }).waitFor({ timeout: 120_000 });
  await reaches(client, key, 'done', 60_000);
  assert.equal((await look(client, key)).get?.currency, SELL_BTC.to);
  assert.deepEqual(troubles, []);
  await visit.close();
}

for (const locale of ['en', 'ru'] as const) {
  test(`an exchange in Firefox, /${PREFIX[locale]}`, async (t) => (browser ? exchange(browser, locale) : t.skip('NO FIREFOX')));
}

test('in Firefox the policy of no public page blocks anything, nor of prefetched pages', async (t) => {
  if (!browser) return t.skip('NO FIREFOX');
  for (const route of ROUTES.filter((one) => !one.startsWith('/dashboard'))) {
    const { page, troubles, close } = await openVisit(browser, 'en');
    await page.goto(`${system.url}/En${route}`);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await page.waitForTimeout(300);
    assert.deepEqual(troubles, [], route);
    await close();
  }
  return undefined;
});
