// A store sells, and its owner reads the report of the month, downloads it, finds the invoice, and previews another sum.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Shop, openShop } from '../customers/business.ts';
import { PREFIX, brings, openVisit } from '../harness/browser.ts';
import { sharedStage } from '../harness/stage.ts';
import { type System, isReady, until } from '../harness/system.ts';

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
  const { directions } = system.client();
  await until('the directions to open', 60_000, async () => (await directions({})).directions.every(isReady));
});

/** Makes an invoice of a shop that is paid with bitcoin. Returns the ids of store and invoice, and the invoice's number. */
async function sells({ client, store }: Shop): Promise<{ readonly store: string; readonly id: string; readonly number: string }> {
  const { id, number, option } = await client.invoiceMake(
    { store, amount: '40.00', order_id: 'TEA-1184', method: 'BTC' },
    { idempotencyKey: randomUUID() },
  );
  await client.sandboxPay({ currency: 'BTC', to: option?.address ?? '', amount: option?.amount ?? '' });
  await until('the invoice to be settled', 60_000, async () => (await client.storeInvoice({ store, id })).state === 'settled');
  return { store, id, number };
}

for (const locale of ['en', 'ru'] as const)
  test(`an owner reads and downloads the report of a sale, and previews another sum (${locale})`, async () => {
    const owner = await openShop(system, 'USDT_ERC20');
    const { store, number } = await sells(owner);
    const visit = await openVisit(browser, locale);
    const { page, say } = visit;
    await page.addInitScript((stored) => localStorage.setItem('accessToken', stored), owner.token);
    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/business/store/entries?store=${store}`);
    await brings(visit, page.getByRole('cell', { name: say('entries_sale') }).waitFor());
    await page.getByRole('cell', { name: say('entries_fee') }).waitFor();
    const { units } = await owner.client.storeReport({ store });
    const [unit] = units;
    assert.equal(unit?.currency, 'USDT');
    const closing = await page
      .locator('dt', { hasText: say('entries_closing') })
      .locator('+ dd')
      .innerText();
    const digits = (text: string): string => text.replace(/\D/g, '').replace(/0+$/, '');
    assert.equal(digits(closing), digits(unit.balance.closing));

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: say('orders_export'), exact: true }).click(),
    ]);
    const file = await readFile(await download.path(), 'utf8');
    assert.equal(download.suggestedFilename(), 'entries.csv');
    for (const word of ['opening', 'sale', 'fee', 'closing', number, 'TEA-1184']) assert.ok(file.includes(word), word);

    const groups = page.getByRole('navigation', { name: say('entries_groups') });
    await groups.getByRole('link', { name: say('entries_group_refunds') }).click();
    await page.getByText(say('entries_nothing')).waitFor();
    await page.getByRole('link', { name: say('store_invoices') }).click();
    await page.locator('[name=q]').fill('TEA-1184');
    await page.locator('[name=min]').fill('40');
    await page.getByRole('button', { name: say('orders_show') }).click();
    await page.getByRole('link', { name: number }).waitFor();
    await page.getByRole('link', { name: say('preview_open') }).click();
    await page.locator('[name=amount]').fill('100');
    await page.getByRole('button', { name: say('preview_show') }).click();
    await page.getByRole('rowheader', { name: /Bitcoin/ }).waitFor();
    assert.deepEqual(visit.troubles, []);
    await visit.close();
  });

test('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
