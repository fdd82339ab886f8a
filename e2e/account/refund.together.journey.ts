// A part of a paid invoice is refunded by its seller and claimed in another currency, with and without JavaScript.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Shop, openShop } from '../customers/business.ts';
import { PREFIX, type Locale, type Visit, brings, openVisit } from '../harness/browser.ts';
import { sharedStage } from '../harness/stage.ts';
import { type System, isReady, until } from '../harness/system.ts';

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
  const { directions } = system.client();
  await until('the directions to open', 60_000, async () => (await directions({})).directions.every(isReady));
});

const PAID_MS = { timeout: 90_000 };

/** Makes an invoice of a shop, pays it with bitcoin, and waits until it can be refunded. Returns the ids of store and invoice. */
async function paidInvoice({ client, store }: Shop): Promise<{ readonly store: string; readonly id: string }> {
  const { id } = await client.invoiceMake({ store, amount: '60' }, { idempotencyKey: randomUUID() });
  const { option } = await client.paymentMethod({ id, method: 'BTC' });
  await client.sandboxPay({ currency: 'BTC', to: option?.address ?? '', amount: option?.amount ?? '' });
  await until('the invoice to be paid', 60_000, async () => (await client.storeInvoice({ store, id })).state === 'settled');
  await until('its money to be deep', 90_000, async () =>
    (await client.storeBalance({ store })).balances.some(({ movable }) => +movable >= 40),
  );
  return { store, id };
}

/** Refunds a part of the invoice on its page, and returns the link. */
async function refunds(
  visit: Visit,
  { store, id }: { readonly store: string; readonly id: string },
  locale: Locale,
): Promise<string> {
  const { page, say } = visit;
  await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/business/store/invoice?store=${store}&id=${id}`);
  await page.getByRole('link', { name: say('refunds_make') }).click();
  await brings(visit, page.getByText(say('refunds_paid_then'), { exact: true }).waitFor());
  await page.getByText(say('refunds_worth_now'), { exact: true }).waitFor();
  await page.getByText(say('refunds_over_none')).waitFor();
  await page.getByLabel(say('refunds_other')).check();
  await page.locator('[name=amount]').fill('40');
  await page.getByRole('button', { name: say('refunds_make') }).click();
  await brings(visit, page.getByRole('heading', { level: 1, name: /KR-/ }).waitFor());
  return (
    await page
      .getByText(/\/refund\?id=/)
      .first()
      .innerText()
  ).trim();
}

/** Claims all that is left in bitcoin. */
async function claims({ page, say }: Visit, link: string): Promise<void> {
  const { address } = await system.client().sandboxAddress({ currency: 'BTC' });
  await page.goto(link);
  await page.getByRole('heading', { name: say('refund_how') }).waitFor();
  await page.getByRole('button', { name: /Bitcoin/ }).click();
  await page.getByRole('heading', { name: say('refund_where') }).waitFor();
  await page.locator('[name="to.address"]').fill('bcrt1qwrong');
  await page.getByRole('button', { name: say('refund_claim') }).click();
  await page.locator('[name="to.address"][aria-invalid=true]').waitFor();
  await page.locator('[name="to.address"]').fill(address);
  await page.getByRole('button', { name: say('refund_claim') }).click();
  await page.getByRole('heading', { name: say('refund_claims') }).waitFor();
}

for (const locale of ['en', 'ru'] as const)
  test(`a part of an invoice is refunded, and claimed in another currency (${locale})`, async () => {
    const seller = await openShop(system, 'USDT_ERC20');
    const invoice = await paidInvoice(seller);
    const selling = await openVisit(browser, locale);
    await selling.page.addInitScript((stored) => localStorage.setItem('accessToken', stored), seller.token);
    const link = await refunds(selling, invoice, locale);
    const claiming = await openVisit(browser, locale, { hasJavaScript: locale === 'en' });
    await claims(claiming, link);
    await until(
      'the payout',
      90_000,
      async () => (await seller.client.refunds({ store: invoice.store })).data[0]?.state === 'paid',
    );
    // With scripts the page follows the claim; without them it reloads after a while.
    if (locale === 'ru') await claiming.page.reload();
    await claiming.page.getByText(claiming.say('refund_paid_title')).waitFor(PAID_MS);
    await selling.page.reload();
    await brings(selling, selling.page.getByText(selling.say('claims_done'), { exact: true }).first().waitFor(PAID_MS));
    for (const visit of [selling, claiming]) {
      const expected = [/422 POST .*refund/, /status of 422/];
      assert.deepEqual(
        visit.troubles.filter((trouble) => !expected.some((one) => one.test(trouble))),
        [],
      );
      await visit.close();
    }
  });

test('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
