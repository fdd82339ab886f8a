// Gives a regular customer who isn't signed in the loyalty discount: a letter to the customer's address has a button that applies
// it.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { SELL_BTC, awaits, freshAddress, freshEmail, pay, place } from '../customers/customer.ts';
import { type Locale, PREFIX, openVisit } from '../harness/browser.ts';
import { inFullRun } from '../../tools/runner/full-run.ts';
import { sharedStage } from '../harness/stage.ts';
import { type System, until } from '../harness/system.ts';
import { calculate, giveDetails, goOn, readReview } from '../harness/walk.ts';

let system: System;
let browser: Browser;

before(async () => {
  ({ system, browser } = await sharedStage());
});

/** Waits for the letter with the button and returns the button's link. */
const linkFor = (email: string): Promise<string> =>
  until('the letter with the button', 20_000, async () => {
    const letters = await system.client().sandboxMail({ to: email });
    return letters.map(({ text }) => /http\S+\/discount\?token=\S+/.exec(text)?.[0]).find((found) => found !== undefined);
  });

async function exchange(locale: Locale): Promise<void> {
  const client = system.client(locale);
  const email = freshEmail();
  // This order exceeds 500 USD, which reaches the first level.
  const { order } = await place(client, { ...SELL_BTC, amount: '0.009', email });
  await pay(client, { id: order.id, token: order.token as string });
  await awaits(client, { id: order.id, token: order.token as string }, 'is done', ({ status }) => status === 'done');

  const visit = await openVisit(browser, locale);
  const { page, say } = visit;
  const [receive, refund] = await Promise.all([freshAddress(client, 'USDT_ERC20'), freshAddress(client, 'BTC')]);
  // Do the steps only once, even if rates change: each calculation sends its own letter, whose button applies to this calculation
  // alone.
  await calculate(visit, system.url, SELL_BTC);
  await goOn(visit);
  await giveDetails(visit, { receive, refund, email });
  await readReview(visit);
  const discount = page.getByText(say('fee_loyalty'));
  assert.equal(await discount.count(), 0, 'who only typed an address has nothing of it');

  const link = await linkFor(email);
  assert.ok(link.startsWith(`${system.url}/${PREFIX[locale]}/discount?`));
  const mailbox = await openVisit(browser, locale);
  await mailbox.page.goto(link);
  await mailbox.page.getByRole('heading', { name: say('discount_button_title') }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: say('review_title') }).waitFor();
  assert.equal(await discount.count(), 0, 'opening the link changes nothing');
  await mailbox.page.getByRole('button', { name: say('discount_button_press') }).click();
  await mailbox.page.getByText(say('discount_button_done', { percent: '5' })).waitFor();
  // A rate may be unavailable for a moment.
  await until('the review with the discount', 30_000, async () => {
    await page.reload();
    return (await discount.count()) > 0;
  });
  assert.deepEqual([...visit.troubles, ...mailbox.troubles], []);
  await Promise.all([visit.close(), mailbox.close()]);
}

describe('a visitor gets their loyalty level by the mailed button', () => {
  test('at /En', () => exchange('en'));
  inFullRun('at /Ru', () => exchange('ru'));
});
