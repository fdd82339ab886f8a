// The dashboard in both languages: without a session its pages ask to sign in and then show what was asked for.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type Locale, PREFIX, type Visit, openVisit } from './browser.ts';
import { freshEmail } from './customer.ts';
import { codeFor } from './mailbox.ts';
import { sharedStage } from './stage.ts';
import type { System } from './system.ts';

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
});

/** Goes through the dialog that stands open, by a mailed code. */
async function signIn(page: Page, say: Visit['say'], email: string): Promise<void> {
  await page.getByLabel(say('sign_in_email')).fill(email);
  await page.getByRole('button', { name: say('sign_in_send') }).click();
  const field = page.getByLabel(say('code_label'));
  await field.waitFor();
  await field.fill(await codeFor(system, email));
}

for (const locale of ['en', 'ru'] satisfies Locale[]) {
  test(`a page of the dashboard asks to sign in and is there afterwards, its query and all (${locale})`, async () => {
    const { page, say, troubles, close } = await openVisit(browser, locale);
    const email = freshEmail();
    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard?from=letter`);
    // Over the default layout: its menu is there, the dashboard's is not.
    await page.locator('dialog').waitFor();
    assert.equal(await page.getByRole('navigation', { name: say('nav_label') }).count(), 1);
    assert.equal(await page.getByRole('navigation', { name: say('dashboard_label') }).count(), 0);
    await signIn(page, say, email);
    const menu = page.getByRole('navigation', { name: say('dashboard_label') });
    await menu.waitFor();
    assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, `/${PREFIX[locale]}/dashboard?from=letter`);
    await page.getByText(email).first().waitFor();
    assert.equal(await menu.getByText(say('dashboard_affiliates')).count(), 0, 'what is not there is not in the menu');

    // The other language keeps the page and its query, and the session.
    const other = locale === 'en' ? 'Ru' : 'En';
    await page.getByRole('link', { name: `${other}:` }).click();
    await page.waitForURL(`${system.url}/${other}/dashboard?from=letter`);
    await page.getByText(email).first().waitFor();

    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/affiliates`);
    await page.getByText(say('affiliates_later')).waitFor();
    await page.getByRole('button', { name: say('account_sign_out') }).click();
    await page.waitForURL(`${system.url}/${PREFIX[locale]}`);
    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard`);
    await page.locator('dialog').waitFor();

    // A token that opens nothing is dropped, and the dialog comes as for anybody.
    await page.evaluate(() => localStorage.setItem('accessToken', `kurs_s_${'x'.repeat(43)}`));
    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard`);
    await page.locator('dialog').waitFor();
    assert.equal(await page.evaluate(() => localStorage.getItem('accessToken')), null);
    const expected = [/401 GET .*user\/info/, /status of 401/];
    assert.deepEqual(troubles.filter((trouble) => !expected.some((one) => one.test(trouble))), []); // prettier-ignore
    await close();
  });
}
