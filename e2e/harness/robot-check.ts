import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { type Locale, PREFIX, type Visit, openVisit } from './browser.ts';
import { SELL_BTC, fill, freshEmail } from '../customers/customer.ts';
import { codeFor } from './mailbox.ts';
import type { System } from './system.ts';

/** Button of the sandbox's check. */
const box = (page: Page, locale: Locale) =>
  page.getByRole('button', { name: locale === 'ru' ? /Я не робот/ : /I am not a robot/ });

/** Requests a code to sign in, up to the bot check. */
async function asksForCode({ page, say, locale }: Visit, system: System, email: string): Promise<void> {
  await page.goto(`${system.url}/${PREFIX[locale]}`);
  await page.getByRole('button', { name: say('account_sign_in') }).click();
  await page.getByLabel(say('sign_in_email')).fill(email);
  await page
    .locator('dialog')
    .getByRole('button', { name: say('sign_in_send') })
    .click();
  // A person confirms once per browser that the check may be loaded.
  const load = page.locator('dialog').getByRole('button', { name: say('bot_load', { provider: 'Cloudflare Turnstile' }) });
  await load.click();
  await page.locator('dialog').getByText(say('bot_confirm')).waitFor();
}

async function enters({ page, say }: Visit, system: System, email: string): Promise<void> {
  await page
    .locator('dialog')
    .getByLabel(say('code_label'))
    .fill(await codeFor(system, email));
  await page.getByLabel(say('account_menu', { email })).waitFor();
}

/**
 * Asserts that a product with `KURS_BOT_CHECK=turnstile` loads the provider's script only when the check is needed. A person
 * confirms the check to sign in and before a review.
 */
export async function meetsRobotCheck(system: System, browser: Browser, locale: Locale): Promise<void> {
  const visit = await openVisit(browser, locale);
  const { page, say } = visit;
  const scripts: string[] = [];
  page.on('request', (request) => void (/\/sandbox\/turnstile\/api/.test(request.url()) && scripts.push(request.url())));
  const email = freshEmail();
  await page.goto(`${system.url}/${PREFIX[locale]}`);
  await page.getByRole('button', { name: say('account_sign_in') }).waitFor();
  assert.deepEqual(scripts, [], 'nothing of the provider comes with a page');
  await asksForCode(visit, system, email);
  await box(page, locale).click();
  await enters(visit, system, email);
  assert.equal(scripts.length, 1);

  const { key } = await fill(system.client(), SELL_BTC);
  await page.context().addCookies([{ name: `calculation-${key.id}`, value: key.token, url: system.url }]);
  await page.goto(`${system.url}/${PREFIX[locale]}/exchange?id=${key.id}`);
  await box(page, locale).click();
  await page.getByRole('button', { name: say('review_place') }).waitFor();
  assert.deepEqual(visit.troubles, []);
  await visit.close();
}

/**
 * Asserts that the browser computes its own proof while the provider doesn't answer. The product doesn't query the provider for a
 * minute after that, so no other test can use the check meanwhile.
 */
export async function outlivesSilence(system: System, browser: Browser, locale: Locale): Promise<void> {
  const silence = (errors: number) => system.client().sandboxFaults({ rail: 'turnstile', errors });
  await silence(1);
  const visit = await openVisit(browser, locale);
  const email = freshEmail();
  await asksForCode(visit, system, email);
  await box(visit.page, locale).click();
  await enters(visit, system, email);
  await silence(0);
  const expected = [/503 POST .*sign-up\/get-otp/, /status of 503/];
  assert.deepEqual(
    visit.troubles.filter((trouble) => !expected.some((one) => one.test(trouble))),
    [],
  );
  await visit.close();
}
