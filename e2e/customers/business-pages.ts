// A business works in its pages, and the sandbox's shop sells for it.

import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { PREFIX, type Locale, type Visit, brings, openVisit } from '../harness/browser.ts';
import type { System } from '../harness/system.ts';
import type { Signed } from './signed.ts';

/** Opens a page of the business in a window of a signed-in holder. `path`: part of its URL behind the page of the business. */
export async function visitBusiness(
  system: System,
  browser: Browser,
  { token }: Pick<Signed, 'token'>,
  locale: Locale,
  path: string = '',
): Promise<Visit> {
  const visit = await openVisit(browser, locale);
  await visit.page.addInitScript((stored) => localStorage.setItem('accessToken', stored), token);
  await visit.page.goto(`${system.url}/${PREFIX[locale]}/dashboard/business${path}`);
  return visit;
}

/** Sends an application, first without a country. What was typed stays after the refusal. */
export async function applies(visit: Visit, name: string): Promise<void> {
  const { page, say } = visit;
  await page.getByRole('link', { name: say('business_apply') }).click();
  const fields = {
    ...{ legal_name: name, registration_number: '21345678', address: 'Knez Mihailova 1\n11000 Belgrade' },
    ...{ web_sites: 'tea.example.com\nhttps://books.example.com', goods: 'Tea in packets and printed books' },
    ...{ turnover_usd: '25 000', 'owners.0.name': 'Ann Petrovic', 'owners.0.percent': '60' },
  };
  for (const [field, text] of Object.entries(fields)) await page.locator(`[name="${field}"]`).fill(text);
  const send = page.getByRole('button', { name: say('business_send') });
  await send.click();
  await brings(visit, page.locator('[name=country][aria-invalid]').waitFor());
  assert.equal(await page.locator('[name=legal_name]').inputValue(), name);
  await page.locator('[name=country]').selectOption('RS');
  await send.click();
  await brings(visit, page.getByText(say('business_next_applied')).waitFor());
}

/** Makes a store of the business with its usual currencies: invoices in USD, settled in USDT. */
export async function makesStore(visit: Visit): Promise<void> {
  const { page, say } = visit;
  const form = page.getByRole('region', { name: say('stores_new') });
  await form.locator('[name=kind]').selectOption('business');
  await form.locator('[name=name]').fill('Tea shop');
  await form.getByRole('button', { name: say('stores_make') }).click();
  await brings(visit, page.getByRole('heading', { level: 1, name: 'Tea shop' }).waitFor());
}

/** Opens the keys of the store, makes one with a permission, and returns it. */
export async function makesKey(visit: Visit, name: string, permission: string = 'store_may_read_invoices'): Promise<string> {
  const { page, say } = visit;
  await page
    .getByRole('navigation', { name: say('store_tabs') })
    .getByRole('link', { name: say('store_keys') })
    .click();
  await page.getByRole('button', { name: say('keys_add') }).click();
  await page.getByLabel(say('keys_name'), { exact: true }).fill(name);
  await page.getByText(say(permission)).click();
  await page.getByRole('button', { name: say('keys_make'), exact: true }).click();
  const shown = page.locator('code', { hasText: /^kurs_test_[\w-]{40,}$/ }).first();
  await brings(visit, shown.waitFor());
  const key = await shown.innerText();
  await page.getByRole('button', { name: say('keys_kept') }).click();
  await page.getByText(name, { exact: true }).waitFor();
  return key;
}

/** Makes a webhook for all events, first with an address that is refused. Returns its secret. */
export async function makesWebhook(visit: Visit, hook: string): Promise<string> {
  const { page, say } = visit;
  await page.locator('[name=url]').fill('https://127.0.0.1/hook');
  const make = page.getByRole('button', { name: say('webhooks_make_do') });
  await make.click();
  await brings(visit, page.locator('[name=url][aria-invalid]').waitFor());
  await page.locator('[name=url]').fill(hook);
  await make.click();
  await brings(visit, page.getByText(say('webhooks_made')).waitFor());
  const shown = page.getByRole('region', { name: say('webhooks_secret') });
  return (await shown.locator('code').innerText()).trim();
}

/** Opens a page of the sandbox's shop; without `path`, its first one. */
export async function openShop(system: System, page: Page, path: '' | `/${string}` = ''): Promise<Page> {
  await page.goto(`${system.url}/sandbox/shop${path}`);
  return page;
}

/** Returns the rows of the shop's log, the newest first. */
export async function readShopLog(system: System, page: Page): Promise<string[][]> {
  const rows = await (await openShop(system, page, '/log')).locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('td').allInnerTexts()));
}
