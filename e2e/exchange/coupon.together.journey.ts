// Uses a coupon as a visitor: its field at the calculator, its line of the price in each step, and how to continue without it.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { ReceiptTerms } from '@kurs/contract/receipt';
import type { Browser, Locator } from 'playwright-core';
import { SELL_BTC, awaits, freshAddress, freshEmail, look, pay, place } from '../customers/customer.ts';
import { type Locale, PREFIX, type Visit, brings, openVisit } from '../harness/browser.ts';
import { deskOf } from '../harness/desk.ts';
import { inFullRun } from '../../tools/runner/full-run.ts';
import { languages } from '../harness/languages.ts';
import { sharedStage } from '../harness/stage.ts';
import type { System } from '../harness/system.ts';
import { type Details, calculate, calculateByForm, giveDetails, goOn } from '../harness/walk.ts';

let system: System;
let browser: Browser;

before(async () => {
  ({ system, browser } = await sharedStage());
});

/** Creates a coupon of 20 % for everybody or for one address, or one with a value in USD. */
async function coupon(code: string, { email, value }: { readonly email?: string; readonly value?: string } = {}): Promise<void> {
  const desk = await deskOf(system, 'olga');
  const gives = value === undefined ? { percent: '20', most_usd: '10' } : { value };
  await desk.operatorCouponNew(
    {
      ...{ code, ...gives, uses: 1, per_customer: 1, first_order: false, reason: 'a journey' },
      ...(email !== undefined && { email }),
    },
    { idempotencyKey: code },
  );
}

/** Opens the coupon's field and uses a code. */
async function use({ page, say }: Visit, code: string): Promise<void> {
  await page.locator('summary', { hasText: say('coupon_have') }).click();
  await useAnother({ page, say }, code);
}

async function useAnother({ page, say }: Pick<Visit, 'page' | 'say'>, code: string): Promise<void> {
  await page.getByRole('textbox', { name: say('coupon_code') }).fill(code);
  await page.getByRole('button', { name: say('coupon_use') }).click();
}

const lineOf = ({ page, say }: Visit): Locator => page.locator('dt', { hasText: say('fee_coupon') });

async function atReview(visit: Visit): Promise<void> {
  await brings(visit, visit.page.getByRole('heading', { name: visit.say('review_title') }).waitFor());
}

/** Returns new addresses for the payout and the refund, with an e-mail address. */
async function detailsOf(locale: Locale, email: string): Promise<Details> {
  const client = system.client(locale);
  const [receive, refund] = await Promise.all([freshAddress(client, 'USDT_ERC20'), freshAddress(client, 'BTC')]);
  return { receive, refund, email };
}

async function withCoupon(locale: Locale, hasJavaScript: boolean): Promise<void> {
  const code = `JOURNEY-${locale}-${hasJavaScript ? 'A' : 'B'}`.toUpperCase();
  await coupon(code);
  const visit = await openVisit(browser, locale, { hasJavaScript });
  const { page, say } = visit;
  await (hasJavaScript ? calculate : calculateByForm)(visit, system.url, SELL_BTC);
  const field = page.getByRole('textbox', { name: say('coupon_code') });
  await use(visit, 'NO-SUCH-CODE');
  await page.locator('#field-coupon[aria-invalid=true]').waitFor();
  assert.equal(await lineOf(visit).count(), 0);
  await useAnother(visit, code.toLowerCase());
  await lineOf(visit).waitFor();
  assert.equal(await field.getAttribute('aria-invalid'), null);

  await goOn(visit);
  await lineOf(visit).waitFor();
  // After a step back the coupon is unchanged.
  await page
    .getByRole('link', { name: say('change'), exact: true })
    .first()
    .click();
  // The currencies become buttons once the script runs.
  if (hasJavaScript) await page.getByRole('button', { name: say('picker_give') }).waitFor();
  await lineOf(visit).waitFor();
  assert.equal(await field.inputValue(), code.toLowerCase());
  await goOn(visit);
  await giveDetails(visit, await detailsOf(locale, freshEmail()));
  await atReview(visit);
  await lineOf(visit).waitFor();
  // The response to the refused code has status 404, which the browser logs as an error.
  assert.deepEqual(
    visit.troubles.filter((trouble) => !trouble.includes('404')),
    [],
  );
  await visit.close();
}

async function withoutIt(locale: Locale, hasJavaScript: boolean): Promise<void> {
  const code = `BOUND-${locale}`.toUpperCase();
  await coupon(code, { email: freshEmail() });
  const visit = await openVisit(browser, locale, { hasJavaScript });
  const { page, say } = visit;
  await (hasJavaScript ? calculate : calculateByForm)(visit, system.url, SELL_BTC);
  await use(visit, code);
  await lineOf(visit).waitFor();
  await goOn(visit);
  const details = await detailsOf(locale, freshEmail());
  await giveDetails(visit, details);
  await brings(visit, page.getByText(say('details_coupon_refused')).waitFor());
  assert.equal(await page.getByRole('textbox', { name: say('details_email') }).inputValue(), details.email);
  await page.getByRole('button', { name: say('details_without_coupon') }).click();
  await atReview(visit);
  assert.equal(await lineOf(visit).count(), 0);
  assert.deepEqual(
    visit.troubles.filter((trouble) => !trouble.includes('409')),
    [],
  );
  await visit.close();
}

/** Delays scripts of a page. Returns the function that releases them. */
async function holdBack({ page }: Visit, scripts: RegExp): Promise<() => void> {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route(scripts, async (route) => {
    await held;
    // The page may have been left meanwhile, which ends its requests.
    await route.continue().catch(() => undefined);
  });
  return letGo;
}

/**
 * Asserts that a code in the open field is used, or reported as wrong, if the visitor continues before some of the page's scripts
 * are loaded.
 */
async function goesOnEarly(scripts: RegExp): Promise<void> {
  const code = 'JOURNEY-HURRY';
  await coupon(code);
  for (const typed of [code, 'NO-SUCH-CODE']) {
    const visit = await openVisit(browser, 'en');
    const { page, say } = visit;
    const letGo = await holdBack(visit, scripts);
    await page.goto(`${system.url}/En?${new URLSearchParams({ ...SELL_BTC, side: 'give' })}`, { waitUntil: 'commit' });
    await page.locator('summary', { hasText: say('coupon_have') }).click();
    const field = page.getByRole('textbox', { name: say('coupon_code') });
    await field.fill(typed);
    await page.getByRole('button', { name: say('calculator_continue') }).click({ noWaitAfter: true });
    const isOn = page.getByRole('heading', { name: say('details_title') });
    await (typed === code ? isOn : page.locator('#field-coupon[aria-invalid=true]')).waitFor();
    letGo();
    if (typed === code) await lineOf(visit).waitFor();
    else assert.equal(await field.inputValue(), typed);
    await visit.close();
  }
}

/** Asserts that a text typed before the field's script is loaded stays in the same field afterwards. */
async function typedEarly(): Promise<void> {
  const code = 'JOURNEY-EARLY';
  await coupon(code);
  const visit = await openVisit(browser, 'en');
  const { page, say } = visit;
  const letGo = await holdBack(visit, /coupon-field[^/]*\.js/);
  await calculate(visit, system.url, SELL_BTC);
  const request = page.waitForRequest(/coupon-field[^/]*\.js/);
  await page.locator('summary', { hasText: say('coupon_have') }).click();
  await request;
  const field = page.getByRole('textbox', { name: say('coupon_code') });
  await field.fill(code);
  const node = await field.elementHandle();
  // A new rate redraws the surroundings of the field meanwhile.
  await page.getByRole('textbox', { name: say('you_send') }).fill('0.006');
  await page.waitForTimeout(500);
  letGo();
  await page.getByRole('button', { name: say('coupon_use') }).click();
  await lineOf(visit).waitFor();
  assert.equal(await field.inputValue(), code);
  assert.ok(await node?.evaluate((one) => one.isConnected), 'the field was drawn anew');
  assert.deepEqual(visit.troubles, []);
  await visit.close();
}

/**
 * Asserts that an order's discount is in its signed receipt and in the ledger: subtracted from the fee and from the coupon's
 * reserve.
 */
async function isBooked({
  id,
  token,
  off,
}: {
  readonly id: string;
  readonly token: string;
  readonly off: string | undefined;
}): Promise<void> {
  const { receipt } = await look(system.client(), { id, token });
  const { discounts } = JSON.parse(Buffer.from(receipt?.payload ?? '', 'base64url').toString()) as ReceiptTerms;
  assert.deepEqual(discounts, [{ code: 'coupon', amount: off, currency: 'BTC' }]);
  const { postings } = await (await deskOf(system, 'olga')).operatorOrder({ id });
  const legs = postings.map(({ from, to, amount }) => `${from} → ${to} ${amount}`.replace(/:[0-9a-f-]{36}/g, ''));
  assert.ok(legs.includes(`spent:discount:BTC → order:in:BTC ${off}`), legs.join('\n'));
  assert.ok(
    legs.some((one) => one.startsWith('coupon:USDT → desk:free:USDT ')),
    legs.join('\n'),
  );
}

/**
 * Uses a fixed coupon of 2 USD twice: the first order of about 450 USD may use it for half of its fee, and the customer's second
 * order uses the rest.
 */
async function twice(locale: Locale): Promise<void> {
  const code = `JOURNEY-FIXED-${locale}`.toUpperCase();
  await coupon(code, { value: '2' });
  const client = system.client(locale);
  const wish = { ...SELL_BTC, email: freshEmail(), coupon: code };
  const done = async (): Promise<{ id: string; token: string; off: string | undefined }> => {
    const { order } = await place(client, wish);
    const key = { id: order.id, token: order.token };
    await pay(client, key);
    const { discounts } = await awaits(client, key, 'is done', ({ status }) => status === 'done');
    return { ...key, off: discounts?.find((one) => one.code === 'coupon')?.amount };
  };
  const first = await done();
  assert.ok(first.off);
  await isBooked(first);
  const visit = await openVisit(browser, locale);
  await visit.page.goto(`${system.url}/${PREFIX[locale]}/order?id=${first.id}&token=${first.token}`);
  await lineOf(visit).first().waitFor();
  await visit.close();
  const left = async () => (await (await deskOf(system, 'olga')).operatorCoupons({})).find((one) => one.code === code);
  const after = await left();
  assert.deepEqual([after?.state, after?.taken], ['live', 1]);
  assert.ok(Number(after?.left) > 0.5 && Number(after?.left) < 1.5, after?.left);
  await assert.rejects(
    place(client, { ...wish, email: freshEmail() }),
    { code: 'coupon_over' },
    'what is left is its customer’s',
  );
  const second = await done();
  assert.ok(Number(second.off) <= Number(first.off));
  assert.equal((await left())?.state, 'over');
}

describe('a coupon at the calculator', () => {
  test('at /En', () => withCoupon('en', true));
  test('at /Ru, without a script', () => withCoupon('ru', false));
  inFullRun('its field keeps what is typed while its code is on the way', typedEarly);
  test('a code is submitted with the page before any script has loaded', () => goesOnEarly(/\.js$/));
  inFullRun('it goes on with the page, where the field’s script has not come', () => goesOnEarly(/coupon-field[^/]*\.js$/));
});

for (const locale of languages('en'))
  test(`the rest of a fixed coupon is used on a second order (${locale})`, () => twice(locale));

describe('another person’s coupon is refused at step 2, which continues without it', () => {
  test('at /Ru', () => withoutIt('ru', true));
  inFullRun('at /En, without a script', () => withoutIt('en', false));
});
