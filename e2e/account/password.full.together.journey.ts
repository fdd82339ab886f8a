// Uses a password in both languages: sets it by a mailed code and signs in with it. A refusal doesn't say which field was wrong.
// Then changes the account's address.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { PREFIX, openVisit } from '../harness/browser.ts';
import { freshEmail } from '../customers/customer.ts';
import { codeFor } from '../harness/mailbox.ts';
import { sharedStage } from '../harness/stage.ts';
import { type System, until } from '../harness/system.ts';

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
});

/** Image of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const GOOD = 'correct horse battery';

for (const locale of ['en', 'ru'] as const) {
  test(`a password is set by a mailed code and opens the account afterwards (${locale})`, async () => {
    const { page, say, troubles, close } = await openVisit(browser, locale);
    const email = freshEmail();
    const dialog = page.locator('dialog');
    const press = (key: string) => dialog.getByRole('button', { name: say(key) }).click();
    await page.goto(`${system.url}/${PREFIX[locale]}`);
    await page.getByRole('button', { name: say('account_sign_in') }).click();
    await press('sign_in_by_password');
    // Empty fields: each one shows an error.
    await dialog.locator('[type=submit]').click();
    await dialog.locator('[name=email][aria-invalid]').waitFor();
    await dialog.locator('[name=password][aria-invalid]').waitFor();
    await dialog.getByLabel(say('sign_in_email')).fill(email);
    await dialog.locator('[name=password]').fill(GOOD);
    await dialog.locator('[type=submit]').click();
    await dialog.getByRole('alert').waitFor();

    await press('password_forgot');
    assert.equal(await dialog.getByLabel(say('sign_in_email')).inputValue(), email, 'nothing is typed twice');
    await press('sign_in_send');
    await dialog.getByLabel(say('code_label')).fill(await codeFor(system, email));
    await dialog.locator('[name=password]').fill('password123');
    await press('password_reset_save');
    await dialog.locator('[name=password][aria-invalid]').waitFor();
    await dialog.locator('[name=password]').fill(GOOD);
    await press('password_reset_save');
    const menu = page.getByLabel(say('account_menu', { email }));
    await menu.click();
    await page.getByRole('button', { name: say('account_sign_out') }).click();

    await page.getByRole('button', { name: say('account_sign_in') }).click();
    await dialog.getByLabel(say('sign_in_email')).fill(email);
    await press('sign_in_send');
    await press('sign_in_by_password');
    await press('sign_in_by_code');
    await dialog.getByLabel(say('code_label')).waitFor();
    await press('sign_in_by_password');
    await dialog.getByLabel(say('sign_in_email')).fill(email.toUpperCase());
    await dialog.locator('[name=password]').fill(GOOD);
    await dialog.locator('[name=password]').press('Enter');
    await menu.waitFor();
    assert.equal(await dialog.count(), 0);

    // Changes the address with a code from each mailbox. The old address opens nothing afterwards.
    const next = freshEmail();
    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/account`);
    await page.getByRole('button', { name: say('email_change') }).click();
    await page.locator('[name=email]').fill(email);
    await page.getByRole('button', { name: say('email_send') }).click();
    await page.locator('[name=email][aria-invalid]').waitFor();
    await page.locator('[name=email]').fill(next);
    await page.getByRole('button', { name: say('email_send') }).click();
    await page.locator('[name=new_otp]').fill(await codeFor(system, next));
    await page.getByRole('button', { name: say('email_save') }).click();
    await page.locator('[name=otp][aria-invalid]').waitFor();
    await page.locator('[name=otp]').fill(await codeFor(system, email));
    await page.getByRole('button', { name: say('email_save') }).click();
    await page.getByText(say('email_changed')).waitFor();
    await page.getByText(say('frozen_email_changed')).waitFor();
    await page.locator(`aside [title="${next}"]`).waitFor();

    // Sets a name and a picture, which the frame shows immediately.
    await page
      .locator('[name=picture]')
      .setInputFiles({ name: 'me.gif', mimeType: 'image/gif', buffer: Buffer.from('no picture') });
    await page.getByText(say('about_picture_unread')).waitFor();
    await page.locator('[name=picture]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PIXEL });
    await page.locator('aside img').waitFor();
    const picture = await page.request.get(`${system.url}${await page.locator('aside img').getAttribute('src')}`);
    assert.match(`${picture.status()} ${picture.headers()['content-type']}`, /^200 image\/webp$/);
    assert.equal(picture.headers()['x-content-type-options'], 'nosniff');
    await page.locator('[name=name]').fill('Anna <i>K</i>');
    await page.locator('[name=name]').press('Enter');
    await page.getByText(say('about_saved')).waitFor();
    await page.locator('aside').getByText('Anna <i>K</i>').waitFor();

    // Downloads the account's data, requests its closure, and withdraws the request.
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: say('data_download') }).click(),
    ]);
    const known = JSON.parse(await readFile(await file.path(), 'utf8')) as { account: { email: string }; orders: unknown[] };
    assert.deepEqual([known.account.email, known.orders], [next, []]);
    await page.getByRole('button', { name: say('close_ask') }).click();
    await page.locator('[name=otp]').waitFor();
    const closing = await until('the letter with the code to close', 20_000, async () => {
      const letters = await system.client().sandboxMail({ to: next });
      return /^\d{6}$/m.exec(letters.find(({ text }) => /close your account|закрыть аккаунт/.test(text))?.text ?? '')?.[0];
    });
    await page.locator('[name=otp]').fill(closing);
    await page.getByRole('button', { name: say('close_confirm') }).click();
    await page.getByText(say('closing_note')).waitFor();
    await page.getByRole('button', { name: say('closing_keep') }).click();
    await page.getByText(say('closing_note')).waitFor({ state: 'detached' });
    const expected = [/4(22|01|03) POST .*(login|confirm|change)/, /status of (422|401|403)/];
    assert.deepEqual(
      troubles.filter((trouble) => !expected.some((one) => one.test(trouble))),
      [],
    );
    await close();
  });
}
