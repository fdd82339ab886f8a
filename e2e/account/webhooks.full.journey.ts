// A member makes a webhook for the shop of the sandbox. An order of the shop is paid, and the shop's log shows each event with both
// signatures verified by programs that are not ours.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBusinessStore } from '../customers/business.ts';
import { makesWebhook, openShop, readShopLog, visitBusiness } from '../customers/business-pages.ts';
import { signUp } from '../customers/signed.ts';
import { PREFIX, type Locale, type Visit, brings, openVisit, startBrowser } from '../harness/browser.ts';
import { type System, isReady, startSystem, until } from '../harness/system.ts';

let system: System;
let browser: Browser;
before(async () => {
  [system, browser] = [await startSystem(), await startBrowser()];
  const { directions } = system.client();
  await until('the directions to open', 60_000, async () => (await directions({})).directions.every(isReady));
});
after(async () => {
  await browser.close();
  await system.stop();
});

const PAID_MS = { timeout: 60_000 };

for (const locale of ['en', 'ru'] as const)
  test(`a webhook is made, an order is paid, and the shop verifies each event (${locale})`, async () => {
    const owner = await signUp(system, { level: 2 });
    const store = await openBusinessStore(system, owner);
    const { key } = await owner.client.storeKeyMake({
      store,
      name: 'shop',
      permissions: ['invoices.create'],
      networks: [],
      days: 90,
    });
    const member = await visitBusiness(system, browser, owner, locale, `/store/webhooks?id=${store}`);
    const shop = await openVisit(browser, locale);
    const settings = await openShop(system, shop.page, '/settings');
    const hook = (await settings.locator('code').innerText()).trim();
    const secret = await makesWebhook(member, hook);
    for (const [name, value] of Object.entries({ store, key, secret })) await settings.locator(`[name=${name}]`).fill(value);
    await settings.getByRole('button', { name: 'Save' }).click();

    await sendsTest(member);
    const before = (await readShopLog(system, shop.page)).length;
    const goods = await openShop(system, shop.page);
    await goods.getByRole('button', { name: 'Buy Green tea' }).click();
    await pays(shop, locale);
    const seen = await until('the shop to be told', 60_000, async () => {
      const rows = (await readShopLog(system, shop.page)).slice(0, -before);
      return rows.some(([, type]) => type === 'invoice.settled') && rows;
    });
    // A block may come before the payment was seen without one.
    const told = seen.map(([, type]) => type ?? '').filter((type) => !/seen|processing/.test(type));
    assert.deepEqual(told.toReversed(), ['invoice.created', 'invoice.payment_final', 'invoice.settled']);
    for (const row of seen) assert.deepEqual(row.slice(-2), ['right', 'right'], row.join());
    await readsLog(member);
    for (const visit of [member, shop]) {
      const expected = [/422 POST .*webhooks/, /status of 422/];
      assert.deepEqual(
        visit.troubles.filter((trouble) => !expected.some((one) => one.test(trouble))),
        [],
      );
      await visit.close();
    }
  });

/** Sends a test delivery from the webhook's page, and waits for its answer. */
async function sendsTest(visit: Visit): Promise<void> {
  const { page, say } = visit;
  await page.getByRole('link', { name: '/sandbox/shop/hook' }).click();
  await page.getByRole('button', { name: say('webhooks_test') }).click();
  await brings(visit, page.getByText(say('webhooks_test_sent')).waitFor());
  await until('the test delivery', 30_000, async () => {
    await page.goto(page.url());
    return (await page.getByText('HTTP 200').count()) > 0;
  });
}

/** Pays the invoice's page with bitcoin from the sandbox's wallet. */
async function pays(visit: Visit, locale: Locale): Promise<void> {
  const { page, say } = visit;
  await page.waitForURL(/\/pay\//);
  // The shop makes its invoices in English.
  await page.goto(page.url().replace('/En/', `/${PREFIX[locale]}/`));
  await page.getByRole('heading', { level: 1, name: say('checkout_choose') }).waitFor();
  await page.getByRole('button', { name: /Bitcoin/ }).click();
  await page.getByRole('heading', { level: 1, name: say('headline_waiting') }).waitFor();
  await page.getByRole('button', { name: say('sandbox_pay') }).click();
  await brings(visit, page.getByRole('heading', { level: 1, name: say('checkout_settled') }).waitFor(PAID_MS));
}

/** Reads the deliveries on the webhook's page, and opens the last one. */
async function readsLog(visit: Visit): Promise<void> {
  const { page, say } = visit;
  await page.goto(page.url());
  await page.getByRole('link', { name: say('webhooks_taken') }).click();
  await page.getByRole('link', { name: 'invoice.settled' }).first().click();
  await brings(visit, page.getByRole('heading', { name: say('webhooks_attempts') }).waitFor());
  await page.getByText('"state": "settled"').waitFor();
}
