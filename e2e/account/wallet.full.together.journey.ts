// Uses a wallet in both languages. Creates a deposit address, pays on a test chain and follows the payment until it is final.
// Then exchanges into another wallet, withdraws to a PayPal account, and finds all of it among the transactions, among the orders
// and in a file.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type Locale, PREFIX, type Visit, brings, openVisit } from '../harness/browser.ts';
import { freshAddress, freshEmail } from '../customers/customer.ts';
import { codeFor } from '../harness/mailbox.ts';
import { sharedStage } from '../harness/stage.ts';
import type { System } from '../harness/system.ts';

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
});

const PATIENT = { timeout: 60_000 };

/** Account holder on the wallet's pages, who reads the mailed codes. */
interface Person extends Visit {
  readonly email: string;
  readonly open: (address: string) => Promise<void>;
  /** Formats an amount in the page's language. */
  readonly sum: (text: string) => string;
  /** Requests a mailed code by the page's button and types it. */
  readonly confirm: () => Promise<void>;
}

async function enter(locale: Locale): Promise<Person> {
  const visit = await openVisit(browser, locale);
  const { page, say } = visit;
  const email = freshEmail();
  const code = (): Promise<string> => codeFor(system, email);
  const open = async (address: string): Promise<void> =>
    void (await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/${address}`));
  await open('wallet');
  await page.getByLabel(say('sign_in_email')).fill(email);
  await page.getByRole('button', { name: say('sign_in_send') }).click();
  await page.getByLabel(say('code_label')).fill(await code());
  await page.getByRole('heading', { name: say('wallet_empty_title') }).waitFor();
  return {
    ...{ ...visit, email, open },
    sum: (text) => (locale === 'ru' ? text.replace('.', ',') : text),
    async confirm() {
      await page.getByRole('button', { name: say('confirm_send') }).click();
      await page.getByLabel(say('code_label')).fill(await code());
    },
  };
}

for (const locale of ['en', 'ru'] as const) {
  test(`USDT is deposited, exchanged into another wallet, withdrawn to PayPal, and all is listed (${locale})`, async () => {
    const person = await enter(locale);
    const address = await depositsUsdt(person);
    await findsDeposit(person, address);
    const order = await exchanges(person);
    const account = await withdrawsToPaypal(person);
    await findsAll(person, { order, address, account });
    assert.deepEqual(person.troubles, []);
    await person.close();
  });
}

/** Creates a deposit address, pays to it, and waits until the payment appears without a reload. Returns the address. */
async function depositsUsdt({ page, say, open, sum }: Person): Promise<string> {
  const main = page.getByRole('main');
  await main
    .getByRole('link', { name: say('wallet_deposit') })
    .first()
    .click();
  await main.getByRole('link', { name: 'USDT' }).click();
  await main.getByRole('link', { name: /ERC-20/ }).click();
  const place = page.getByRole('region', { name: say('deposit_place', { name: 'USDT' }) });
  const address = await shownAddress(place);
  const changes: string[] = [];
  page.on('response', (answer) => {
    if (answer.url().endsWith('/user/changes')) changes.push(`${answer.status()} ${answer.headers()['content-type']}`);
  });
  await system.client().sandboxPay({ currency: 'USDT_ERC20', to: address, amount: '250.5' });
  // The page follows the payment by the account's stream from the first sight to the end, without polling.
  await page.getByRole('region', { name: say('wallet_newest') }).waitFor();
  await page.getByText(say('wallet_arrived')).waitFor(PATIENT);
  assert.deepEqual([...new Set(changes)], ['200 text/event-stream; charset=utf-8']);
  await open('wallet');
  const moves = page.getByRole('table');
  await moves.waitFor(PATIENT);
  assert.ok((await moves.innerText()).includes(sum('250.50')));
  await page.getByText(say('wallet_all_available')).waitFor();
  return address;
}

const shownAddress = async (at: Pick<Page, 'locator'> & { innerText(): Promise<string> }): Promise<string> =>
  /0x[0-9a-fA-F]{40}/.exec((await at.innerText()).replace(/\s/g, ''))?.[0] ?? '';

/** Finds the deposit among the transactions by its address, opens its steps, and downloads the list as a workbook. */
async function findsDeposit({ page, say, sum }: Person, address: string): Promise<void> {
  await page
    .getByRole('table')
    .getByRole('link', { name: say('moves_deposit') })
    .click();
  await page.getByText(say('moves_step_final')).waitFor();
  assert.ok((await page.getByRole('main').innerText()).includes(sum('250.50')));
  await page.getByRole('link', { name: say('moves_back') }).click();
  await page.getByRole('searchbox', { name: say('moves_search') }).fill(address.toLowerCase());
  await page.getByRole('searchbox', { name: say('moves_search') }).press('Enter');
  await page.waitForURL(/transaction\?.*q=0x/);
  await page
    .locator('summary')
    .filter({ hasText: say('moves_wallet') })
    .click();
  await page.getByRole('link', { name: 'USDT', exact: true }).click();
  await page.waitForURL(/currency=USDT/);
  assert.ok((await page.getByRole('table').innerText()).includes(sum('250.50')));
  await page.getByText(say('moves_closing_now')).waitFor();
  const file = await downloads(page, say('export_xlsx'));
  assert.equal(file.subarray(0, 4).toString('latin1'), 'PK\u0003\u0004');
  await page.goto(page.url().replace('currency=USDT', 'status=failed'));
  await page.getByText(say('moves_nothing')).waitFor();
}

async function downloads(page: Page, name: RegExp): Promise<Buffer> {
  const begun = page.waitForEvent('download');
  await page.getByRole('button', { name }).click();
  return readFile(await (await begun).path());
}

/**
 * Exchanges from this wallet into another: confirms with a mailed code, and the order is done immediately. Returns the order's
 * number.
 */
async function exchanges(person: Person): Promise<string> {
  const { page, say, open, sum, confirm } = person;
  const request = new URLSearchParams({ from: 'USDT_TRC20', to: 'PAYPAL_USD', amount: '200', side: 'give' });
  await open(`new-order?${request}`);
  await page.getByLabel(say('sides_pay_wallet')).check();
  await page.getByLabel(say('sides_get_wallet')).check();
  await page
    .getByRole('button', { name: say('calculator_continue') })
    .last()
    .click();
  await page.getByText(say('details_into_wallet')).waitFor();
  await page.getByRole('checkbox', { name: say('details_terms_before') }).check();
  await page.getByRole('button', { name: say('details_continue') }).click();
  await confirm();
  await page
    .getByRole('button', { name: say('review_place') })
    .last()
    .click();
  await brings(person, page.waitForURL(/dashboard\/order\?/));
  const order = new URL(page.url()).searchParams.get('id') ?? '';
  await open('wallet');
  const left = sum('50.50').replace('.', '\\.');
  await page
    .getByText(new RegExp(`^${left}`))
    .first()
    .waitFor(PATIENT);
  await page.getByText('PayPal').first().waitFor(PATIENT);
  return order;
}

/** Withdraws from the second wallet to a PayPal account and follows the withdrawal to its end. Returns the PayPal account. */
async function withdrawsToPaypal({ page, say, open, sum, confirm }: Person): Promise<string> {
  const account = await freshAddress(system.client(), 'PAYPAL_USD');
  await open('wallet/withdraw?currency=PAYPAL_USD');
  await page.locator('[name="to.email"]').fill(account);
  await page.locator('[name=amount]').fill(sum('50.00'));
  const effect = page.getByRole('region', { name: say('withdraw_effect') });
  await effect.locator('[aria-busy]').waitFor({ state: 'detached' });
  await confirm();
  await page.getByRole('button', { name: say('withdraw_go') }).click();
  await page.getByRole('heading', { name: say('withdraw_one') }).waitFor();
  await page.getByText(say('withdraw_is_done'), { exact: true }).waitFor(PATIENT);
  const { amount } = await system.client().sandboxBalance({ currency: 'PAYPAL_USD', account });
  const arrived = (await page.getByRole('main').locator('aside').innerText()).replaceAll(/[\s\u00a0]/g, '');
  assert.ok(arrived.includes(sum(amount)), `${arrived} shows ${amount}, which is at PayPal`);
  return account;
}

/** Asserts that the lists contain each transaction once and the order by its number, and that the file contains the same. */
async function findsAll(
  { page, say, open }: Person,
  { order, address, account }: { order: string; address: string; account: string },
): Promise<void> {
  await open('wallet/transaction');
  const table = page.getByRole('table');
  for (const name of ['moves_withdrawal', 'moves_exchange_in', 'moves_exchange_out', 'moves_deposit'])
    await table.getByRole('link', { name: say(name) }).waitFor(PATIENT);
  assert.equal(await table.getByRole('link', { name: order }).count(), 2);
  const file = (await downloads(page, say('orders_export'))).toString('utf8');
  for (const known of [order, address.toLowerCase(), account]) assert.ok(file.toLowerCase().includes(known.toLowerCase()), known);
  for (const kind of ['deposit', 'exchange', 'withdrawal']) assert.match(file, new RegExp(`,${kind},`));
  await open('orders');
  await page.getByRole('table').getByText(order).waitFor(PATIENT);
}

test('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
