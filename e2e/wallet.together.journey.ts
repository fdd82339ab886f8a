// A wallet in both languages: opened by an address to pay to, paid on a test chain, seen on its way, the holder's once it is
// final, and found among all that moved.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { PREFIX, type Visit, openVisit } from './browser.ts';
import { freshEmail } from './customer.ts';
import { languages } from './languages.ts';
import { codeFor } from './mailbox.ts';
import { sharedStage } from './stage.ts';
import type { System } from './system.ts';

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
});

for (const locale of languages('ru')) {
  test(`USDT is deposited on a test chain and seen to arrive (${locale})`, async () => {
    const { page, say, troubles, close } = await openVisit(browser, locale);
    const client = system.client();
    const email = freshEmail();
    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/wallet`);
    await page.getByLabel(say('sign_in_email')).fill(email);
    await page.getByRole('button', { name: say('sign_in_send') }).click();
    const signIn = await codeFor(system, email);
    await page.getByLabel(say('code_label')).fill(signIn);
    await page.getByRole('heading', { name: say('wallet_empty_title') }).waitFor();

    const main = page.getByRole('main');
    await main
      .getByRole('link', { name: say('wallet_deposit') })
      .first()
      .click();
    await main.getByRole('link', { name: 'USDT' }).click();
    await main.getByRole('link', { name: /ERC-20/ }).click();
    const place = page.getByRole('region', { name: say('deposit_place', { name: 'USDT' }) });
    const address = /0x[0-9a-fA-F]{40}/.exec((await place.innerText()).replace(/\s/g, ''))?.[0] ?? '';
    const changes: string[] = [];
    page.on('response', (answer) => {
      if (answer.url().endsWith('/user/changes')) changes.push(`${answer.status()} ${answer.headers()['content-type']}`);
    });
    await client.sandboxPay({ currency: 'USDT_ERC20', to: address, amount: '125.5' });
    // Followed without a reload by the account’s stream, from the first sight to the end: nobody asks again and again.
    await page.getByRole('region', { name: say('wallet_newest') }).waitFor();
    await page.getByText(say('wallet_arrived')).waitFor({ timeout: 60_000 });
    assert.deepEqual([...new Set(changes)], ['200 text/event-stream; charset=utf-8']);

    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/wallet`);
    const moves = page.getByRole('table');
    await moves.waitFor({ timeout: 60_000 });
    assert.match(await moves.innerText(), locale === 'ru' ? /125,50/ : /125\.50/);
    await page.getByText(say('wallet_all_available')).waitFor();
    await findsIt(page, say, locale === 'ru' ? /125,50/ : /125\.50/);

    // From that wallet into another: confirmed by a mailed code, done with the placing.
    const asked = new URLSearchParams({ from: 'USDT_ERC20', to: 'BTC', amount: '100', side: 'give' });
    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/new-order?${asked}`);
    await page.getByLabel(say('sides_pay_wallet')).check();
    await page.getByLabel(say('sides_get_wallet')).check();
    await page
      .getByRole('button', { name: say('calculator_continue') })
      .last()
      .click();
    await page.getByText(say('details_into_wallet')).waitFor();
    await page.getByRole('checkbox', { name: say('details_terms_before') }).check();
    await page.getByRole('button', { name: say('details_continue') }).click();
    await page.getByRole('button', { name: say('confirm_send') }).click();
    await page.getByLabel(say('code_label')).fill(await codeFor(system, email, signIn));
    await page
      .getByRole('button', { name: say('review_place') })
      .last()
      .click();
    await page.waitForURL(/dashboard\/order\?/);
    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/wallet`);
    await page
      .getByText(locale === 'ru' ? /^25,50/ : /^25\.50/)
      .first()
      .waitFor({ timeout: 60_000 });
    await page.getByText('BTC').first().waitFor({ timeout: 60_000 });
    assert.deepEqual(troubles, []);
    await close();
  });
}

/** What arrived is found among all that moved, by its address, followed to its steps, and downloaded as a workbook. */
async function findsIt(page: Page, say: Visit['say'], sum: RegExp): Promise<void> {
  await page.getByRole('table').getByRole('link', { name: say('moves_deposit') }).click(); // prettier-ignore
  await page.getByText(say('moves_step_final')).waitFor();
  assert.match(await page.getByRole('main').innerText(), sum);
  const address = /0x[0-9a-fA-F]{40}/.exec((await page.getByRole('main').innerText()).replace(/\s/g, ''))?.[0] ?? '';
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
  assert.match(await page.getByRole('table').innerText(), sum);
  await page.getByText(say('moves_closing_now')).waitFor();
  const downloads = page.waitForEvent('download');
  await page.getByRole('button', { name: say('export_xlsx') }).click();
  const file = await readFile(await (await downloads).path());
  assert.equal(file.subarray(0, 4).toString('latin1'), 'PK\u0003\u0004');
  await page.goto(page.url().replace('currency=USDT', 'status=failed'));
  await page.getByText(say('moves_nothing')).waitFor();
}

test('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
