// An invoice in USD is paid on each network, and in several payments of different methods, in both languages.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Signed, signUp } from '../customers/signed.ts';
import { PREFIX, type Locale, type Visit, brings, openVisit } from '../harness/browser.ts';
import { sharedStage } from '../harness/stage.ts';
import { type System, isReady, until } from '../harness/system.ts';

let system: System;
let browser: Browser;

interface Shop {
  readonly seller: Signed;
  readonly store: string;
}

let shop: Shop;
/** Settled in a currency that the exchange gives for Payeer as well as for USDT. */
let wide: Shop;
before(async () => {
  ({ system, browser } = await sharedStage());
  const { directions } = system.client();
  await until('the directions to open', 60_000, async () => (await directions({})).directions.every(isReady));
  [shop, wide] = [await openShop('USDT_TRC20'), await openShop('PAYPAL_USD')];
});

const PAID_MS = { timeout: 90_000 };
const key = () => ({ idempotencyKey: randomUUID() });

async function openShop(settled: 'USDT_TRC20' | 'PAYPAL_USD'): Promise<Shop> {
  const seller = await signUp(system);
  const given = { kind: 'personal', name: 'Ann’s lessons', invoice_currency: 'USD', settlement_currency: settled } as const;
  return { seller, store: (await seller.client.storeMake(given, key())).id };
}

const makeInvoice = async ({ seller, store }: Shop, amount: string) =>
  (await seller.client.invoiceMake({ store, amount }, key())).id;

async function open(id: string, locale: Locale): Promise<Visit> {
  const visit = await openVisit(browser, locale);
  await visit.page.goto(`${system.url}/${PREFIX[locale]}/pay/${id}`);
  return visit;
}

async function settles(visit: Visit, { seller, store }: Shop, id: string): Promise<void> {
  const { page, say } = visit;
  await brings(visit, page.getByRole('heading', { level: 1, name: say('checkout_settled') }).waitFor(PAID_MS));
  const { state, received, credited } = await seller.client.storeInvoice({ store, id });
  assert.equal(state, 'settled');
  assert.ok(received.length > 0 && Number.parseFloat(credited) > 0);
  assert.deepEqual(visit.troubles, []);
  await visit.close();
}

const NETWORKS = ['ERC-20', 'BEP-20', 'TRC-20'] as const;
for (const [locale, network] of (['en', 'ru'] as const).flatMap((one) => NETWORKS.map((network) => [one, network] as const)))
  test(`an invoice in USD is paid with USDT on ${network} (${locale})`, async () => {
    const id = await makeInvoice(shop, '60.00');
    const visit = await open(id, locale);
    const { page, say } = visit;
    await page.getByRole('button', { name: new RegExp(`Tether.*${network}`, 's') }).click();
    await page.getByRole('button', { name: say('sandbox_pay') }).click();
    await settles(visit, shop, id);
  });

for (const locale of ['en', 'ru'] as const)
  test(`an invoice in USD is paid half by Payeer and half by USDT (${locale})`, async () => {
    const id = await makeInvoice(wide, '120.00');
    const { client } = wide.seller;
    const { option } = await client.paymentMethod({ id, method: 'USDT_TRC20', amount: '60.00' });
    assert.equal(option?.pays, '60.00');
    await client.sandboxPay({ currency: 'USDT_TRC20', to: option?.address ?? '', amount: option?.amount ?? '' });
    await until('the first half', 90_000, async () => (await client.paymentInvoice({ id })).credited === '60.00');
    const visit = await open(id, locale);
    const { page, say } = visit;
    await page.getByRole('button', { name: /Payeer/ }).click();
    await page.getByRole('button', { name: say('checkout_leave', { name: 'Payeer' }) }).click(PAID_MS);
    for (const name of [/^Log in$/, /^(Confirm|Pay|Pay now)$/]) await page.getByRole('button', { name }).click();
    await page.waitForURL((url) => url.pathname === `/${PREFIX[locale]}/payment/success`);
    await settles(visit, wide, id);
  });

test('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
