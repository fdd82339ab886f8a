// Checks that an order that takes longer than promised earns a coupon worth its fee. The coupon comes with the letter that the
// order is done, and is used for a second order.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { SELL_BTC, awaits, freshAddress, freshEmail, look, pay, place, reaches } from '../customers/customer.ts';
import { type Locale, brings, openVisit } from '../harness/browser.ts';
import { deskOf } from '../harness/desk.ts';
import { languages } from '../harness/languages.ts';
import { sharedStage } from '../harness/stage.ts';
import { type System, until } from '../harness/system.ts';
import { calculate, giveDetails, goOn, placeOrder, readReview } from '../harness/walk.ts';

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
});

/** Switches the payouts of USDT on Ethereum off, or on, which requires two operators. */
async function switchPayouts(on: boolean): Promise<void> {
  for (const person of on ? (['olga', 'oleg'] as const) : (['olga'] as const)) {
    const desk = await deskOf(system, person);
    await desk.operatorPayouts({ rail: 'evm', on, reason: 'a journey' }, { idempotencyKey: randomUUID() });
  }
}

/** Matches the coupon's code in a letter of either language. */
const CODE = /(?:coupon|купоном): ([0-9A-Z]{10})\s/;

for (const locale of languages('ru')) {
  test(`a late order’s coupon arrives by letter and is used on a second order (${locale})`, async () => {
    const client = system.client(locale);
    const email = freshEmail();
    const { order } = await place(client, { ...SELL_BTC, email });
    await switchPayouts(false);
    await pay(client, order);
    await reaches(client, order, 'paying');
    await client.sandboxClock({ skip: (order.promised_minutes ?? 0) * 60 + 120 });
    await switchPayouts(true);
    await reaches(client, order, 'done');
    const code = await until('the letter with the coupon', 20_000, async () => {
      const letters = await client.sandboxMail({ to: email });
      return letters.map(({ text }) => CODE.exec(text)?.[1]).find((found) => found !== undefined);
    });
    await usesIt(locale, { code, email });
  });
}

/** Enters a code at the calculator, and asserts that its discount appears in each step and is granted when the order is done. */
async function usesIt(locale: Locale, { code, email }: { readonly code: string; readonly email: string }): Promise<void> {
  const client = system.client(locale);
  const visit = await openVisit(browser, locale);
  const { page, say } = visit;
  const line = page.locator('dt', { hasText: say('fee_late') });
  await calculate(visit, system.url, SELL_BTC);
  await page.locator('summary', { hasText: say('coupon_have') }).click();
  await page.getByRole('textbox', { name: say('coupon_code') }).fill(code);
  await page.getByRole('button', { name: say('coupon_use') }).click();
  await brings(visit, line.waitFor());
  await goOn(visit);
  const [receive, refund] = await Promise.all([freshAddress(client, 'USDT_ERC20'), freshAddress(client, 'BTC')]);
  await giveDetails(visit, { receive, refund, email });
  await readReview(visit);
  await line.waitFor();
  const key = await placeOrder(visit);
  await pay(client, key);
  await awaits(client, key, 'is done', ({ status }) => status === 'done');
  const { discounts } = await look(client, key);
  assert.deepEqual(
    discounts?.map((one) => one.code),
    ['late'],
  );
  assert.deepEqual(visit.troubles, []);
  await visit.close();
}
