// Uses the dashboard in both languages. Without a session its pages show the dialog to sign in, and then the requested page.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { PREFIX, type Visit, openVisit } from '../harness/browser.ts';
import { SELL_BTC, freshAddress, freshEmail } from '../customers/customer.ts';
import { languages } from '../harness/languages.ts';
import { codeFor } from '../harness/mailbox.ts';
import { tallStrips } from '../looks/pages.ts';
import { sharedStage } from '../harness/stage.ts';
import type { System } from '../harness/system.ts';
import { giveDetails, goOn, placeOrder, readReview } from '../harness/walk.ts';

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
});

/** Signs in by the open dialog, with a mailed code. */
async function signIn(page: Page, say: Visit['say'], email: string): Promise<void> {
  await page.getByLabel(say('sign_in_email')).fill(email);
  await page.getByRole('button', { name: say('sign_in_send') }).click();
  const field = page.locator('dialog').getByLabel(say('code_label'));
  await field.waitFor();
  await field.fill(await codeFor(system, email));
}

/**
 * Asserts that a program with the session's token can download the same export with its own filters, and that none can without a
 * token.
 */
async function exportsBySession(page: Page, id: string): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('accessToken'));
  const ask = (query: string, headers: Record<string, string> = { authorization: `Bearer ${token}` }): Promise<Response> =>
    fetch(`${system.url}/api/v1/export/order-transactions?${query}`, { headers });
  const file = await ask('status[]=waiting&currency[]=BTC');
  assert.equal(file.headers.get('cache-control'), 'no-store');
  assert.match(await file.text(), new RegExp(`\\r\\n${id},order,waiting,`));
  assert.doesNotMatch(await (await ask('status[]=done')).text(), new RegExp(id));
  assert.equal((await ask('', {})).status, 401);
  assert.equal((await ask('from=11/22/2026')).status, 422);
  assert.equal((await ask('format=exe')).status, 422);
}

const PATIENT = { timeout: 30_000 };

/**
 * Asserts that the bell announces a completed order without a reload, and that its list can be opened, followed and closed by
 * keyboard and then counts as seen.
 */
async function ringsFor({ page, say }: Visit, id: string): Promise<void> {
  const bell = page.getByRole('banner').locator('summary:visible');
  await bell.and(page.getByLabel(/1/)).waitFor(PATIENT);
  await bell.press('Enter');
  const list = page.getByRole('region', { name: say('notices_title') });
  const reported = list.getByRole('link', { name: say('notice_order_done') });
  await reported.waitFor(PATIENT);
  assert.match(await reported.innerText(), new RegExp(id));
  assert.match((await reported.getAttribute('href')) ?? '', new RegExp(`/dashboard/order\\?id=${id}$`));
  await page.keyboard.press('Tab');
  assert.equal(await reported.evaluate((link) => link === link.ownerDocument.activeElement), true);
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'hidden' });
  assert.equal(await bell.evaluate((button) => button === button.ownerDocument.activeElement), true);
  await page.reload();
  await bell.and(page.getByLabel(say('notices_title'), { exact: true })).waitFor(PATIENT);
}

for (const locale of languages('ru')) {
  let visit: Visit;
  let order: { readonly id: string; readonly receive: string };
  const dashboardOf = (): string => `${system.url}/${PREFIX[locale]}/dashboard`;
  const ordersIn = ({ page, say }: Visit) =>
    page.getByRole('navigation', { name: say('dashboard_label') }).getByRole('link', { name: say('dashboard_orders') });

  test(`an order is placed inside the dashboard while signed in (${locale})`, async () => {
    visit = await openVisit(browser, locale);
    const { page, say } = visit;
    const client = system.client(locale);
    const dashboard = dashboardOf();
    await page.goto(`${dashboard}/orders`);
    const own = freshEmail();
    await signIn(page, say, own);
    await page.getByText(say('orders_none')).waitFor();
    // Places an order in the dashboard. The address for letters is prefilled, and the holder must accept the terms.
    const [receive, refund] = await Promise.all([freshAddress(client, SELL_BTC.to), freshAddress(client, SELL_BTC.from)]);
    await page.goto(`${dashboard}/new-order?${new URLSearchParams({ ...SELL_BTC, side: 'give' })}`);
    await page.getByRole('button', { name: say('picker_give') }).waitFor();
    await goOn(visit);
    assert.equal(await page.getByRole('textbox', { name: say('details_email') }).inputValue(), own);
    assert.equal(await page.getByRole('checkbox', { name: say('details_terms_before') }).isChecked(), false);
    // Even with another address for letters the order belongs to the account, because of the session.
    await giveDetails(visit, { receive, refund, email: freshEmail() });
    await readReview(visit);
    assert.equal(await page.locator('main').count(), 1, 'the steps stand inside the dashboard');
    const { id } = await placeOrder(visit);
    await page.waitForURL(`${dashboard}/order?id=${id}`);
    await page.goto(dashboard);
    await page.getByRole('link', { name: say('overview_pay') }).waitFor();
    await ordersIn(visit).getByText('1', { exact: true }).waitFor(PATIENT);
    order = { id, receive };
  });

  test(`the order is in the account’s list, found by filters and opened there (${locale})`, async () => {
    const { page, say, troubles, close } = visit;
    const { id, receive } = order;
    await page.getByRole('link', { name: say('overview_all') }).click();
    const row = page.getByRole('link', { name: id });
    await row.waitFor();
    assert.deepEqual(await tallStrips(page), []);
    await page.getByRole('link', { name: say('orders_ended') }).click();
    await page.getByText(say('orders_nothing')).waitFor();
    await page.getByRole('link', { name: say('orders_open') }).click();
    await page.waitForURL(/[?&]status=open$/);
    await row.waitFor();
    await page.getByLabel(say('orders_search')).fill(receive);
    await page.getByLabel(say('orders_from')).fill('01/31/2026');
    await page.getByRole('button', { name: say('orders_show') }).click();
    await page.waitForURL(/[?&]status=open&.*from=01%2F31%2F2026/);
    await row.waitFor();
    const downloads = page.waitForEvent('download');
    await page.getByRole('button', { name: say('orders_export') }).click();
    const download = await downloads;
    assert.match(await readFile(await download.path(), 'utf8'), new RegExp(`^\\ufefforder,.*\r\n${id},order,waiting,`));
    // The link is valid only once.
    const again = await fetch(download.url());
    assert.equal(again.status, 401);
    await exportsBySession(page, id);
    await page.getByLabel(say('orders_from')).fill('02/30/2026');
    await page.getByRole('button', { name: say('orders_show') }).click();
    await page.getByText(say('orders_wrong_day')).waitFor();
    await row.click();
    await page.waitForURL(`${dashboardOf()}/order?id=${id}`);
    await page.getByRole('button', { name: say('sandbox_pay') }).click();
    await page.getByRole('heading', { name: say('headline_done') }).waitFor({ timeout: 60_000 });
    await ringsFor(visit, id);
    await ordersIn(visit)
      .getByText('1', { exact: true })
      .waitFor({ ...PATIENT, state: 'detached' });
    assert.deepEqual(troubles, []);
    await close();
  });

  test(`a page of the dashboard asks to sign in and then opens with its query (${locale})`, async () => {
    const { page, say, troubles, close } = await openVisit(browser, locale);
    const email = freshEmail();
    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard?from=letter`);
    // The dialog appears over the default layout, with the site's menu and without the dashboard's.
    await page.locator('dialog').waitFor();
    assert.equal(await page.getByRole('navigation', { name: say('nav_label') }).count(), 1);
    assert.equal(await page.getByRole('navigation', { name: say('dashboard_label') }).count(), 0);
    await signIn(page, say, email);
    const menu = page.getByRole('navigation', { name: say('dashboard_label') });
    await menu.waitFor();
    assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, `/${PREFIX[locale]}/dashboard?from=letter`);
    await page.getByText(email).first().waitFor();

    // A switch of the language keeps the page, its query and the session.
    const other = locale === 'en' ? 'Ru' : 'En';
    await page.getByRole('link', { name: `${other}:` }).click();
    await page.waitForURL(`${system.url}/${other}/dashboard?from=letter`);
    await page.getByText(email).first().waitFor();

    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/affiliates`);
    await page.getByText(say('affiliates_lead')).waitFor();
    await page.getByRole('button', { name: say('account_sign_out') }).click();
    await page.waitForURL(`${system.url}/${PREFIX[locale]}`);
    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard`);
    await page.locator('dialog').waitFor();

    // An invalid token is removed, and the dialog appears as for any visitor.
    await page.evaluate(() => localStorage.setItem('accessToken', `kurs_s_${'x'.repeat(43)}`));
    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard`);
    await page.locator('dialog').waitFor();
    assert.equal(await page.evaluate(() => localStorage.getItem('accessToken')), null);
    const expected = [/401 GET .*user\/info/, /status of 401/];
    assert.deepEqual(
      troubles.filter((trouble) => !expected.some((one) => one.test(trouble))),
      [],
    );
    await close();
  });
}
