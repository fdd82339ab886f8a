// One round of a business: it applies and is approved, the sandbox's shop sells for it, and its buyer pays half by Payeer and half by
// USDT with too much. The payer gets the rest back, the owner moves money to the wallet, and a part of the invoice is refunded.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import {
  applies,
  makesKey,
  makesStore,
  makesWebhook,
  openShop,
  readShopLog,
  visitBusiness,
} from '../customers/business-pages.ts';
import { approveBusiness } from '../customers/business.ts';
import { type Key, codeFrom, freshAddress, freshEmail, reaches } from '../customers/customer.ts';
import { type Signed, signUp } from '../customers/signed.ts';
import { PREFIX, type Locale, type Visit, brings, openVisit, startBrowser } from '../harness/browser.ts';
import { actAs } from '../harness/desk.ts';
import { codeFor } from '../harness/mailbox.ts';
import { type System, isReady, startSystem, until } from '../harness/system.ts';
import { inspectInViews } from '../looks/pages.ts';

let system: System;
let browser: Browser;
before(async () => {
  [system, browser] = [await startSystem(), await startBrowser()];
  const { directions } = system.client();
  await until('the directions to open', 60_000, async () => (await directions({})).directions.every(isReady));
  // Payeer is paid out of the desk's USDT, which the seed doesn't offer.
  await actAs(system, 'olga', 'direction', 'PAYEER_USD', 'USDT_ERC20', 'on');
  await until('the direction to open', 60_000, async () =>
    (await directions({})).directions.some(({ from, to, open }) => from === 'PAYEER_USD' && to === 'USDT_ERC20' && open),
  );
});
after(async () => {
  await browser.close();
  await system.stop();
});

const PAID_MS = { timeout: 90_000 };
/** Half of the price of the book that the shop sells. */
const HALF = '50.00';
/** Payment of USDT that is too much for the other half. */
const TOO_MUCH = '80';

interface Sold {
  readonly store: string;
  readonly id: string;
}

for (const locale of ['en', 'ru'] as const)
  test(`a business sells, is settled, moves the money and refunds a part (${locale})`, async () => {
    const owner = await signUp(system, { level: 2 });
    const member = await visitBusiness(system, browser, owner, locale);
    const store = await opensStore(member, owner);
    const shop = await openVisit(browser, locale);
    await connectsShop(member, shop, store);
    const { length: before } = await readShopLog(system, shop.page);

    const buyer = await openVisit(browser, locale);
    const id = await buysBook(buyer, locale);
    await paysHalfByPayeer(buyer, id, locale);
    await paysTooMuch(buyer, id);
    await verifiesLog(shop, before);
    await getsRestBack(buyer);

    const sold = { store, id };
    await movesToWallet(member, owner, store, locale);
    const link = await refundsPart(member, sold, locale);
    await claims(buyer, owner, store, link);
    await readsPages(member, sold, locale);
    for (const visit of [member, shop, buyer]) {
      const expected = [/422 POST .*(?:apply|webhooks|pay)/, /status of 422/];
      assert.deepEqual(
        visit.troubles.filter((trouble) => !expected.some((one) => one.test(trouble))),
        [],
      );
      await visit.close();
    }
  });

/** Applies for a business, which the desk approves, and makes a store. Returns the store's id. */
async function opensStore(visit: Visit, { client, email }: Signed): Promise<string> {
  const { page, say } = visit;
  await inspectInViews(visit, 'business-new');
  const name = `Tea and Books ${email.slice(8, 16)}`;
  await applies(visit, name);
  await inspectInViews(visit, 'business-applied');
  await approveBusiness(system, name);
  await page.reload();
  await brings(visit, page.getByText(say('business_state_approved')).waitFor());
  await inspectInViews(visit, 'business-approved');
  await makesStore(visit);
  const [store] = (await client.stores({})).stores;
  assert.deepEqual([store?.invoice_currency, store?.settlement_currency], ['USD', 'USDT_ERC20']);
  return store?.id ?? '';
}

/** Gives the shop a key and a webhook of the store. */
async function connectsShop(member: Visit, shop: Visit, store: string): Promise<void> {
  const { page, say } = member;
  const key = await makesKey(member, 'shop', 'store_may_create_invoices');
  await inspectInViews(member, 'keys');
  await page.getByRole('link', { name: say('store_webhooks') }).click();
  await openShop(system, shop.page, '/settings');
  const secret = await makesWebhook(member, (await shop.page.locator('code').innerText()).trim());
  await inspectInViews(member, 'webhooks');
  for (const [name, value] of Object.entries({ store, key, secret })) await shop.page.locator(`[name=${name}]`).fill(value);
  await shop.page.getByRole('button', { name: 'Save' }).click();
}

/** Buys a book in the shop, and opens the page of its invoice in the buyer's language. Returns the invoice's id. */
async function buysBook({ page }: Visit, locale: Locale): Promise<string> {
  await openShop(system, page);
  await page.getByRole('button', { name: 'Buy Book about tea' }).click();
  await page.waitForURL(/\/pay\//);
  await page.goto(page.url().replace('/En/', `/${PREFIX[locale]}/`));
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

/** Chooses USDT first, then pays half of the invoice by Payeer. */
async function paysHalfByPayeer(visit: Visit, id: string, locale: Locale): Promise<void> {
  const { page, say } = visit;
  await page.getByRole('heading', { level: 1, name: say('checkout_choose') }).waitFor();
  await inspectInViews(visit, 'pay-methods');
  await page.getByRole('button', { name: /Tether.*BEP-20/s }).click();
  await page.getByRole('heading', { level: 1, name: say('headline_waiting') }).waitFor();
  await inspectInViews(visit, 'pay-address');
  await page.getByRole('link', { name: say('checkout_other') }).click();
  await page.getByText(say('checkout_part_open')).click();
  await page.getByLabel(say('checkout_part')).fill('150');
  await page.getByRole('button', { name: /Payeer/ }).click();
  await brings(visit, page.locator('[name=amount][aria-invalid]').waitFor());
  await inspectInViews(visit, 'pay-part-refused');
  await page.getByLabel(say('checkout_part')).fill(HALF);
  await page.getByRole('button', { name: /Payeer/ }).click();
  const leave = page.getByRole('button', { name: say('checkout_leave', { name: 'Payeer' }) });
  await brings(visit, leave.waitFor(PAID_MS));
  const client = system.client();
  assert.equal((await client.paymentInvoice({ id })).option?.pays, HALF);
  await inspectInViews(visit, 'pay-payeer');
  await leave.click();
  for (const name of [/^Log in$/, /^(Confirm|Pay|Pay now)$/]) await page.getByRole('button', { name }).click();
  await page.waitForURL((url) => url.pathname === `/${PREFIX[locale]}/payment/success`);
  await until('the first half', 90_000, async () => (await client.paymentInvoice({ id })).credited === HALF);
  await brings(visit, page.getByRole('heading', { level: 1, name: say('checkout_choose_rest') }).waitFor(PAID_MS));
  await inspectInViews(visit, 'pay-returned');
  await page.locator(`main a[href="/${PREFIX[locale]}/pay/${id}"]`).click();
}

/** Sends more USDT than the other half of the invoice needs. */
async function paysTooMuch(visit: Visit, id: string): Promise<void> {
  const { page, say } = visit;
  const client = system.client();
  await brings(visit, page.getByRole('heading', { level: 1, name: say('checkout_choose_rest') }).waitFor(PAID_MS));
  await inspectInViews(visit, 'pay-rest');
  await page.getByRole('button', { name: /Tether.*BEP-20/s }).click();
  await page.getByRole('heading', { level: 1, name: say('headline_waiting') }).waitFor();
  const { option } = await client.paymentInvoice({ id });
  assert.equal(option?.pays, HALF);
  await client.sandboxPay({ currency: 'USDT_BEP20', to: option?.address ?? '', amount: TOO_MUCH });
  await brings(visit, page.getByRole('heading', { level: 1, name: say('checkout_settled') }).waitFor(PAID_MS));
}

/** Waits until the settled invoice is in the shop's log. Both signatures of each of its entries must be right. */
async function verifiesLog({ page }: Visit, before: number): Promise<void> {
  const rows = await until('the shop to be told', 60_000, async () => {
    const found = (await readShopLog(system, page)).slice(0, before === 0 ? undefined : -before);
    return found.some(([, type]) => type === 'invoice.settled') && found;
  });
  const types = new Set(rows.map(([, type]) => type));
  for (const type of ['invoice.created', 'invoice.payment_final', 'invoice.settled']) assert.ok(types.has(type), type);
  for (const row of rows) assert.deepEqual(row.slice(-2), ['right', 'right'], row.join());
  await openShop(system, page);
  await page.getByRole('cell', { name: 'settled' }).first().waitFor();
}

/** Opens what was paid too much from the page of the invoice, and has it refunded. */
async function getsRestBack(visit: Visit): Promise<void> {
  const { page, say } = visit;
  const client = system.client();
  const open = page.getByRole('link', { name: say('checkout_own_open') });
  await brings(visit, open.waitFor(PAID_MS));
  await inspectInViews(visit, 'pay-settled');
  await page.goto(new URL((await open.getAttribute('href')) ?? '', page.url()).href);
  const email = freshEmail();
  await page.getByRole('textbox', { name: say('order_email') }).fill(email);
  await inspectInViews(visit, 'over-email');
  await page.getByRole('button', { name: say('order_email_send') }).click();
  // The other form on the page asks for a currency to exchange the money for.
  const choice = page
    .locator('form', { has: page.getByRole('button', { name: say('choice_save_account') }) })
    .filter({ hasNot: page.getByRole('combobox') });
  await brings(visit, choice.waitFor());
  await inspectInViews(visit, 'over-choices');
  await choice.getByRole('textbox').fill(await freshAddress(client, 'USDT_BEP20'));
  const confirms = async (name: RegExp): Promise<void> => {
    const code = await codeFrom(client, email, () => page.getByRole('button', { name }).click());
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: say('code_label') }).fill(code);
    await dialog.getByRole('button', { name }).click();
  };
  await confirms(say('choice_save_account'));
  await brings(visit, page.getByRole('heading', { name: say('choice_refund') }).waitFor());
  await inspectInViews(visit, 'over-refund');
  await confirms(say('choice_refund_button'));
  const key = Object.fromEntries(new URL(page.url()).searchParams) as unknown as Key;
  await reaches(client, key, 'refunded', 120_000);
  await inspectInViews(visit, 'over-refunded');
}

/** Moves a part of the store's balance to the owner's wallet, once its payments are deep. */
async function movesToWallet(visit: Visit, { client, email }: Signed, store: string, locale: Locale): Promise<void> {
  const { page, say } = visit;
  const url = `${system.url}/${PREFIX[locale]}/dashboard/business/store/settlements?id=${store}`;
  await until('the payments to be deep', 120_000, async () => {
    const [usdt] = (await client.storeBalance({ store })).balances;
    return usdt?.currency === 'USDT' && usdt.movable === usdt.balance && Number(usdt.balance) > 90;
  });
  await page.goto(url);
  await page.getByRole('button', { name: say('settlements_move'), exact: true }).click();
  await page.getByLabel(say('settlements_amount')).fill('40');
  await inspectInViews(visit, 'settlements-move');
  await page.getByRole('button', { name: say('confirm_send') }).click();
  await page.getByLabel(say('code_label')).fill(await codeFor(system, email));
  await page.getByRole('button', { name: say('settlements_move_sum') }).click();
  await brings(visit, page.getByText(say('settlements_moved')).waitFor());
  await inspectInViews(visit, 'settlements-moved');
  const wallet = await until('the wallet', 30_000, async () =>
    (await client.wallets({})).find(({ currency }) => currency === 'USDT'),
  );
  assert.equal(Number.parseFloat(wallet.available ?? ''), 40);
}

/** Refunds a part of the invoice from its page. Returns the link of the refund. */
async function refundsPart(visit: Visit, { store, id }: Sold, locale: Locale): Promise<string> {
  const { page, say } = visit;
  await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/business/store/invoice?store=${store}&id=${id}`);
  await page.getByRole('link', { name: say('refunds_make') }).waitFor();
  await inspectInViews(visit, 'invoice');
  await page.getByRole('link', { name: say('refunds_make') }).click();
  await brings(visit, page.getByText(say('refunds_over_text')).waitFor());
  await page.getByLabel(say('refunds_other')).check();
  await page.locator('[name=amount]').fill('30');
  await inspectInViews(visit, 'refund-new');
  await page.getByRole('button', { name: say('refunds_make') }).click();
  await brings(visit, page.getByRole('heading', { level: 1, name: /KR-/ }).waitFor());
  await inspectInViews(visit, 'refund-made');
  const link = page.getByText(/\/refund\?id=/).first();
  return (await link.innerText()).trim();
}

/** Claims the refund in bitcoin, and waits until it is paid. */
async function claims(visit: Visit, { client }: Signed, store: string, link: string): Promise<void> {
  const { page, say } = visit;
  await page.goto(link);
  await page.getByRole('heading', { name: say('refund_how') }).waitFor();
  await inspectInViews(visit, 'claim-methods');
  await page.getByRole('button', { name: /Bitcoin/ }).click();
  await page.getByRole('heading', { name: say('refund_where') }).waitFor();
  await page.locator('[name="to.address"]').fill(await freshAddress(client, 'BTC'));
  await inspectInViews(visit, 'claim-account');
  await page.getByRole('button', { name: say('refund_claim') }).click();
  await page.getByRole('heading', { name: say('refund_claims') }).waitFor();
  await until('the payout', 90_000, async () => (await client.refunds({ store })).data[0]?.state === 'paid');
  await page.reload();
  await page.getByText(say('refund_paid_title')).waitFor(PAID_MS);
  await inspectInViews(visit, 'claim-paid');
}

/** Opens each page of the store once more, with what the round has left there. */
async function readsPages(visit: Visit, { store, id }: Sold, locale: Locale): Promise<void> {
  const { page } = visit;
  const pages = {
    business: '',
    'store-invoices': `/store/invoices?store=${store}`,
    'store-invoice': `/store/invoice?store=${store}&id=${id}`,
    'store-refunds': `/store/refunds?store=${store}`,
    'store-links': `/store/links?store=${store}`,
    'store-settlements': `/store/settlements?id=${store}`,
    'store-entries': `/store/entries?store=${store}`,
    'store-settings': `/store?id=${store}`,
    'store-members': `/store/members?id=${store}`,
    'store-keys': `/store/keys?id=${store}`,
    'store-webhooks': `/store/webhooks?id=${store}`,
  };
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/business${path}`);
    await page.locator('main h1:not(.sr)').waitFor();
    await inspectInViews(visit, name);
  }
}

test('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
