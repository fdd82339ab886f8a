// Deposits into a wallet at a payment system: requests the payment, pays on the system's own page, and waits until the amount is
// available.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { PREFIX, openVisit } from '../harness/browser.ts';
import { freshEmail } from '../customers/customer.ts';
import { signUp } from '../customers/signed.ts';
import { languages } from '../harness/languages.ts';
import { codeFor } from '../harness/mailbox.ts';
import { payAtProvider } from '../customers/pay-at.ts';
import { sharedStage } from '../harness/stage.ts';
import { type System, until } from '../harness/system.ts';

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
});

for (const locale of languages('en')) {
  test(`a wallet of Payeer dollars is paid in at Payeer (${locale})`, async () => {
    const visit = await openVisit(browser, locale);
    const { page, say, troubles, close } = visit;
    const email = freshEmail();
    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/wallet/deposit?currency=PAYEER_USD`);
    await page.getByLabel(say('sign_in_email')).fill(email);
    await page.getByRole('button', { name: say('sign_in_send') }).click();
    await page.getByLabel(say('code_label')).fill(await codeFor(system, email));
    // Without an amount the page requests no payment and names the minimum.
    await page.getByRole('button', { name: say('deposit_ask') }).click();
    await page.getByText(say('deposit_amount_missing')).waitFor();
    await page.getByLabel(say('withdraw_amount')).fill('25');
    await page.getByRole('button', { name: say('deposit_ask') }).click();
    await page.getByRole('heading', { name: say('deposit_pay_now') }).waitFor();
    await payAtProvider(visit);
    // The tab returns to its deposit, and the amount appears without a reload.
    await page.getByRole('heading', { name: say('deposit_paid') }).waitFor({ timeout: 60_000 });
    await page.getByText(say('wallet_arrived')).waitFor({ timeout: 60_000 });
    await page.getByRole('link', { name: say('withdraw_to_wallets') }).click();
    await page.getByText(say('wallet_all_available')).waitFor({ timeout: 60_000 });
    // Payeer's fee is subtracted. The deposit has a single row.
    const row = page.getByRole('table').getByRole('link', { name: say('moves_deposit') });
    await row.first().click();
    await page.getByText(say('moves_step_final')).waitFor();
    assert.match(await page.getByRole('main').innerText(), /KD-[0-9A-Z]{4}-[0-9A-Z]{4}/);
    // A currency that requires a verified account says so before the holder can enter anything.
    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/wallet/deposit?currency=PAYPAL_USD`);
    const verify = page.getByRole('link', { name: say('calculator_level_link') });
    assert.match((await verify.getAttribute('href')) ?? '', /\/contact-us\?topic=verification$/);
    assert.equal(await page.getByRole('button', { name: say('deposit_ask') }).count(), 0);
    await system.client().sandboxLevel({ email, level: 2 });
    await page.reload();
    await page.getByRole('button', { name: say('deposit_ask') }).waitFor();
    assert.deepEqual(troubles, []);
    await close();
  });
}

test('a bitcoin deposit is paid from the sandbox’s wallet by a button of its page', async () => {
  const { token, client } = await signUp(system);
  const { page, say, troubles, close } = await openVisit(browser, 'en');
  await page.addInitScript((stored) => localStorage.setItem('accessToken', stored), token);
  await page.goto(`${system.url}/En/dashboard/wallet/deposit?currency=BTC`);
  await page.getByLabel(say('withdraw_amount')).fill('0.0123');
  await page.getByRole('button', { name: say('sandbox_pay') }).click();
  await page.getByText(say('sandbox_paid')).waitFor();
  await until('the deposit', 60_000, async () => {
    const [deposit] = await client.walletDeposits({});
    return deposit?.amount.replace(/0+$/, '') === '0.0123' && deposit?.status === 'final';
  });
  // The mailbox linked in the banner shows the account's letter.
  const mailbox = page.getByRole('banner').getByRole('link', { name: say('sandbox_mailbox') });
  assert.equal((await page.request.get(system.url + (await mailbox.getAttribute('href')))).status(), 200);
  assert.deepEqual(troubles, []);
  await close();
});

test('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
