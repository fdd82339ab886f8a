// A business is paid by PayPal in its reserve: its payments are charged back and won, or refunded to themselves and charged back. A
// buyer who turns back at PayPal has not paid.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { parse } from '@kurs/money';
import type { Browser } from 'playwright-core';
import { type Shop, openShop, untilState } from '../customers/business.ts';
import { visitBusiness } from '../customers/business-pages.ts';
import { PREFIX, type Locale, type Visit, brings, openVisit, readAmount, startBrowser } from '../harness/browser.ts';
import { actAs, deskOf } from '../harness/desk.ts';
import { press } from '../harness/press.ts';
import { type System, startSystem, until } from '../harness/system.ts';

let system: System;
let browser: Browser;
let shop: Shop;
before(async () => {
  system = await startSystem();
  browser = await startBrowser();
  shop = await openShop(system, 'USDT_TRC20');
});
after(async () => {
  await browser?.close();
  await system?.stop();
});

const PAID_MS = { timeout: 90_000 };
const AMOUNT = '40.00';

const key = () => ({ idempotencyKey: randomUUID() });
const makeInvoice = () => shop.client.invoiceMake({ store: shop.store, amount: AMOUNT }, key());
const invoiceOf = (id: string) => shop.client.storeInvoice({ store: shop.store, id });

/** Returns the reserve and the balance of the store. */
async function moneyOf(): Promise<{ readonly reserve: bigint; readonly balance: bigint; readonly days: number }> {
  const { balances, releases } = await shop.client.storeBalance({ store: shop.store });
  const { reserve = '0', balance = '0' } = balances[0] ?? {};
  return { reserve: partsOf(reserve), balance: partsOf(balance), days: releases.length };
}

const partsOf = (amount: string): bigint => parse('USDT', amount).parts;

async function proves(): Promise<void> {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
}

/** Opens a page of the store in a window of its owner. */
const visitStore = (locale: Locale, path: string): Promise<Visit> => visitBusiness(system, browser, shop, locale, path);

/** Leaves for PayPal from the page of an invoice. Returns the payer's account there. */
async function leaves({ page, say }: Visit): Promise<string> {
  await page.getByRole('button', { name: /PayPal/ }).click();
  await page.getByRole('link', { name: say('checkout_leave', { name: 'PayPal' }) }).click(PAID_MS);
  await page.getByRole('button', { name: 'Log in' }).waitFor(PAID_MS);
  return page.locator('[name=email]').inputValue();
}

/** Returns what an account has at PayPal. */
const heldBy = async (account: string): Promise<string> =>
  (await system.client().sandboxBalance({ currency: 'PAYPAL_USD', account })).amount;

/** Payer of an invoice: the account at PayPal, and what it had before. */
interface Payer {
  readonly account: string;
  readonly had: string;
}

/** Pays an invoice by PayPal, as its page leads there and back. */
async function pays(visit: Visit, id: string): Promise<Payer> {
  const { page, say, locale } = visit;
  await page.goto(`${system.url}/${PREFIX[locale]}/pay/${id}`);
  const account = await leaves(visit);
  const had = await heldBy(account);
  for (const name of ['Log in', 'Pay now']) await page.getByRole('button', { name }).click();
  await page.waitForURL((url) => url.pathname === `/${PREFIX[locale]}/payment/success`);
  await brings(visit, page.getByRole('heading', { level: 1, name: say('checkout_settled') }).waitFor(PAID_MS));
  await page.locator(`main a[href="/${PREFIX[locale]}/pay/${id}"]`).click();
  await page.getByRole('region', { name: say('receipt_title') }).waitFor();
  return { account, had };
}

/** Sells for a new invoice, and returns its id and its payer. */
async function sells(locale: Locale): Promise<Payer & { readonly id: string }> {
  const { id } = await makeInvoice();
  const visit = await openVisit(browser, locale);
  const payer = await pays(visit, id);
  assert.deepEqual(visit.troubles, []);
  await visit.close();
  await untilState(shop, id, 'settled');
  return { id, ...payer };
}

const captureOf = async (id: string): Promise<string> => (await invoiceOf(id)).payments.at(-1)?.txid ?? '';

test('PayPal is closed for a business until two people switch it on', async () => {
  const visit = await visitStore('en', `/store?id=${shop.store}`);
  const { page, say } = visit;
  await page.getByText(say('store_methods_some')).click();
  const box = page.getByRole('checkbox', { name: /^PayPal USD/ });
  await box.waitFor();
  assert.ok(await box.isDisabled());
  await page.getByRole('link', { name: say('store_methods_ask') }).waitFor();
  const { data } = await (await deskOf(system, 'clara')).operatorBusinesses({ q: 'Tea and Books' });
  const business = data[0]?.id ?? '';
  assert.equal(await actAs(system, 'clara', 'business', business, 'paypal', 'on'), 'awaiting_second');
  assert.equal(await actAs(system, 'karl', 'business', business, 'paypal', 'on'), 'done');
  await page.reload();
  await page.getByText(say('store_methods_some')).click();
  await brings(visit, page.getByRole('checkbox', { name: /^PayPal USD/ }).waitFor());
  assert.ok(await box.isEnabled());
  await page.goto(`${system.url}/En/dashboard/business/store/settlements?id=${shop.store}`);
  await brings(visit, page.getByText(say('reserve_none')).waitFor());
  assert.deepEqual(visit.troubles, []);
  await visit.close();
});

for (const locale of ['en', 'ru'] as const) {
  test(`a buyer who turns back at PayPal has not paid, and pays later (${locale})`, async () => {
    const { id } = await makeInvoice();
    const visit = await openVisit(browser, locale);
    const { page, say } = visit;
    await page.goto(`${system.url}/${PREFIX[locale]}/pay/${id}`);
    await leaves(visit);
    await page.getByRole('button', { name: 'Cancel and return' }).click();
    await page.waitForURL((url) => url.pathname === `/${PREFIX[locale]}/payment/fail`);
    const unpaid = locale === 'en' ? 'Not paid' : 'Не оплачено';
    await brings(visit, page.getByRole('heading', { level: 1, name: unpaid, exact: true }).waitFor());
    const { state, payments } = await invoiceOf(id);
    assert.deepEqual([state, payments], ['open', []]);
    await page.locator(`main a[href="/${PREFIX[locale]}/pay/${id}"]`).click();
    await brings(visit, page.getByRole('link', { name: say('checkout_leave', { name: 'PayPal' }) }).waitFor());
    await page.goto(`${system.url}/${PREFIX[locale]}/payment/success?id=${(await invoiceOf(id)).number}`);
    const waits = locale === 'en' ? 'Not paid yet' : 'Пока не оплачено';
    await brings(visit, page.getByRole('heading', { level: 1, name: waits }).waitFor());
    assert.equal((await invoiceOf(id)).state, 'open', 'an opened page pays nothing');
    assert.deepEqual(visit.troubles, []);
    await visit.close();
    await shop.client.invoiceCancel({ store: shop.store, id });
  });

  test(`a capture is settled into the reserve, charged back and won (${locale})`, async () => {
    const had = await moneyOf();
    const { id } = await sells(locale);
    const { received, number } = await invoiceOf(id);
    const { amount: net = '0' } = received[0] ?? {};
    const now = await moneyOf();
    assert.deepEqual([now.reserve, now.balance], [had.reserve + partsOf(net), had.balance]);
    await proves();

    const members = await visitStore(locale, `/store/settlements?id=${shop.store}`);
    const { page, say } = members;
    const days = page.getByRole('region', { name: say('reserve_title') }).getByRole('listitem');
    await brings(members, days.first().waitFor());
    const sums = (await days.allInnerTexts()).map((text) => partsOf(readAmount(text.split('\n').at(-1) ?? '', locale)));
    const shown = sums.reduce((sum, one) => sum + one, 0n);
    assert.equal(shown, now.reserve, 'all of the reserve is listed');
    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/business`);
    await brings(members, page.getByText(say('business_money_reserve')).waitFor());
    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/business/store/invoice?store=${shop.store}&id=${id}`);
    await brings(members, page.getByText(say('invoices_pay_reserve')).waitFor());

    await press(system, 'paypal', 'capture/reverse', await captureOf(id));
    await brings(members, page.getByText(say('invoices_says_invalid_text')).waitFor(PAID_MS));
    await page.getByText(say('invoices_note_reversed')).waitFor();
    assert.equal(await page.getByText(say('invoices_pay_reserve')).count(), 0);
    assert.deepEqual(await moneyOf(), had, 'it is taken from the reserve alone');
    await proves();
    const letter = (subject: string) =>
      until('the letter', 30_000, async () =>
        (await system.client().sandboxMail({ to: shop.email })).find((one) => one.subject === subject),
      );
    const gone = await letter(`A payment to the invoice ${number} was taken back`);
    assert.ok(gone.text.includes(`${net}\u00a0USDT`), gone.text);

    await press(system, 'paypal', 'capture/win', await captureOf(id));
    await brings(members, page.getByText(say('invoices_says_settled')).waitFor(PAID_MS));
    await page.getByText(say('invoices_pay_reserve')).waitFor();
    assert.deepEqual(await moneyOf(), now);
    await letter(`The payment to the invoice ${number} is yours again`);
    await proves();
    assert.deepEqual(members.troubles, []);
    await members.close();
  });

  test(`a capture is refunded to itself and then charged back, and its money leaves once (${locale})`, async () => {
    const other = await sells(locale);
    const { id, account, had } = await sells(locale);
    const members = await visitStore(locale, `/store/invoice?store=${shop.store}&id=${id}`);
    const { page, say } = members;
    await page.getByRole('link', { name: say('refunds_make') }).click();
    await brings(members, page.getByText(say('refunds_to_payment_text')).waitFor());
    await page.getByLabel(say('refunds_other')).check();
    await page.locator('[name=amount]').fill('15');
    await page.getByRole('button', { name: say('refunds_make') }).click();
    await brings(members, page.getByRole('heading', { level: 1, name: /KR-/ }).waitFor());
    await page.getByText(say('refunds_no_link')).waitFor();
    await page.getByText(say('claims_to_payment')).waitFor();
    await until('the refund to arrive', 90_000, async () => {
      const { data } = await shop.client.refunds({ store: shop.store, q: (await invoiceOf(id)).number });
      return data[0]?.state === 'paid';
    });
    await proves();
    await press(system, 'paypal', 'capture/reverse', await captureOf(id));
    await untilState(shop, id, 'invalid');
    assert.equal(await heldBy(account), had, 'the payer has what they paid, and no more');
    // The spread of the refunded part stays with the desk, so a little more is taken than the payment brought: the rest of the
    // store's reserve gives it.
    await until(
      'the rest of the reserve to give it',
      120_000,
      async () => (await shop.client.storeBalance({ store: shop.store })).stop === undefined,
    );
    assert.equal((await invoiceOf(id)).payments[0]?.in_reserve, undefined);
    assert.ok((await invoiceOf(other.id)).payments[0]?.in_reserve, 'most of the other payment is still there');
    await proves();
    assert.deepEqual(members.troubles, []);
    await members.close();
  });
}

test('a payment that its payer disputes can’t be refunded, and stays in the reserve', async () => {
  const { id } = await sells('en');
  await press(system, 'paypal', 'capture/dispute', await captureOf(id));
  const refund = () => shop.client.refundMake({ store: shop.store, invoice: id, amount: '10' }, key());
  await assert.rejects(refund, { code: 'payment_disputed' });
  await press(system, 'paypal', 'capture/withdraw', await captureOf(id));
  assert.ok((await refund()).claims.every((claim) => claim.to_payment));
  await proves();
});
