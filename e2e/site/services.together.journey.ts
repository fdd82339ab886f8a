// Exchanges from a direction's own page to the payout: paid on a network, and on a provider's own pages, which redirect back.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { freshAccounts } from '../customers/accounts.ts';
import { type Locale, PREFIX, type Visit, openVisit } from '../harness/browser.ts';
import { freshEmail, look, reaches } from '../customers/customer.ts';
import { openDirections } from '../customers/order-any.ts';
import { payAtProvider, readReturn } from '../customers/pay-at.ts';
import { type System } from '../harness/system.ts';
import { inFullRun } from '../../tools/runner/full-run.ts';
import { sharedStage } from '../harness/stage.ts';
import { giveDetails, placeOrder, readReview } from '../harness/walk.ts';

let system: System;
let browser: Browser;

before(async () => {
  ({ system, browser } = await sharedStage());
  await openDirections(system.client());
});
/** Opens a direction's page and enters an amount in its calculator. */
async function openService({ page, say, locale }: Visit, slug: string, amount: string): Promise<void> {
  await page.goto(`${system.url}/${PREFIX[locale]}/services/${slug}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('heading', { name: say('service_steps') }).waitFor();
  // The currencies become buttons once the script runs.
  await page.getByRole('button', { name: say('picker_give') }).waitFor();
  const field = page.getByRole('textbox', { name: say('you_send') });
  await field.fill(locale === 'ru' ? amount.replace('.', ',') : amount);
  await field.blur();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: say('calculator_continue') }).click();
}

/** Does steps 2 and 3 with the details that this direction requires. Returns the id and the token of the order. */
async function orderIt(visit: Visit, pair: { from: string; to: string }): Promise<{ id: string; token: string }> {
  const { receiver, refund } = await freshAccounts(system.client(), pair);
  await visit.page.getByRole('heading', { name: visit.say('details_title') }).waitFor();
  await giveDetails(visit, { receive: receiver, refund: Object.values(refund)[0] ?? '', email: freshEmail() });
  await readReview(visit);
  return placeOrder(visit);
}

async function byNetwork(locale: Locale): Promise<void> {
  const visit = await openVisit(browser, locale);
  await openService(visit, 'exchange-usdt-trx', '200');
  const key = await orderIt(visit, { from: 'USDT_TRC20', to: 'TRX' });
  await visit.page.getByRole('button', { name: visit.say('sandbox_pay') }).click();
  await visit.page.getByRole('heading', { name: visit.say('headline_done') }).waitFor({ timeout: 120_000 });
  assert.equal((await look(system.client(), key)).give.amount, '200.00');
  assert.deepEqual(visit.troubles, []);
  await visit.close();
}

async function atProvider(locale: Locale): Promise<void> {
  const visit = await openVisit(browser, locale);
  const { page, say } = visit;
  await openService(visit, 'payeer-to-paypal-exchange', '20');
  const key = await orderIt(visit, { from: 'PAYEER_USD', to: 'PAYPAL_USD' });
  const leave = page.getByRole('button', { name: say('pay_leave', { name: 'Payeer' }) });
  await leave.waitFor({ timeout: 60_000 });
  await payAtProvider(visit);
  await page.getByText(key.id).waitFor();
  assert.equal(new URL(page.url()).searchParams.get('token'), null);
  await reaches(system.client(), key, 'done', 180_000);
  await readReturn(visit, 30_000);
  await page.getByRole('heading', { name: say('headline_done') }).waitFor();
  assert.deepEqual(visit.troubles, []);
  await visit.close();
}

describe('from a direction’s page to the money', { concurrency: 2 }, () => {
  inFullRun('on a network, in English', () => byNetwork('en'));
  test('at a provider’s own pages, in Russian', () => atProvider('ru'));
});

test('the list of rates links to a direction, also without scripts', async () => {
  const visit = await openVisit(browser, 'en', { hasJavaScript: false });
  const { page, say } = visit;
  await page.goto(`${system.url}/En/rates`);
  await page.getByRole('searchbox').fill('payeer paypal');
  await page.getByRole('button', { name: say('rates_show') }).click();
  assert.match(page.url(), /q=payeer\+paypal/);
  await page.locator('a[href="/En/services/payeer-to-paypal-exchange"]').first().click();
  await page.getByRole('heading', { level: 1, name: /Payeer USD to PayPal USD/ }).waitFor();
  await visit.close();
});

inFullRun('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
