// A holder makes links of a personal store in the browser, and visitors pay by them, with and without JavaScript.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { inFullRun } from '../../tools/runner/full-run.ts';
import { type Signed, signUp } from '../customers/signed.ts';
import { PREFIX, type Locale, type Visit, brings, openVisit } from '../harness/browser.ts';
import { sharedStage } from '../harness/stage.ts';
import { type System, isReady, until } from '../harness/system.ts';
import { inspectOpened } from '../looks/pages.ts';

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
  const { directions } = system.client();
  await until('the directions to open', 60_000, async () => (await directions({})).directions.every(isReady));
});

const PAID_MS = { timeout: 60_000 };
const TITLE = 'English lesson, one hour';

async function storeOf({ client }: Signed): Promise<string> {
  const store = { kind: 'personal', name: 'Ann’s lessons', invoice_currency: 'USDT', settlement_currency: 'USDT_ERC20' } as const;
  return (await client.storeMake(store, { idempotencyKey: randomUUID() })).id;
}

/** Makes a link on the pages of the store, whose list is empty before. Returns the address that the page shows. */
async function makesLink(
  holder: Signed,
  { locale, store, fields }: { locale: Locale; store: string; fields: Readonly<Record<string, string>> },
): Promise<string> {
  const visit = await openVisit(browser, locale);
  const { page, say } = visit;
  await page.addInitScript((stored) => localStorage.setItem('accessToken', stored), holder.token);
  await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/business/store/links?store=${store}`);
  await brings(visit, page.getByText(say('links_none')).waitFor());
  await inspectOpened(page, `links-none ${locale}`);
  await page.getByRole('link', { name: say('links_new') }).click();
  await page.locator('[name=title]').fill(TITLE);
  if (fields['amount'] === undefined) await page.locator('[name=kind][value=any]').check();
  for (const [name, value] of Object.entries(fields)) await page.locator(`[name=${name}]`).fill(value);
  await inspectOpened(page, `links-new ${locale}`);
  await page.getByRole('button', { name: say('links_make') }).click();
  await brings(visit, page.getByRole('img', { name: say('links_qr') }).waitFor());
  await inspectOpened(page, `links-one ${locale}`);
  const url = (await page.getByText('/pay/link/').innerText()).trim();
  await page.getByRole('link', { name: say('links_back') }).click();
  await brings(visit, page.getByRole('link', { name: TITLE }).waitFor());
  await inspectOpened(page, `links-list ${locale}`);
  assert.deepEqual(visit.troubles, []);
  await visit.close();
  return url;
}

/** Chooses bitcoin on the page of the invoice, and pays it from the sandbox's wallet. */
async function paysBitcoin(visit: Visit): Promise<void> {
  const { page, say } = visit;
  await brings(visit, page.getByRole('heading', { level: 1, name: say('checkout_choose') }).waitFor());
  await page.getByRole('button', { name: /Bitcoin/ }).click();
  await brings(visit, page.getByRole('heading', { level: 1, name: say('headline_waiting') }).waitFor());
  await page.getByRole('button', { name: say('sandbox_pay') }).click();
  await brings(visit, page.getByRole('heading', { level: 1, name: say('checkout_settled') }).waitFor(PAID_MS));
}

/** Asserts that the store's only invoice is paid, and that its money stands in the balance of the store. */
async function isReceived({ client }: Signed, store: string): Promise<void> {
  const [listed] = (await client.invoices({ store })).data;
  assert.ok(listed);
  const { state, description, received } = await client.storeInvoice({ store, id: listed.id });
  assert.deepEqual([state, description], ['settled', TITLE]);
  assert.ok(
    received.some(({ amount, currency }) => currency === 'USDT' && Number(amount) > 0),
    JSON.stringify(received),
  );
}

/** Runs a test in the short run for one language, and in the full run for the other as well. */
const testIn = (locale: Locale, short: Locale): typeof test | typeof inFullRun => (locale === short ? test : inFullRun);

for (const locale of ['en', 'ru'] as const) {
  testIn(locale, 'en')(`a visitor pays a fixed link of a personal store (${locale})`, async () => {
    const holder = await signUp(system);
    const store = await storeOf(holder);
    const url = await makesLink(holder, { locale, store, fields: { amount: '12.5', max_uses: '1' } });
    const visit = await openVisit(browser, locale);
    const { page, say } = visit;
    await page.goto(url);
    await page.getByText(TITLE).waitFor();
    await inspectOpened(page, `pay-link ${locale}`);
    await page.getByRole('button', { name: say('link_pay') }).click();
    await paysBitcoin(visit);
    await isReceived(holder, store);
    await page.goto(url);
    await brings(visit, page.getByRole('heading', { level: 1, name: say('link_used_up') }).waitFor());
    assert.deepEqual(visit.troubles, []);
    await visit.close();
  });

  testIn(locale, 'ru')(`a visitor without JavaScript names the sum of a link (${locale})`, async () => {
    const holder = await signUp(system);
    const store = await storeOf(holder);
    const url = await makesLink(holder, { locale, store, fields: { least: '5', most: '50' } });
    const visit = await openVisit(browser, locale, { hasJavaScript: false });
    const { page, say } = visit;
    await page.goto(url);
    await page.getByLabel(say('link_sum')).fill('4');
    await page.getByRole('button', { name: say('link_pay_any') }).click();
    await brings(visit, page.locator('[aria-invalid=true]').waitFor());
    await page.getByLabel(say('link_sum')).fill('15');
    await page.getByRole('button', { name: say('link_pay_any') }).click();
    await paysBitcoin(visit);
    await isReceived(holder, store);
    assert.deepEqual(
      visit.troubles.filter((trouble) => !/422/.test(trouble)),
      [],
    );
    await visit.close();
  });
}

test('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
