// Protects an account in both languages: creates it with a code, adds a password and an authenticator, signs in with both, and
// recovers it with a recovery code after the authenticator is lost.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { writeTime } from '@kurs/money';
import type { Browser } from 'playwright-core';
import { authenticatorShows } from '../harness/authenticator.ts';
import { PREFIX, openVisit } from '../harness/browser.ts';
import { call } from '../harness/call.ts';
import { freshEmail } from '../customers/customer.ts';
import { codeFor } from '../harness/mailbox.ts';
import { sharedStage } from '../harness/stage.ts';
import { type System, until } from '../harness/system.ts';

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
});

const GOOD = 'correct horse battery';

for (const locale of ['en', 'ru'] as const) {
  test(`a password and an authenticator guard an account, which a recovery code opens without it (${locale})`, async () => {
    const { page, say, troubles, close } = await openVisit(browser, locale);
    const email = freshEmail();
    const dialog = page.locator('dialog');
    const press = (key: string) => page.getByRole('button', { name: say(key) }).click();
    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/account`);
    await dialog.getByLabel(say('sign_in_email')).fill(email);
    await press('sign_in_send');
    await dialog.getByLabel(say('code_label')).fill(await codeFor(system, email));

    // Sets a password. This device stays signed in, and a letter reports the change.
    await page.getByRole('heading', { name: say('dashboard_account') }).waitFor();
    await page.locator('[name=password]').fill(email);
    await press('account_password_save');
    await page.locator('[name=password][aria-invalid]').waitFor();
    await page.locator('[name=password]').fill(GOOD);
    await press('account_password_save');
    await page.getByText(say('account_password_saved')).waitFor();
    await page.locator('[name=current_password]').waitFor();

    // Sets up an authenticator from the displayed key.
    await press('two_factor_begin');
    await page.getByRole('img', { name: say('two_factor_qr') }).waitFor();
    const secret = (await page.locator('code').first().innerText()).replaceAll(' ', '');
    await page.locator('[name=two_factor_code]').fill(authenticatorShows(secret, 40));
    await press('two_factor_switch_on');
    await page.locator('[name=two_factor_code][aria-invalid]').waitFor();
    await page.locator('[name=two_factor_code]').fill(authenticatorShows(secret));
    await press('two_factor_switch_on');
    await page.getByRole('heading', { name: say('recovery_title') }).waitFor();
    const codes = await page
      .locator('li')
      .filter({ hasText: /^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/ })
      .allInnerTexts();
    assert.equal(codes.length, 10);
    const [file] = await Promise.all([page.waitForEvent('download'), press('recovery_download')]);
    assert.match(file.suggestedFilename(), /recovery-codes\.txt$/);
    await press('recovery_kept');
    await page.getByText(say('two_factor_is_on')).first().waitFor();
    await page.reload();
    await page.getByText(say('two_factor_is_on')).first().waitFor();
    assert.equal(await page.getByText(codes[0] as string).count(), 0, 'they are shown once');

    // Signs out, and signs in with the password and the next code.
    const token = await page.evaluate(() => localStorage.getItem('accessToken'));
    const opens = async (): Promise<number> =>
      (await call(system.url, 'GET', '/user/info', undefined, { authorization: `Bearer ${token}` })).status;
    assert.equal(await opens(), 200);
    await press('account_sign_out');
    await page.waitForURL(`${system.url}/${PREFIX[locale]}`);
    await until('the session to be over for anyone who has its token', 20_000, async () => (await opens()) === 401);
    const enterPassword = async (): Promise<void> => {
      await page.getByRole('button', { name: say('account_sign_in') }).click();
      await dialog.getByRole('button', { name: say('sign_in_by_password') }).click();
      await dialog.getByLabel(say('sign_in_email')).fill(email);
      await dialog.locator('[name=password]').fill(GOOD);
      await dialog.locator('[type=submit]').click();
      await dialog.getByLabel(say('second_label')).waitFor();
    };
    await enterPassword();
    assert.equal(await page.evaluate(() => localStorage.getItem('accessToken')), null);
    await dialog.getByLabel(say('second_label')).fill(authenticatorShows(secret, 1));
    await page.getByLabel(say('account_menu', { email })).click();
    await page.getByRole('button', { name: say('account_sign_out') }).click();

    // Signs in without the authenticator.
    await enterPassword();
    await dialog.getByRole('button', { name: say('second_lost') }).click();
    await dialog.getByLabel(say('second_recovery_label')).fill((codes[0] as string).toLowerCase());
    await dialog.locator('[type=submit]').click();
    await dialog.getByText(say('frozen_title')).waitFor();
    assert.equal(await page.locator('dialog[open]').count(), 1, 'one dialog at a time');
    await dialog.getByRole('button', { name: say('frozen_go_on') }).click();
    await page.getByLabel(say('account_menu', { email })).waitFor();
    const inside = (await page.evaluate(() => localStorage.getItem('accessToken'))) ?? '';
    const shown = await call(system.url, 'GET', '/user/info', undefined, { authorization: `Bearer ${inside}` });
    const frozenUntil = /"frozen_until":"([^"]+)"/.exec(shown.text)?.[1] ?? '';
    const days = (Date.parse(frozenUntil) - Date.now()) / 86_400_000;
    assert.ok(days > 4.9 && days <= 5.01, `${days} days`);
    const frozen = say('frozen_title', { until: writeTime(frozenUntil, locale) });
    const letter = await until('the letter on the recovery code', 20_000, async () => {
      const [newest] = await system.client(locale).sandboxMail({ to: email });
      return newest && !/^\d{6}$/m.test(newest.text) && /5 |recover|восстановления/i.test(newest.subject) ? newest : undefined;
    });
    assert.ok(letter.text.includes(writeTime(frozenUntil, locale)), letter.text);

    // The page for withdrawals shows the end and the reason of the freeze before the holder can enter anything.
    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/wallet/withdraw`);
    await page.getByText(frozen).waitFor();
    await page.getByText(say('frozen_recovery_code')).waitFor();

    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/account`);
    await page.getByText(frozen).waitFor();
    await page.getByText(say('sessions_active')).first().waitFor();
    await page.getByText(say('two_factor_codes_left', { count: '9' })).waitFor();
    // Switches the lost authenticator off with another recovery code, and sets up a new one.
    await press('two_factor_switch_off');
    await page.locator('[name=two_factor_code]').fill(codes[1] as string);
    await page.locator('[name=two_factor_password]').fill(GOOD);
    await press('two_factor_switch_off');
    await page.getByRole('button', { name: say('two_factor_begin') }).waitFor();
    const expected = [/4(22|01) POST .*(login|change-password|enable2fa)/, /status of (422|401)/];
    assert.deepEqual(
      troubles.filter((trouble) => !expected.some((one) => one.test(trouble))),
      [],
    );
    await close();
  });
}
