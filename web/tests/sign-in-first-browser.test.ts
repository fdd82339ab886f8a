// A visitor whose exchange needs an account is asked to sign in, with the same amounts. Runs over the built site and the stub.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NEEDS_ACCOUNT } from '../testing/needs-account.ts';
import { isTakenOver, windowsOnSite } from '../testing/windows.ts';

const site = windowsOnSite();

for (const [prefix, title, signIn, change] of [
  ['En', 'Sign in for this exchange', 'Sign in', 'Change the amount'],
  ['Ru', 'Войдите для\u00a0этого обмена', 'Войти', 'Изменить сумму'],
] as const) {
  test(`step 1 leads to the dashboard’s first step, which gives the reason (${prefix})`, async () => {
    for (const width of [390, 1440]) {
      const { page, context, troubles } = await site.open({ viewport: { width, height: 900 } });
      await page.goto(`${site.url}/${prefix}?from=BTC&to=USDT_ERC20&amount=${NEEDS_ACCOUNT}&side=give`);
      await isTakenOver(page);
      await page.locator('main form button[name=intent][value=continue]:visible').click();
      await page.waitForURL('**/dashboard/new-order?**');
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      assert.equal(new URL(page.url()).searchParams.get('amount'), NEEDS_ACCOUNT);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `wider than the window by ${wide}`);
      const other = page.getByRole('main').getByRole('link', { name: change });
      const href = (await other.getAttribute('href')) ?? '';
      assert.ok(href.includes(`amount=${NEEDS_ACCOUNT}`) && !href.includes('needs='), href);
      await page.getByRole('main').getByRole('button', { name: signIn }).click();
      await page.getByRole('dialog').waitFor();
      assert.deepEqual(troubles, []);
      await context.close();
    }
  });
}

test('step 2 leads to the dashboard’s first step, too', async () => {
  const { page, context } = await site.open();
  await page.goto(`${site.url}/En?from=BTC&to=USDT_ERC20&amount=0.01&side=give`);
  await isTakenOver(page);
  await page.locator('main form button[name=intent][value=continue]:visible').click();
  await page.waitForURL('**/exchange?**');
  await page.locator('input[name="receive.address"]').fill('0x52908400098527886E0F7030069857D2E4169EE7');
  await page.locator('input[name="refund.address"]').fill('bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080');
  await page.locator('input[name=email]').fill('level@example.org');
  await page.locator('input[name=terms_accepted]').check({ force: true });
  await page.locator('main form button[type=submit]:visible').first().click();
  await page.waitForURL('**/dashboard/new-order?**');
  const query = new URL(page.url()).searchParams;
  assert.deepEqual([query.get('needs'), query.get('from'), Number(query.get('amount'))], ['account', 'BTC', 0.01]);
  await context.close();
});
