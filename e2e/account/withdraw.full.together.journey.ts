// Withdraws from a wallet in both languages: USDT to an address, confirmed with a mailed code and followed to its end, and a part
// into another holder's wallet.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { PREFIX, openVisit } from '../harness/browser.ts';
import { freshEmail } from '../customers/customer.ts';
import { codeFor } from '../harness/mailbox.ts';
import { sharedStage } from '../harness/stage.ts';
import type { System } from '../harness/system.ts';

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
});

const PATIENT = { timeout: 60_000 };

for (const locale of ['en', 'ru'] as const) {
  test(`USDT is withdrawn to an address and transferred to another account (${locale})`, async () => {
    const { page, say, troubles, close } = await openVisit(browser, locale);
    const other = await openVisit(browser, locale);
    const client = system.client();
    const [email, receiver] = [freshEmail(), freshEmail()];
    const site = `${system.url}/${PREFIX[locale]}/dashboard/wallet`;
    const enter = async (one: Page, address: string, name: string): Promise<void> => {
      await one.goto(`${site}${address}`);
      await one.getByLabel(say('sign_in_email')).fill(name);
      await one.getByRole('button', { name: say('sign_in_send') }).click();
      await one.getByLabel(say('code_label')).fill(await codeFor(system, name));
    };
    await Promise.all([enter(page, '/deposit?currency=USDT&rail=evm', email), enter(other.page, '', receiver)]);
    await other.page.getByRole('heading', { name: say('wallet_empty_title') }).waitFor();
    const place = page.getByRole('region', { name: say('deposit_place', { name: 'USDT' }) });
    const own = /0x[0-9a-fA-F]{40}/.exec((await place.innerText()).replace(/\s/g, ''))?.[0] ?? '';
    await client.sandboxPay({ currency: 'USDT_ERC20', to: own, amount: '125.5' });
    await page.getByText(say('wallet_arrived')).waitFor(PATIENT);

    // The page shows the costs before the holder confirms. The mailed code is valid only for this withdrawal.
    const { address } = await client.sandboxAddress({ currency: 'USDT_ERC20' });
    const amount = (text: string): string => (locale === 'ru' ? text.replace('.', ',') : text);
    const press = (key: string) => page.getByRole('button', { name: say(key) }).click();
    const confirm = async (key: string): Promise<void> => {
      await press('confirm_send');
      await page.locator('[name=otp]').fill(await codeFor(system, email));
      await press(key);
    };
    await page.goto(`${site}/withdraw?currency=USDT`);
    await page.getByRole('radio', { name: /ERC-20/ }).check({ force: true });
    await page.locator('[name="to.address"]').fill(address);
    await page.locator('[name=amount]').fill(amount('100.00'));
    const effect = page.getByRole('region', { name: say('withdraw_effect') });
    await effect.getByText(amount('25.50')).waitFor();
    const stays = locale === 'ru' ? /Останется\sв\sкошельке/ : /Left in the wallet/;
    assert.match(await effect.innerText(), stays, 'nothing has left the wallet yet');
    await effect.locator('[aria-busy]').waitFor({ state: 'detached' });
    await page.getByText(say('known_new')).waitFor(PATIENT);
    const limits = page.getByRole('region', { name: say('limits_title') });
    assert.match(await limits.innerText(), /\b0\s\/\s5[,\s]000\s/);
    await confirm('withdraw_go');
    await page.getByRole('heading', { name: say('withdraw_one') }).waitFor();
    await page.getByText(say('withdraw_is_done'), { exact: true }).waitFor(PATIENT);

    // Transfers to another holder's wallet, which receives the amount immediately.
    await page.goto(`${site}/withdraw?currency=USDT&tab=person`);
    await page.getByRole('main').locator('[name=to]').fill(receiver);
    await page.locator('[name=amount]').fill(amount('5.25'));
    assert.match(await effect.innerText(), stays);
    await confirm('person_go');
    await page.getByText(say('person_done')).waitFor();
    await other.page.reload();
    await other.page.getByRole('main').getByText(amount('5.25')).first().waitFor();

    // Both amounts count against the limits, and the address is known at the next withdrawal.
    await page.goto(`${site}/withdraw?currency=USDT`);
    await limits
      .getByText(/\b105[.,]\d\d\s\/\s5[,\s]000\s/)
      .first()
      .waitFor(PATIENT);
    await page.getByRole('radio', { name: /ERC-20/ }).check({ force: true });
    await page.locator('[name="to.address"]').fill(address);
    await page.locator('[name=amount]').fill(amount('10.00'));
    await page.getByText(locale === 'en' ? /You have sent there once before/ : /Вы\s+отправляли сюда/).waitFor(PATIENT);

    await page.goto(`${site}/withdraw`);
    const list = page.getByRole('region', { name: say('withdraw_list') });
    assert.match(await list.getByRole('table').innerText(), new RegExp(amount('100.00')));
    assert.deepEqual([...troubles, ...other.troubles], []);
    await Promise.all([close(), other.close()]);
  });
}

test('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
