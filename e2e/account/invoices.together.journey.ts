// Follows an invoice of a store through its members' pages: a manager makes it, an accountant reads it, and the owner cancels it.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Signed, signUp } from '../customers/signed.ts';
import { PREFIX, type Locale, type Visit, brings, openVisit } from '../harness/browser.ts';
import { sharedStage } from '../harness/stage.ts';
import type { System } from '../harness/system.ts';

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
});

const ORDER = 'TEA-1184';

for (const locale of ['en', 'ru'] as const)
  test(`a manager makes an invoice, an accountant can’t cancel it, and the owner cancels it (${locale})`, async () => {
    const [owner, manager, accountant] = [await signUp(system), await signUp(system), await signUp(system)];
    const store = await storeOf(owner);
    await joins(owner, manager, store, 'manager');
    await joins(owner, accountant, store, 'accountant');

    const making = await visitAs(manager, locale, store);
    const number = await makes(making);
    const reading = await visitAs(accountant, locale, store);
    await reads(reading, number);
    const ending = await visitAs(owner, locale, store);
    await cancels(ending, number);
    // The accountant's page follows the invoice, and shows its end without a reload.
    await brings(reading, reading.page.getByText(reading.say('invoices_says_cancelled')).waitFor());
    for (const visit of [making, reading, ending]) {
      const expected = [/422 POST .*invoices\/new/, /status of 422/];
      assert.deepEqual(
        visit.troubles.filter((trouble) => !expected.some((one) => one.test(trouble))),
        [],
      );
      await visit.close();
    }
  });

/** Makes a test store, and returns its id. */
async function storeOf({ client }: Signed): Promise<string> {
  const { id } = await client.storeMake(
    { kind: 'test', name: 'Tea shop', invoice_currency: 'USD', settlement_currency: 'USDT_ERC20' },
    { idempotencyKey: randomUUID() },
  );
  return id;
}

async function joins(owner: Signed, { client, email }: Signed, store: string, role: 'manager' | 'accountant'): Promise<void> {
  await owner.client.storeInvite({ store, email, role });
  const [invitation] = (await client.stores({})).invitations;
  await client.storeJoin({ invitation: invitation?.id ?? '', accept: true });
}

/** Opens the store's invoices in a window of a member. */
async function visitAs({ token }: Signed, locale: Locale, store: string): Promise<Visit> {
  const visit = await openVisit(browser, locale);
  await visit.page.addInitScript((stored) => localStorage.setItem('accessToken', stored), token);
  await visit.page.goto(`${system.url}/${PREFIX[locale]}/dashboard/business/store/invoices?store=${store}`);
  return visit;
}

/** Makes an invoice whose lines don't make its amount at first. Returns its number. */
async function makes(visit: Visit): Promise<string> {
  const { page, say } = visit;
  await brings(visit, page.getByText(say('invoices_none')).waitFor());
  await page.getByRole('link', { name: say('invoices_new') }).click();
  await page.locator('[name=amount]').fill('80');
  for (const [at, [name, price]] of [['Tea', '42.25'] as const, ['Delivery', '0.25'] as const].entries()) {
    if (at > 0) await page.getByRole('button', { name: say('invoices_line_add') }).click();
    await page.locator(`[name="lines.${at}.name"]`).fill(name);
    await page.locator(`[name="lines.${at}.unit_price"]`).fill(price);
  }
  await page.locator('[name="lines.0.quantity"]').fill('2');
  await page.locator('[name=order_id]').fill(ORDER);
  const make = page.getByRole('button', { name: say('invoices_make') });
  await make.click();
  await brings(visit, page.locator('#lines-error').waitFor());
  await page.getByRole('button', { name: say('invoices_lines_take') }).click();
  await page.getByText(say('invoices_lines_fit')).waitFor();
  await make.click();
  const title = page.getByRole('heading', { level: 1, name: /KI-/ });
  await brings(visit, title.waitFor());
  await page.getByText(say('store_test_badge')).waitFor();
  await page.getByRole('cell', { name: 'Delivery' }).waitFor();
  return /KI-[\w-]+/.exec(await title.innerText())?.[0] ?? '';
}

/** Finds the invoice by its order in the list, and opens it. The accountant is offered no change. */
async function reads(visit: Visit, number: string): Promise<void> {
  const { page, say } = visit;
  await brings(visit, page.getByRole('link', { name: number }).waitFor());
  assert.equal(await page.getByRole('link', { name: say('invoices_new') }).count(), 0);
  await page.locator('[name=q]').fill('no such order');
  await page.getByRole('button', { name: say('orders_show') }).click();
  await page.getByText(say('orders_nothing')).waitFor();
  await page.locator('[name=q]').fill(ORDER);
  await page.getByRole('button', { name: say('orders_show') }).click();
  await page.getByRole('link', { name: number }).click();
  await brings(visit, page.getByText(say('invoices_says_open')).waitFor());
  assert.equal(await page.getByText(say('invoices_cancel')).count(), 0);
}

async function cancels(visit: Visit, number: string): Promise<void> {
  const { page, say } = visit;
  await page.getByRole('link', { name: number }).click();
  await page.locator('summary', { hasText: say('invoices_cancel') }).click();
  await page.getByRole('button', { name: say('invoices_cancel_sure', { number }) }).click();
  await brings(visit, page.getByRole('status').getByText(say('invoices_cancel_done')).waitFor());
  await page.getByText(say('invoices_says_cancelled')).waitFor();
}
