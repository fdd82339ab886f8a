// A buyer pays more than an invoice needs. The payer's browser leads to the rest and asks for an address; there the payer has it
// refunded, or exchanges it. A browser with the invoice's link alone does not lead there.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Key, awaits, choose, codeFrom, freshAddress, freshEmail, reaches } from '../customers/customer.ts';
import { type Signed, signUp } from '../customers/signed.ts';
import { PREFIX, type Visit, brings, openVisit } from '../harness/browser.ts';
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

for (const locale of ['en', 'ru'] as const)
  test(`money that an invoice doesn't need is refunded to its payer (${locale})`, async () => {
    const client = system.client();
    const { id } = await seller.client.invoiceMake({ store, amount: '60.00' }, { idempotencyKey: randomUUID() });
    const url = `${system.url}/${PREFIX[locale]}/pay/${id}`;
    const visit = await openVisit(browser, locale);
    const { page, say } = visit;
    await page.goto(url);
    await page.getByRole('button', { name: /Tether.*BEP-20/s }).click();
    await page.getByRole('heading', { level: 1, name: say('headline_waiting') }).waitFor();
    const { option } = await client.paymentInvoice({ id });
    await client.sandboxPay({ currency: 'USDT_BEP20', to: option?.address ?? '', amount: '90' });
    await brings(visit, page.getByRole('heading', { level: 1, name: say('checkout_settled') }).waitFor(PAID_MS));

    const link = page.getByRole('link', { name: say('checkout_own_open') });
    await brings(visit, link.waitFor(PAID_MS));
    const stranger = await openVisit(browser, locale);
    await stranger.page.goto(url);
    await stranger.page.getByRole('heading', { level: 1, name: say('checkout_settled') }).waitFor();
    assert.equal(await stranger.page.getByRole('link', { name: say('checkout_own_open') }).count(), 0);
    await stranger.close();

    await page.goto(new URL((await link.getAttribute('href')) ?? '', url).href);
    const address = page.getByRole('textbox', { name: say('order_email') });
    await address.waitFor();
    const email = freshEmail();
    await address.fill(email);
    await page.getByRole('button', { name: say('order_email_send') }).click();
    await page
      .getByRole('heading', { name: say('choice_give_route') })
      .first()
      .waitFor();
    const key = Object.fromEntries(new URL(page.url()).searchParams) as unknown as Key;
    if (locale === 'en') {
      await choose(client, key, 'give_route', await freshAddress(client, 'USDT_BEP20'));
      await choose(client, key, 'refund');
      await reaches(client, key, 'refunded', 120_000);
    } else await exchanges(visit, key, email);
    assert.deepEqual(visit.troubles, []);
    await visit.close();
  });

/** Exchanges the money of an unallocated payment for bitcoin, on its page. */
async function exchanges({ page, say }: Visit, key: Key, email: string): Promise<void> {
  const client = system.client();
  const card = page.locator('form', { has: page.getByRole('combobox', { name: say('picker_get') }) });
  await card.getByRole('combobox').selectOption('BTC');
  await card.getByRole('textbox').fill(await freshAddress(client, 'BTC'));
  const code = await codeFrom(client, email, () => card.getByRole('button', { name: say('choice_save_account') }).click());
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: say('code_label') }).fill(code);
  await dialog.getByRole('button', { name: say('choice_save_account') }).click();
  await page.getByRole('heading', { name: say('choice_new_order') }).waitFor();
  await choose(client, key, 'new_order');
  const { related } = await awaits(client, key, 'to become an order', (order) => order.related.length > 0);
  const [made] = related;
  assert.ok(made);
  await reaches(client, made, 'done', 180_000);
}

test('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
