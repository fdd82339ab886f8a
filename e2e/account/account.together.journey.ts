// Creates an account with a mailed code in both languages. The session remains after a reload, appears in another tab, and ends
// in all tabs.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { PREFIX, type Visit, openVisit } from '../harness/browser.ts';
import { freshEmail } from '../customers/customer.ts';
import { languages } from '../harness/languages.ts';
import { codeFor } from '../harness/mailbox.ts';
import { type System, until } from '../harness/system.ts';
import { sharedStage } from '../harness/stage.ts';
import { signUp } from '../customers/signed.ts';

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
});
const tokenOf = (page: Page): Promise<string | null> => page.evaluate(() => localStorage.getItem('accessToken'));

for (const locale of languages('ru')) {
  const email = freshEmail();
  let visit: Visit;
  const button = (key: string) => visit.page.getByRole('button', { name: visit.say(key) });

  test(`an account is opened by a mailed code (${locale})`, async () => {
    visit = await openVisit(browser, locale);
    const { page, say } = visit;
    // The referral code of the link is sent with the request for a code, even two pages later.
    const { referral_code: reference } = await (await signUp(system)).client.userInfo({});
    await page.goto(`${system.url}/${PREFIX[locale]}/track?ref=${reference}`);
    assert.equal(page.url(), `${system.url}/${PREFIX[locale]}/track`);
    await page.goto(`${system.url}/${PREFIX[locale]}`);
    // The bot check can't reach the server: the page reports it, and the next attempt starts from the beginning.
    await page.route('**/bot/challenge*', (route) => route.abort());
    await button('account_sign_in').click();
    await page.getByLabel(say('sign_in_email')).fill('nobody');
    await button('sign_in_send').click();
    await page.locator('dialog [role=alert]').waitFor();
    await page.unroute('**/bot/challenge*');
    await button('sign_in_send').click();
    await page.locator('dialog [aria-invalid]').waitFor();
    await page.getByLabel(say('sign_in_email')).fill(email);
    const request = page.waitForRequest('**/sign-up/get-otp');
    await button('sign_in_send').click();
    const { referral_code: sent = '' } = (await request).postDataJSON() as { referral_code?: string };
    assert.match(sent, new RegExp(`^${reference}~\\d{10}$`));
    const field = page.locator('dialog').getByLabel(say('code_label'));
    await field.waitFor();
    await page.getByText(say('sign_in_code_lead', { email })).waitFor();
    const code = await codeFor(system, email);
    // One digit is wrong: the error appears at the field, and the input can be corrected.
    await field.fill(code.slice(0, 5) + ((BigInt(code) + 1n) % 10n).toString());
    await page.locator('dialog [aria-invalid]').waitFor();
    await field.fill('');
    await field.fill(code);
    await page.getByLabel(say('account_menu', { email })).waitFor();
    assert.equal(await page.locator('dialog').count(), 0, 'the dialog has gone');
    assert.match((await tokenOf(page)) ?? '', /^kurs_s_/);
  });

  test(`the browser keeps the session until sign-out (${locale})`, async () => {
    const { page, say, troubles, close } = visit;
    await page.reload();
    await page.getByLabel(say('account_menu', { email })).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${system.url}/${PREFIX[locale]}/rates`);
    // This browser is signed out in every tab even if the server can't be reached.
    await other.route('**/api/v1/logout', (route) => route.abort());
    await other.getByLabel(say('account_menu', { email })).click();
    await other.getByRole('button', { name: say('account_sign_out') }).click();
    await other.getByRole('button', { name: say('account_sign_in') }).waitFor();
    await button('account_sign_in').waitFor();
    assert.equal(await tokenOf(page), null);

    // An invalid token is removed when the page starts.
    await page.evaluate(() => localStorage.setItem('accessToken', `kurs_s_${'x'.repeat(43)}`));
    await page.reload();
    await until('the token to be dropped', 10_000, async () => (await tokenOf(page)) === null);
    await button('account_sign_in').waitFor();
    const expected = [/422 POST .*get-otp/, /422 POST .*confirm/, /401 GET .*user\/info/, /status of (422|401)/, /ERR_FAILED/];
    assert.deepEqual(
      troubles.filter((trouble) => !expected.some((one) => one.test(trouble))),
      [],
    );
    await close();
  });
}
