// Money that comes short or late: a store accepts a partly paid invoice, gives another one back to a payer who has it refunded, and
// accepts a payment that came after its invoice had ended.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { choose, freshAddress, freshEmail, reaches } from '../customers/customer.ts';
import { type Signed, signUp } from '../customers/signed.ts';
import { PREFIX, type Locale, type Visit, brings, openVisit } from '../harness/browser.ts';
import { languages } from '../harness/languages.ts';
import { sharedStage } from '../harness/stage.ts';
import { type System, isReady, until } from '../harness/system.ts';

let system: System;
let browser: Browser;
let seller: Signed;
let store: string;
before(async () => {
  ({ system, browser } = await sharedStage());
  const { directions } = system.client();
  await until('the directions to open', 60_000, async () => (await directions({})).directions.every(isReady));
  seller = await signUp(system);
  const given = { kind: 'personal', name: 'Ann’s lessons', invoice_currency: 'USD', settlement_currency: 'USDT_ERC20' } as const;
  store = (await seller.client.storeMake(given, { idempotencyKey: randomUUID() })).id;
});

const PAID_MS = { timeout: 90_000 };
const LIFE_MINUTES = 15;

/** An invoice whose buyer has chosen a method on its page. */
interface Begun {
  readonly id: string;
  readonly url: string;
  readonly visit: Visit;
}

/** Makes an invoice of 60 USD, and chooses bitcoin on its page. */
async function begin(locale: Locale): Promise<Begun> {
  const given = { store, amount: '60.00', life_minutes: LIFE_MINUTES, email: freshEmail() };
  const { id } = await seller.client.invoiceMake(given, { idempotencyKey: randomUUID() });
  const url = `${system.url}/${PREFIX[locale]}/pay/${id}`;
  const visit = await openVisit(browser, locale);
  await visit.page.goto(url);
  await visit.page.getByRole('button', { name: /Bitcoin/ }).click();
  await visit.page.getByRole('heading', { level: 1, name: visit.say('headline_waiting') }).waitFor();
  return { id, url, visit };
}

/** Pays a share of the chosen option, in percent, and waits until the payment has a status. */
async function pays({ id }: Begun, percent: number, status: string): Promise<void> {
  const client = system.client();
  const { option } = await client.paymentInvoice({ id });
  const amount = ((Number(option?.amount) * percent) / 100).toFixed(8);
  await client.sandboxPay({ currency: 'BTC', to: option?.address ?? '', amount });
  await until(`a payment that is ${status}`, 90_000, async () => {
    const { payments } = await client.paymentInvoice({ id });
    return payments[0]?.status === status;
  });
}

/** Lets the invoice's time run out, and waits for its state. */
async function ends({ id }: Begun, state: 'short' | 'expired'): Promise<void> {
  const client = system.client();
  await client.sandboxClock({ skip: (LIFE_MINUTES + 1) * 60 });
  await until(`the invoice to be ${state}`, 60_000, async () => (await client.paymentInvoice({ id })).state === state);
}

/** Opens the invoice on the store's page, and decides with a confirmation. */
async function decides({ id }: Begun, locale: Locale, choice: 'accept' | 'give_back'): Promise<void> {
  const visit = await openVisit(browser, locale);
  const { page, say } = visit;
  await page.addInitScript((stored) => localStorage.setItem('accessToken', stored), seller.token);
  await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/business/store/invoices?store=${store}`);
  await page.getByText(say('invoices_waits')).first().waitFor();
  await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/business/store/invoice?store=${store}&id=${id}`);
  const [name, done] =
    choice === 'accept'
      ? (['invoices_accept', 'invoices_accept_done'] as const)
      : (['invoices_give_back', 'invoices_give_back_done'] as const);
  await page.locator('#decision summary', { hasText: say(name) }).click();
  await page.locator(`#decision form:has(input[value="${choice}"]) button`).click();
  await page.getByText(say(done)).waitFor();
  // Nothing is left to decide.
  await page.locator('#decision').waitFor({ state: 'detached' });
  assert.deepEqual(visit.troubles, []);
  await visit.close();
}

for (const locale of languages('ru')) {
  test(`a partly paid invoice is accepted (${locale})`, async () => {
    const begun = await begin(locale);
    const { visit } = begun;
    await pays(begun, 50, 'credited');
    await ends(begun, 'short');
    await brings(visit, visit.page.getByRole('heading', { level: 1, name: visit.say('checkout_choose_rest') }).waitFor(PAID_MS));
    await visit.page.getByText(visit.say('checkout_short_text')).waitFor();
    await decides(begun, locale, 'accept');
    await brings(visit, visit.page.getByRole('heading', { level: 1, name: visit.say('checkout_settled') }).waitFor(PAID_MS));
    assert.deepEqual(visit.troubles, []);
    await visit.close();
  });

  test(`a partly paid invoice is given back, and its payer has the money refunded (${locale})`, async () => {
    const client = system.client();
    const begun = await begin(locale);
    const { url, visit } = begun;
    const { page, say } = visit;
    await pays(begun, 50, 'credited');
    await ends(begun, 'short');
    await decides(begun, locale, 'give_back');
    await brings(visit, page.getByText(say('checkout_given_back')).first().waitFor(PAID_MS));
    const link = page.getByRole('link', { name: say('checkout_own_open') });
    await brings(visit, link.waitFor(PAID_MS));
    await page.goto(new URL((await link.getAttribute('href')) ?? '', url).href);
    await page
      .getByRole('heading', { name: say('choice_give_route') })
      .first()
      .waitFor();
    const key = Object.fromEntries(new URL(page.url()).searchParams) as { id: string; token: string };
    await choose(client, key, 'give_route', await freshAddress(client, 'BTC'));
    await choose(client, key, 'refund');
    await reaches(client, key, 'refunded', 120_000);
    assert.deepEqual(visit.troubles, []);
    await visit.close();
  });

  test(`a payment that comes after its invoice has ended is accepted (${locale})`, async () => {
    const begun = await begin(locale);
    const { visit } = begun;
    const { page, say } = visit;
    const { option } = await system.client().paymentInvoice({ id: begun.id });
    await ends(begun, 'expired');
    const amount = option?.amount ?? '';
    await system.client().sandboxPay({ currency: 'BTC', to: option?.address ?? '', amount });
    await brings(visit, page.getByText(say('checkout_status_unallocated')).waitFor(PAID_MS));
    await decides(begun, locale, 'accept');
    await brings(visit, page.getByRole('heading', { level: 1, name: say('checkout_settled') }).waitFor(PAID_MS));
    assert.deepEqual(visit.troubles, []);
    await visit.close();
  });
}

test('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
