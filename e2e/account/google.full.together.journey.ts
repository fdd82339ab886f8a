// Signs in with Google in both languages: a new account, one with an authenticator, and an existing account, which is linked
// after the holder proves access to the mailbox.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { authenticatorShows } from '../harness/authenticator.ts';
import { PREFIX, openVisit } from '../harness/browser.ts';
import { freshEmail } from '../customers/customer.ts';
import { languages } from '../harness/languages.ts';
import { codeFor } from '../harness/mailbox.ts';
import { sharedStage } from '../harness/stage.ts';
import type { System } from '../harness/system.ts';

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
});

/** Allows Google's script to load, which nothing loads before. */
const allowGoogle = (page: Page): Promise<void> =>
  page
    .locator('dialog')
    .getByRole('button', { name: /Google/ })
    .click();

/** Signs in to Google in the window that the button opens. */
async function atGoogle(page: Page, email: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page
      .locator('dialog')
      .getByRole('button', { name: /Google/ })
      .click(),
  ]);
  await popup.locator('[name=email]:not([type=hidden])').fill(email);
  for (const [name, value] of Object.entries(more)) await popup.locator(`select[name=${name}]`).selectOption(value);
  await popup.getByRole('button', { name: 'Sign in' }).click();
}

for (const locale of languages('en')) {
  test(`an account is opened by Google, and entered again with a second factor (${locale})`, async () => {
    const { page, say, troubles, close } = await openVisit(browser, locale);
    const scripts: string[] = [];
    const codes: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/sandbox/google/client')) scripts.push(request.url());
      if (request.url().endsWith('/google/login'))
        codes.push((request.postDataJSON() as Record<string, unknown>)['two_factor_code']);
    });
    const email = freshEmail();
    const dialog = page.locator('dialog');
    const press = (key: string) => page.getByRole('button', { name: say(key) }).click();
    const menu = page.getByLabel(say('account_menu', { email }));
    const signOut = async (): Promise<void> => {
      await menu.click();
      await press('account_sign_out');
    };
    await page.goto(`${system.url}/${PREFIX[locale]}`);
    await page.getByRole('button', { name: say('account_sign_in') }).waitFor();
    assert.deepEqual(scripts, [], 'nothing of Google comes before somebody wants to sign in');

    // An address that Google hasn't verified opens no account, and the next attempt starts from the beginning.
    await press('account_sign_in');
    await dialog.getByText(say('google_consent', { host: new URL(system.url).host })).waitFor();
    assert.deepEqual(scripts, [], 'nor before it is pressed for');
    await allowGoogle(page);
    await dialog.getByText(say('google_consent', { host: new URL(system.url).host })).waitFor({ state: 'detached' });
    await atGoogle(page, email, { verified: 'no' });
    await dialog.getByRole('alert').waitFor();
    await atGoogle(page, email);
    await menu.waitFor();
    assert.equal(scripts.length, 1);

    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/account`);
    await press('two_factor_begin');
    await page.getByRole('img', { name: say('two_factor_qr') }).waitFor();
    const secret = (await page.locator('code').first().innerText()).replaceAll(' ', '');
    await page.locator('[name=two_factor_code]').fill(authenticatorShows(secret));
    await press('two_factor_switch_on');
    await press('recovery_kept');
    await page.getByText(say('two_factor_is_on')).first().waitFor();
    await press('account_sign_out');
    await page.waitForURL(`${system.url}/${PREFIX[locale]}`);

    await press('account_sign_in');
    await atGoogle(page, email);
    await dialog.getByLabel(say('second_label')).waitFor();
    assert.equal(await page.evaluate(() => localStorage.getItem('accessToken')), null);
    const second = authenticatorShows(secret, 1);
    await dialog.getByLabel(say('second_label')).fill(second);
    await menu.waitFor();
    await signOut();
    assert.deepEqual(codes, ['', '', '', second], 'the code is sent empty until it is asked for');

    // An address that isn't hosted by Google must be proven once by a code that is mailed to it.
    const other = freshEmail();
    await press('account_sign_in');
    await atGoogle(page, other, { hosted: 'no' });
    await dialog.getByText(say('google_link_lead', { email: other })).waitFor();
    await dialog.getByLabel(say('code_label')).fill(await codeFor(system, other));
    await page.getByLabel(say('account_menu', { email: other })).waitFor();
    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/account`);
    await press('google_unlink');
    await page.getByRole('button', { name: say('google_unlink') }).waitFor({ state: 'detached' });
    const expected = [/401 POST .*google\/login/, /status of 401/];
    assert.deepEqual(
      troubles.filter((trouble) => !expected.some((one) => one.test(trouble))),
      [],
    );
    await close();
  });
}
