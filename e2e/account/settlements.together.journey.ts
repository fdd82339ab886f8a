// The owner of a shop moves what buyers paid to the wallet and back, and switches the daily move on.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openShop, sell, untilState } from '../customers/business.ts';
import { PREFIX, brings, openVisit } from '../harness/browser.ts';
import { codeFor } from '../harness/mailbox.ts';
import { sharedStage } from '../harness/stage.ts';
import { type System, isReady, until } from '../harness/system.ts';

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
  const { directions } = system.client();
  await until('the directions to open', 60_000, async () => (await directions({})).directions.every(isReady));
});

for (const locale of ['en', 'ru'] as const)
  test(`the balance of a store moves to the wallet once it is deep, and back (${locale})`, async () => {
    const shop = await openShop(system, 'USDT_ERC20');
    const { client, store } = shop;
    await untilState(shop, await sell(shop, '25.00'), 'settled');
    await until('the payment to be deep', 120_000, async () => {
      const [usdt] = (await client.storeBalance({ store })).balances;
      return usdt !== undefined && usdt.movable === usdt.balance && usdt.balance !== '0.00';
    });
    const [balance] = (await client.storeBalance({ store })).balances;
    const visit = await openVisit(browser, locale);
    const { page, say } = visit;
    await page.addInitScript((stored) => localStorage.setItem('accessToken', stored), shop.token);
    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/business/store/settlements?id=${store}`);

    const confirm = async (): Promise<void> => {
      await page.getByRole('button', { name: say('confirm_send') }).click();
      await page.getByLabel(say('code_label')).fill(await codeFor(system, shop.email));
    };
    await page.getByRole('button', { name: say('settlements_move'), exact: true }).click();
    await confirm();
    await page.getByRole('button', { name: say('settlements_move_sum') }).click();
    await brings(visit, page.getByText(say('settlements_moved')).waitFor());
    const available = async (): Promise<string | undefined> =>
      (await client.wallets({})).find(({ currency }) => currency === 'USDT')?.available;
    await until('the wallet to be opened', 30_000, async () => (await available()) !== undefined);
    assert.equal(Number.parseFloat((await available()) ?? ''), Number.parseFloat(balance?.balance ?? ''));

    await page.reload();
    await page.getByRole('button', { name: say('settlements_move_back'), exact: true }).click();
    await page.getByLabel(say('settlements_amount_back')).fill('5');
    await confirm();
    await page.getByRole('button', { name: say('settlements_move_back_sum') }).click();
    await brings(visit, page.getByText(say('settlements_moved_back')).waitFor());
    assert.equal((await client.storeBalance({ store })).balances[0]?.balance, '5.00');
    const moves = page.getByRole('region', { name: say('settlements_list') });
    await moves.getByText(say('settlements_to_store')).last().waitFor();

    await page.getByRole('button', { name: say('settlements_daily_start') }).click();
    await brings(visit, page.getByRole('button', { name: say('settlements_daily_stop') }).waitFor());
    assert.equal((await client.storeBalance({ store })).daily, true);

    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/wallet/transaction`);
    await page.getByText(say('moves_from_store')).first().waitFor();
    await page.getByText('Tea shop').first().waitFor();
    assert.deepEqual(visit.troubles, []);
    await visit.close();
  });

test('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
