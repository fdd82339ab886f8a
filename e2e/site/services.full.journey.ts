// Completes an order of each of the nine known services from its own page in both languages, through the counterparts' pages if a
// customer pays there.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { freshAccounts } from '../customers/accounts.ts';
import { type Locale, PREFIX, type Visit, openVisit, readAmount } from '../harness/browser.ts';
import { freshEmail, look, reaches } from '../customers/customer.ts';
import { faultOf, openDirections } from '../customers/order-any.ts';
import { ownCodeIn } from '../looks/page-faults.ts';
import { payAtProvider, payByVoucher, readReturn } from '../customers/pay-at.ts';
import { sharedStage } from '../harness/stage.ts';
import type { System } from '../harness/system.ts';
import { giveDetails, goOn, placeOrder, readReview } from '../harness/walk.ts';

let system: System;
let browser: Browser;

before(async () => {
  ({ system, browser } = await sharedStage());
});

type PayBy = 'address' | 'page' | 'voucher';
const SERVICES: readonly (readonly [slug: string, from: string, to: string, pays: PayBy])[] = [
  ['advcash-to-paypal-exchange', 'VOLET_USD', 'PAYPAL_USD', 'page'],
  ['bitcoin-to-paypal-exchange', 'BTC', 'PAYPAL_USD', 'address'],
  ['exchange-usdt-trx', 'USDT_TRC20', 'TRX', 'address'],
  ['moneygo-usdt-exchange', 'MONEYGO_USD', 'USDT_TRC20', 'page'],
  ['payeer-to-paypal-exchange', 'PAYEER_USD', 'PAYPAL_USD', 'page'],
  ['perfectmoney-to-paypal-exchange', 'PMV_USD', 'PAYPAL_USD', 'voucher'],
  ['tether-to-paypal-exchange', 'USDT_TRC20', 'PAYPAL_USD', 'address'],
  ['usdt-moneygo-exchange', 'USDT_TRC20', 'MONEYGO_USD', 'address'],
  ['webmoney-to-paypal-exchange', 'WMZ', 'PAYPAL_USD', 'page'],
];
/** Longest time of an order in ms, including the blocks of its chains. */
const DONE_MS = 120_000;

/** Asserts that the page's text contains no internal currency code. */
async function namesMoney({ page }: Visit): Promise<void> {
  assert.equal(ownCodeIn(await page.locator('body').innerText()), undefined, page.url());
}

async function serve(locale: Locale, [slug, from, to, pays]: (typeof SERVICES)[number]): Promise<void> {
  const client = system.client(locale);
  const visit = await openVisit(browser, locale);
  const { page, say } = visit;
  const accounts = await freshAccounts(client, { from, to });
  await page.goto(`${system.url}/${PREFIX[locale]}/services/${slug}`);
  const amount = readAmount(await page.getByRole('textbox', { name: say('you_send') }).inputValue(), locale);
  await namesMoney(visit);
  await goOn(visit);
  await namesMoney(visit);
  const refund = Object.values(accounts.refund)[0] ?? '';
  await giveDetails(visit, { receive: accounts.receiver, refund, email: freshEmail() });
  await readReview(visit);
  await namesMoney(visit);
  const key = await placeOrder(visit);
  const placed = await look(client, key);
  assert.deepEqual([placed.give.currency, placed.get?.currency], [from, to], 'the page is preset to its direction');
  await namesMoney(visit);
  await pay(visit, pays, { from, amount });
  await reaches(client, key, 'done', DONE_MS);
  if (pays === 'page') await readReturn(visit, DONE_MS);
  await page.getByRole('heading', { name: say('headline_done') }).waitFor({ timeout: DONE_MS });
  await namesMoney(visit);
  const [direction] = (await client.directions({ from, to })).directions;
  assert.ok(direction);
  assert.equal(await faultOf(client, { ...key, direction, accounts }), undefined);
  assert.deepEqual(visit.troubles, []);
  await visit.close();
}

async function pay(visit: Visit, pays: PayBy, { from, amount }: { from: string; amount: string }): Promise<void> {
  const { page, say } = visit;
  if (pays === 'page') return payAtProvider(visit);
  if (pays === 'voucher') return payByVoucher(visit, system.url, { currency: from, amount });
  await page.getByRole('button', { name: say('sandbox_pay') }).click();
}

describe('a service, from its page to the end', { concurrency: 2 }, () => {
  before(async () => {
    await openDirections(system.client());
  });
  for (const locale of ['en', 'ru'] as const) {
    for (const service of SERVICES) test(`/${PREFIX[locale]}/services/${service[0]}`, () => serve(locale, service));
  }
});

test('every letter about these orders names money in people’s words', async () => {
  const letters = await system.client().sandboxMail({});
  assert.ok(letters.length >= 3 * 2 * SERVICES.length, String(letters.length));
  const found = letters.map(({ subject, text, html }) => ownCodeIn(`${subject} ${text} ${html}`));
  assert.deepEqual(
    found.filter((code) => code !== undefined),
    [],
  );
});

test('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
