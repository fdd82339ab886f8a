// A wallet in both languages: opened by an address to pay to, paid on a test chain, seen on its way, the holder's once it is final.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Locale, PREFIX, openVisit } from './browser.ts';
import { freshEmail } from './customer.ts';
import { codeFor } from './mailbox.ts';
import { sharedStage } from './stage.ts';
import type { System } from './system.ts';

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
});

for (const locale of ['en', 'ru'] satisfies Locale[]) {
  test(`USDT is deposited on a test chain and seen to arrive (${locale})`, async () => {
    const { page, say, troubles, close } = await openVisit(browser, locale);
    const client = system.client();
    const email = freshEmail();
    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/wallet`);
    await page.getByLabel(say('sign_in_email')).fill(email);
    await page.getByRole('button', { name: say('sign_in_send') }).click();
    await page.getByLabel(say('code_label')).fill(await codeFor(system, email));
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
    await client.sandboxPay({ currency: 'USDT_ERC20', to: address, amount: '125.5' });
    // Followed without a reload, from the first sight to the end.
    await page.getByRole('region', { name: say('wallet_newest') }).waitFor();
    await page.getByText(say('wallet_arrived')).waitFor({ timeout: 60_000 });

    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/wallet`);
    const moves = page.getByRole('table');
    await moves.waitFor({ timeout: 60_000 });
    assert.match(await moves.innerText(), locale === 'ru' ? /125,50/ : /125\.50/);
    await page.getByText(say('wallet_all_available')).waitFor();
    assert.deepEqual(troubles, []);
    await close();
  });
}

test('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
