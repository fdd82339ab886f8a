// Exchanges without JavaScript: with posted forms and an order's page that reloads.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Locale, openVisit } from '../harness/browser.ts';
import { type Chains, openChains, partsOf } from '../customers/chains.ts';
import { BUY_BTC, SELL_BTC, type Wish, freshAddress, freshEmail, look } from '../customers/customer.ts';
import { type System } from '../harness/system.ts';
import { inFullRun } from '../../tools/runner/full-run.ts';
import { sharedStage } from '../harness/stage.ts';
import { calculateByForm, placeOrder, walkToReview } from '../harness/walk.ts';

let system: System;
let chains: Chains;
let browser: Browser;

before(async () => {
  ({ system, browser } = await sharedStage());
  chains = await openChains(system);
});
async function exchange(locale: Locale, wish: Wish): Promise<void> {
  const client = system.client(locale);
  const visit = await openVisit(browser, locale, { hasJavaScript: false });
  const { page, say } = visit;
  const [receive, refund] = await Promise.all([freshAddress(client, wish.to), freshAddress(client, wish.from)]);

  const details = { receive, refund, email: freshEmail() };
  const { calculated, reviewed } = await walkToReview(visit, details, () => calculateByForm(visit, system.url, wish));
  assert.equal(partsOf(wish.from, calculated.give), partsOf(wish.from, wish.amount));
  assert.deepEqual(reviewed, calculated);

  const key = await placeOrder(visit);
  const { get } = await look(client, key);
  assert.equal(partsOf(wish.to, get?.amount ?? ''), partsOf(wish.to, calculated.get));

  const pressed = visit.documents.length;
  await page.getByRole('button', { name: say('sandbox_pay') }).click();
  // The order may be in any of these states when the page arrives.
  const steps = ['headline_seen', 'headline_confirming', 'headline_paying', 'headline_done'] as const;
  const headings = steps.map((step) => page.getByRole('heading', { name: say(step) }));
  await headings
    .reduce((any, one) => any.or(one), page.getByText(say('sandbox_paid')))
    .first()
    .waitFor();
  await page.getByRole('heading', { name: say('headline_done') }).waitFor({ timeout: 60_000 });
  assert.ok(visit.documents.length > pressed + 1, 'the page loaded itself anew');
  assert.ok(visit.documents.slice(pressed).every((url) => url.includes(key.id)));
  assert.equal(await chains.holds(wish.to, receive), partsOf(wish.to, get?.amount ?? ''));
  await page.goto(page.url());
  await page.getByRole('region', { name: say('receipt_title') }).waitFor();
  assert.deepEqual(visit.troubles, []);
  await visit.close();
}

describe('an exchange without JavaScript', { concurrency: 2 }, () => {
  test('BTC becomes USDT_ERC20 at /En', () => exchange('en', SELL_BTC));
  inFullRun('USDT_ERC20 becomes BTC at /Ru', () => exchange('ru', BUY_BTC));
});

test('questions are searched, and theme and language change on the same page', async () => {
  const visit = await openVisit(browser, 'ru', { hasJavaScript: false });
  const { page } = visit;
  const theme = (): Promise<string | null> => page.locator('html').getAttribute('data-theme');
  await page.goto(`${system.url}/Ru/faq`);
  await page.getByRole('searchbox').fill('курс');
  await page.getByRole('searchbox').press('Enter');
  await page.waitForURL((url) => url.searchParams.get('q') === 'курс');
  assert.ok((await page.locator('main details').count()) > 0, 'questions were found');
  assert.equal(await theme(), 'light');
  await page.locator('header form[action="/theme"] button').first().click();
  await page.waitForURL((url) => url.searchParams.get('q') === 'курс');
  assert.equal(await theme(), 'dark');
  await page.getByRole('link', { name: 'En: English' }).click();
  await page.waitForURL((url) => url.pathname === '/En/faq' && url.searchParams.get('q') === 'курс');
  assert.deepEqual([await page.locator('html').getAttribute('lang'), await theme()], ['en', 'dark']);
  // The language is stored for the next visit, and the header's menus open.
  await page.goto(system.url);
  assert.equal(new URL(page.url()).pathname, '/En');
  await page.locator('header nav summary').first().click();
  await page.locator('header details[open] a[href^="/En/services/"]').first().click();
  await page.waitForURL((url) => url.pathname.startsWith('/En/services/'));
  assert.deepEqual(visit.troubles, []);
  await visit.close();
});

inFullRun('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
