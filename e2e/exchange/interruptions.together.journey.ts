// Interrupts a customer: lost connection, reload, step back, second tab, truncated link. No input may be lost, nothing may be
// done twice, and every page must say what to do.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Visit, PREFIX, openVisit } from '../harness/browser.ts';
import { SELL_BTC, freshAddress, freshEmail } from '../customers/customer.ts';
import { inFullRun } from '../../tools/runner/full-run.ts';
import { type System, until } from '../harness/system.ts';
import { sharedStage } from '../harness/stage.ts';
import { type Details, calculate, giveDetails, goOn, placeOrder, readReview } from '../harness/walk.ts';

let system: System;
let browser: Browser;

before(async () => {
  ({ system, browser } = await sharedStage());
});
async function freshDetails(): Promise<Details> {
  const client = system.client();
  const [receive, refund] = await Promise.all([freshAddress(client, SELL_BTC.to), freshAddress(client, SELL_BTC.from)]);
  return { receive, refund, email: freshEmail() };
}

const fieldsOf = ({ page, say }: Visit) => ({
  receive: page.getByRole('group', { name: say('details_receive') }).getByRole('textbox'),
  refund: page.getByRole('group', { name: say('details_refund') }).getByRole('textbox'),
  email: page.getByRole('textbox', { name: say('details_email') }),
});

async function typeDetails(visit: Visit, details: Details): Promise<void> {
  const fields = fieldsOf(visit);
  for (const name of ['receive', 'refund', 'email'] as const) await fields[name].fill(details[name]);
}

async function assertTyped(visit: Visit, details: Details, when: string): Promise<void> {
  await visit.page.getByRole('heading', { name: visit.say('details_title') }).waitFor();
  const fields = fieldsOf(visit);
  for (const name of ['receive', 'refund', 'email'] as const) {
    // The page appears before its script, which restores the input.
    const filled = async (): Promise<boolean> => (await fields[name].inputValue()) !== '';
    await until(`${name} ${when}`, 10_000, filled);
    assert.equal(await fields[name].inputValue(), details[name], `${name} ${when}`);
  }
}

/** Does steps 1 to 3 as a new customer. */
async function toReview(visit: Visit): Promise<void> {
  await calculate(visit, system.url, SELL_BTC);
  await goOn(visit);
  await giveDetails(visit, await freshDetails());
  await readReview(visit);
}

describe('step 2 keeps what was typed', () => {
  test('over a reload, a change of language, and going back to the calculator', async () => {
    const details = await freshDetails();
    const visit = await openVisit(browser, 'en');
    const { page, say } = visit;
    await calculate(visit, system.url, SELL_BTC);
    await goOn(visit);
    await typeDetails(visit, details);
    await page.reload();
    await assertTyped(visit, details, 'after a reload');

    await page.getByRole('link', { name: 'Ru: русский' }).click();
    const russian = { ...visit, ...(await languageOf('ru')) };
    await assertTyped(russian, details, 'in the other language');
    await page.getByRole('link', { name: 'En: English' }).click();
    await assertTyped(visit, details, 'and back');

    await page
      .getByRole('link', { name: say('change') })
      .first()
      .click();
    await page.getByRole('button', { name: say('calculator_continue') }).click();
    await assertTyped(visit, details, 'after the amount was changed');
    await visit.close();
  });

  inFullRun('and a step back from the review finds it', async () => {
    const details = await freshDetails();
    const visit = await openVisit(browser, 'en');
    await calculate(visit, system.url, SELL_BTC);
    await goOn(visit);
    await giveDetails(visit, details);
    await readReview(visit);
    assert.equal(await focused(visit), 'main', 'the new step has the focus');
    await visit.page.goBack();
    await assertTyped(visit, details, 'after a step back');
    await visit.page.goForward();
    await readReview(visit);
    await visit.close();
  });
});

test('after a lost connection the page stays and says so', async () => {
  const details = await freshDetails();
  const visit = await openVisit(browser, 'en');
  const { page, say } = visit;
  const context = page.context();
  await calculate(visit, system.url, SELL_BTC);
  await goOn(visit);
  await context.setOffline(true);
  await giveDetails(visit, details);
  await page.getByText(say('offline_lead')).first().waitFor();
  await assertTyped(visit, details, 'without a connection');
  await context.setOffline(false);
  await page.getByRole('button', { name: say('details_continue') }).click();
  await readReview(visit);

  await context.setOffline(true);
  await page.getByRole('button', { name: say('review_place') }).click();
  await page.getByText(say('offline_lead')).first().waitFor();
  await context.setOffline(false);
  await placeOrder(visit);

  await context.setOffline(true);
  await page.getByRole('button', { name: say('sandbox_pay') }).click();
  await page.getByText(say('offline_lead')).first().waitFor();
  await page.getByRole('heading', { name: say('headline_waiting') }).waitFor();
  await context.setOffline(false);
  await page.getByRole('button', { name: say('sandbox_pay') }).click();
  await page.getByRole('heading', { name: say('headline_done') }).waitFor({ timeout: 60_000 });
  await visit.close();
});

inFullRun('two tabs and a step back lead to the one order', async () => {
  const visit = await openVisit(browser, 'ru');
  const { page, say } = visit;
  await toReview(visit);
  const second = await page.context().newPage();
  await second.goto(page.url());
  await second.getByRole('heading', { name: say('review_title') }).waitFor();
  const placed = await placeOrder(visit);
  const again = await placeOrder({ ...visit, page: second });
  assert.deepEqual(again, placed);
  await page.goBack();
  await page.waitForURL((url) => url.searchParams.get('id') === placed.id);
  await page.getByRole('button', { name: say('sandbox_pay') }).waitFor();
  await visit.close();
});

inFullRun('an order that is cancelled by mistake was asked about first', async () => {
  const visit = await openVisit(browser, 'en');
  const { page, say } = visit;
  await toReview(visit);
  await placeOrder(visit);
  await page.getByRole('button', { name: say('order_cancel') }).click();
  const dialog = page.getByRole('dialog', { name: say('cancel_title') });
  await dialog.getByRole('button', { name: say('cancel_keep') }).click();
  await page.getByRole('heading', { name: say('headline_waiting') }).waitFor();
  await page.getByRole('button', { name: say('order_cancel') }).click();
  await dialog.getByRole('button', { name: say('cancel_confirm') }).click();
  await page.getByRole('heading', { name: say('headline_cancelled') }).waitFor();
  await visit.close();
});

inFullRun('a link that was cut says so, in a page that looks like the others', async () => {
  for (const locale of ['en', 'ru'] as const) {
    const visit = await openVisit(browser, locale);
    const { page, say } = visit;
    for (const query of ['id=KX-AAAA-AAAA&token=wrong', 'id=x&token=y']) {
      await page.goto(`${system.url}/${PREFIX[locale]}/order?${query}`);
      await page.getByRole('heading', { name: say('order_missing_title') }).waitFor();
    }
    // A style that violates the policy would appear in the troubles.
    assert.deepEqual(
      visit.troubles.filter((one) => !one.includes('404')),
      [],
    );
    await visit.close();
  }
});

/** Returns the texts of another language, for a person who changes the language. */
async function languageOf(locale: 'en' | 'ru'): Promise<Pick<Visit, 'say' | 'locale'>> {
  const { say, close } = await openVisit(browser, locale);
  await close();
  return { say, locale };
}

const focused = ({ page }: Visit): Promise<string> => page.evaluate('document.activeElement.id');
