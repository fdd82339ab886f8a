// A buyer pays invoices of a personal store: on a chain with and without JavaScript, at a payment system, and from a wallet.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { inFullRun } from '../../tools/runner/full-run.ts';
import { freshEmail } from '../customers/customer.ts';
import { openShop } from '../customers/business.ts';
import { signUp } from '../customers/signed.ts';
import { PREFIX, type Locale, type Visit, brings, openVisit } from '../harness/browser.ts';
import { codeFor } from '../harness/mailbox.ts';
import { sharedStage } from '../harness/stage.ts';
import { type System, isReady, until } from '../harness/system.ts';

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
  const { directions } = system.client();
  await until('the directions to open', 60_000, async () => (await directions({})).directions.every(isReady));
});

const PAID_MS = { timeout: 60_000 };

/** Makes an invoice of the store of a new business, which is paid in a currency. Returns the invoice's id. */
async function makeInvoice(settlement: string, amount: string): Promise<string> {
  const { client, store } = await openShop(system, settlement);
  const given = { store, amount, order_id: 'A-17', description: 'Two lessons', return_url: 'https://tea.example.com/thanks' };
  return (await client.invoiceMake(given, { idempotencyKey: randomUUID() })).id;
}

const urlOf = (id: string, locale: Locale): string => `${system.url}/${PREFIX[locale]}/pay/${id}`;

/** Chooses bitcoin and pays from the sandbox's wallet. */
async function paysBitcoin({ page, say }: Visit): Promise<void> {
  await page.getByRole('heading', { level: 1, name: say('checkout_choose') }).waitFor();
  await page.getByRole('button', { name: /Bitcoin/ }).click();
  await page.getByRole('heading', { level: 1, name: say('headline_waiting') }).waitFor();
  await page.getByRole('button', { name: say('sandbox_pay') }).click();
}

for (const locale of ['en', 'ru'] as const) {
  test(`an invoice is paid with bitcoin and followed to its receipt without a reload (${locale})`, async () => {
    const id = await makeInvoice('USDT_ERC20', '12.50');
    const visit = await openVisit(browser, locale);
    const { page, say } = visit;
    await page.goto(urlOf(id, locale));
    const { length } = visit.documents;
    await page.getByRole('link', { name: say('checkout_email_open') }).click();
    await page.getByLabel(say('checkout_email')).fill(freshEmail());
    await page.getByRole('button', { name: say('checkout_email_send') }).click();
    await page.getByText(say('checkout_email_known')).waitFor();
    await paysBitcoin(visit);
    await brings(visit, page.getByRole('heading', { level: 1, name: say('checkout_settled') }).waitFor(PAID_MS));
    const receipt = page.getByRole('region', { name: say('receipt_title') });
    assert.match(await receipt.innerText(), locale === 'en' ? /12\.50/ : /12,50/);
    const back = page.getByRole('link', { name: say('checkout_return') });
    assert.equal(await back.getAttribute('href'), 'https://tea.example.com/thanks');
    assert.equal(visit.documents.length, length, 'no document was loaded again');
    assert.deepEqual(visit.troubles, []);
    await visit.close();
  });

  test(`an invoice is paid without JavaScript (${locale})`, async () => {
    const id = await makeInvoice('USDT_ERC20', '12.50');
    const visit = await openVisit(browser, locale, { hasJavaScript: false });
    const { page, say } = visit;
    await page.goto(urlOf(id, locale));
    await page.getByRole('link', { name: say('checkout_email_open') }).click();
    await page.getByLabel(say('checkout_email')).fill(freshEmail());
    await page.getByRole('button', { name: say('checkout_email_send') }).click();
    await page.getByText(say('checkout_email_known')).waitFor();
    await paysBitcoin(visit);
    await page.getByRole('heading', { level: 1, name: say('checkout_settled') }).waitFor(PAID_MS);
    await page.getByRole('region', { name: say('receipt_title') }).waitFor();
    assert.deepEqual(visit.troubles, []);
    await visit.close();
  });
}

async function isPaidByPayeer(locale: Locale): Promise<void> {
  const id = await makeInvoice('PAYEER_USD', '12.50');
  const visit = await openVisit(browser, locale);
  const { page, say } = visit;
  await page.goto(urlOf(id, locale));
  await page.getByRole('button', { name: /Payeer/ }).click();
  await page.getByRole('button', { name: say('checkout_leave', { name: 'Payeer' }) }).click(PAID_MS);
  for (const name of [/^Log in$/, /^(Confirm|Pay|Pay now)$/]) await page.getByRole('button', { name }).click();
  await page.waitForURL((url) => url.pathname === `/${PREFIX[locale]}/payment/success`);
  await brings(visit, page.getByRole('heading', { level: 1, name: say('checkout_settled') }).waitFor(PAID_MS));
  await page.locator(`main a[href="/${PREFIX[locale]}/pay/${id}"]`).click();
  await page.getByRole('region', { name: say('receipt_title') }).waitFor();
  assert.deepEqual(visit.troubles, []);
  await visit.close();
}

const AT_PAYEER = 'an invoice is paid at a payment system, whose return shows its state and leads back to it';
test(`${AT_PAYEER} (ru)`, () => isPaidByPayeer('ru'));
inFullRun(`${AT_PAYEER} (en)`, () => isPaidByPayeer('en'));

async function isPaidFromWallet(locale: Locale): Promise<void> {
  const buyer = await signUp(system);
  const id = await makeInvoice('USDT_ERC20', '12.50');
  const { deposit } = await buyer.client.walletStore({ currency: 'USDT', rail: 'evm' });
  await buyer.client.sandboxPay({ currency: 'USDT_ERC20', to: deposit?.address ?? '', amount: '50' });
  await until('the deposit', 60_000, async () => (await buyer.client.walletDeposits({}))[0]?.status === 'final');
  const visit = await openVisit(browser, locale);
  const { page, say } = visit;
  await page.addInitScript((stored) => localStorage.setItem('accessToken', stored), buyer.token);
  await page.goto(urlOf(id, locale));
  await page.getByText(say('checkout_wallets')).click();
  await page.getByRole('button', { name: say('checkout_wallet_pay') }).click();
  await page.getByRole('button', { name: say('confirm_send') }).click();
  await page.getByLabel(say('code_label')).fill(await codeFor(system, buyer.email));
  await page.getByRole('button', { name: say('checkout_wallet_pay') }).click();
  await brings(visit, page.getByRole('heading', { level: 1, name: say('checkout_settled') }).waitFor(PAID_MS));
  assert.deepEqual(visit.troubles, []);
  await visit.close();
}

for (const locale of ['en', 'ru'] as const)
  inFullRun(`an invoice is paid from a wallet with a mailed code (${locale})`, () => isPaidFromWallet(locale));

test('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
