// A payment to an invoice whose sender screening flags is held. The desk releases one, and the invoice is paid; it refuses another,
// and its payer has it back. A third invoice is marked by hand and moved to the archive.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { reaches } from '../customers/customer.ts';
import { type Signed, signUp } from '../customers/signed.ts';
import { PREFIX, type Locale, type Visit, brings, openVisit, startBrowser } from '../harness/browser.ts';
import { actAs, deskOf, deskTool } from '../harness/desk.ts';
import { type System, startSystem } from '../harness/system.ts';

let system: System;
let browser: Browser;
let seller: Signed;
let store: string;
let payer: string;
before(async () => {
  system = await startSystem({ env: { KURS_SCREENING_URL: 'sandbox' } });
  browser = await startBrowser();
  seller = await signUp(system);
  const given = { kind: 'personal', name: 'Ann’s lessons', invoice_currency: 'USD', settlement_currency: 'PAYEER_USD' } as const;
  store = (await seller.client.storeMake(given, { idempotencyKey: randomUUID() })).id;
  payer = await payerOf();
});
after(async () => {
  await browser?.close();
  await system?.stop();
});

const PAID_MS = { timeout: 60_000 };

interface Held {
  readonly id: string;
  readonly invoice: string;
}

/** Pays an invoice at Payeer, as the page of the invoice leads there, and returns to the invoice's page. */
async function paysAtPayeer({ page, say, locale }: Visit, id: string): Promise<void> {
  const url = `${system.url}/${PREFIX[locale]}/pay/${id}`;
  await page.goto(url);
  await page.getByRole('button', { name: /Payeer/ }).click();
  await page.getByRole('button', { name: say('checkout_leave', { name: 'Payeer' }) }).click(PAID_MS);
  for (const name of [/^Log in$/, /^(Confirm|Pay|Pay now)$/]) await page.getByRole('button', { name }).click();
  await page.waitForURL((to) => to.pathname === `/${PREFIX[locale]}/payment/success`);
  await page.goto(url);
}

const makeInvoice = () => seller.client.invoiceMake({ store, amount: '60.00' }, { idempotencyKey: randomUUID() });

/** Returns the account from which the sandbox's customer pays at Payeer, which a first payment shows. */
async function payerOf(): Promise<string> {
  const { id } = await makeInvoice();
  const visit = await openVisit(browser, 'en');
  await paysAtPayeer(visit, id);
  await brings(visit, visit.page.getByRole('heading', { level: 1, name: visit.say('checkout_settled') }).waitFor(PAID_MS));
  await visit.close();
  const { payments } = await seller.client.storeInvoice({ store, id });
  const [payin] = await (await deskOf(system, 'olga')).operatorPayins({ q: payments[0]?.txid ?? '' });
  return payin?.from[0] ?? assert.fail('the payment has no sender');
}

/** Sets what screening answers about the payer's account. */
async function judge(score: 0 | 100): Promise<void> {
  const { sandboxControl } = (await system.run()).ports;
  const judged = await fetch(`http://127.0.0.1:${sandboxControl}/screening/judge`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: payer, score }),
  });
  assert.equal(judged.status, 200);
}

/** Pays an invoice from a flagged account, and waits until the desk has the payment. Returns its id with the invoice's number. */
async function paysHeld(visit: Visit): Promise<{ readonly number: string; readonly payment: string }> {
  const { page, say } = visit;
  const { id, number } = await makeInvoice();
  await judge(100);
  await paysAtPayeer(visit, id);
  await brings(visit, page.getByRole('heading', { level: 1, name: say('checkout_checking') }).waitFor(PAID_MS));
  await page.getByText(say('checkout_status_held')).waitFor();
  await judge(0);
  const held = await deskTool<Held[]>(system, 'held', '--as', 'clara');
  return { number, payment: held.find(({ invoice }) => invoice === number)?.id ?? assert.fail(`${number} is not held`) };
}

/** Opens the store's invoices in a window of its owner. */
async function listOf(locale: Locale): Promise<Visit> {
  const visit = await openVisit(browser, locale);
  await visit.page.addInitScript((stored) => localStorage.setItem('accessToken', stored), seller.token);
  await visit.page.goto(`${system.url}/${PREFIX[locale]}/dashboard/business/store/invoices?store=${store}`);
  return visit;
}

for (const locale of ['en', 'ru'] as const) {
  test(`a held payment that the desk releases pays its invoice, and open pages show it (${locale})`, async () => {
    const visit = await openVisit(browser, locale);
    const { number, payment } = await paysHeld(visit);
    const list = await listOf(locale);
    const row = list.page.getByRole('row', { name: number });
    await brings(list, row.getByText(list.say('invoices_confirming')).waitFor());
    assert.equal(await actAs(system, 'clara', 'held', payment, 'release'), 'done');
    await brings(visit, visit.page.getByRole('heading', { level: 1, name: visit.say('checkout_settled') }).waitFor(PAID_MS));
    await brings(list, row.getByText(list.say('invoices_settled')).waitFor());
    assert.deepEqual([...visit.troubles, ...list.troubles], []);
    await Promise.all([visit.close(), list.close()]);
  });

  test(`a held payment that the desk refuses goes back to its payer (${locale})`, async () => {
    const client = system.client();
    const visit = await openVisit(browser, locale);
    const { page, say } = visit;
    const { payment } = await paysHeld(visit);
    assert.equal(await actAs(system, 'clara', 'held', payment, 'refuse'), 'done');
    await brings(visit, page.getByText(say('checkout_refused')).waitFor(PAID_MS));
    const link = page.getByRole('link', { name: say('checkout_own_open') });
    await brings(visit, link.waitFor(PAID_MS));
    await page.goto(new URL((await link.getAttribute('href')) ?? '', page.url()).href);
    const key = Object.fromEntries(new URL(page.url()).searchParams) as { id: string; token: string };
    await reaches(client, key, 'refunded', 120_000);
    assert.deepEqual(visit.troubles, []);
    await visit.close();
  });

  test(`a member marks an invoice as paid, and moves it to the archive once it has ended (${locale})`, async () => {
    const { id, number } = await seller.client.invoiceMake({ store, amount: '60.00' }, { idempotencyKey: randomUUID() });
    const buyer = await openVisit(browser, locale);
    await buyer.page.goto(`${system.url}/${PREFIX[locale]}/pay/${id}`);
    await buyer.page.getByRole('heading', { level: 1, name: buyer.say('checkout_choose') }).waitFor();
    const visit = await listOf(locale);
    const { page, say } = visit;
    await page.getByRole('link', { name: number }).click();
    await page.locator('summary', { hasText: say('invoices_mark') }).click();
    await page.getByRole('button', { name: say('invoices_mark_settled') }).click();
    await brings(visit, page.getByText(say('invoices_mark_done')).waitFor());
    await page.getByText(say('invoices_says_marked_settled')).waitFor();
    const marked = buyer.page.getByRole('heading', { level: 1, name: buyer.say('checkout_marked_settled') });
    await brings(buyer, marked.waitFor());
    assert.equal(await buyer.page.getByRole('button', { name: /Tether/ }).count(), 0);

    await page.locator('summary', { hasText: say('invoices_cancel') }).click();
    await page.getByRole('button', { name: say('invoices_cancel_sure', { number }) }).click();
    await page.getByRole('button', { name: say('invoices_archive') }).click();
    await brings(visit, page.getByText(say('invoices_archive_done')).waitFor());
    await page.getByRole('link', { name: say('invoices_back', { store: 'Ann’s lessons' }) }).click();
    await brings(visit, page.getByRole('link', { name: say('invoices_group_archived') }).waitFor());
    assert.equal(await page.getByRole('link', { name: number }).count(), 0);
    await page.getByRole('link', { name: say('invoices_group_archived') }).click();
    await brings(visit, page.getByRole('link', { name: number }).waitFor());
    assert.deepEqual([...visit.troubles, ...buyer.troubles], []);
    await Promise.all([visit.close(), buyer.close()]);
  });
}

test('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
