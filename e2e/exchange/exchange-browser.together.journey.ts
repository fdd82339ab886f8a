// Exchanges in a real browser, in both languages and directions, from the home page to the payout on the other chain.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Locale, type Visit, openVisit } from '../harness/browser.ts';
import { type Chains, openChains, partsOf } from '../customers/chains.ts';
import { BUY_BTC, SELL_BTC, type Wish, freshAddress, freshEmail, look } from '../customers/customer.ts';
import { inFullRun } from '../../tools/runner/full-run.ts';
import { type System, until } from '../harness/system.ts';
import { sharedStage } from '../harness/stage.ts';
import { calculate, placeOrder, walkToReview } from '../harness/walk.ts';

let system: System;
let chains: Chains;
let browser: Browser;

before(async () => {
  ({ system, browser } = await sharedStage());
  chains = await openChains(system);
});
/** Asserts that two amounts are equal, whatever their trailing zeros. */
function same(currency: string, actual: string, expected: string, words: string): void {
  assert.equal(partsOf(currency, actual), partsOf(currency, expected), words);
}

async function exchange(locale: Locale, wish: Wish): Promise<void> {
  const client = system.client(locale);
  const visit = await openVisit(browser, locale);
  const { page, say } = visit;
  const [receive, refund] = await Promise.all([freshAddress(client, wish.to), freshAddress(client, wish.from)]);
  const email = freshEmail();

  const { calculated, reviewed } = await walkToReview(visit, { receive, refund, email }, () =>
    calculate(visit, system.url, wish),
  );
  same(wish.from, calculated.give, wish.amount, 'the calculator keeps what was typed');
  assert.deepEqual(reviewed, calculated, 'the review is what the calculator showed');

  await shownWhole(visit, [receive, refund]);
  const key = await placeOrder(visit);
  await shownWhole(visit, [receive]);
  const placed = await look(client, key);
  same(wish.from, placed.give.amount, calculated.give, 'the order holds what is given');
  same(wish.to, placed.get?.amount ?? '', calculated.get, 'the order holds what the calculator showed');
  assert.equal(placed.held, true);

  const loaded = visit.documents.length;
  await page.evaluate('globalThis.isTheSamePage = true');
  await page.getByRole('button', { name: say('sandbox_pay') }).click();
  await page.getByRole('heading', { name: say('headline_done') }).waitFor({ timeout: 60_000 });
  assert.equal(await page.evaluate('globalThis.isTheSamePage'), true, 'the page followed the order without a reload');
  assert.deepEqual(visit.documents.slice(loaded), [], 'and loaded no other document');
  await paidOut(wish, receive, placed.get?.amount ?? '');
  await reopens(locale, email, key.id, say('headline_done'));
  assert.deepEqual(visit.troubles, []);
  await visit.close();
}

/**
 * Asserts that the page shows addresses in full, so that people can detect one that was replaced (by malware in the clipboard, or
 * a similar one).
 */
async function shownWhole({ page }: Visit, accounts: readonly string[]): Promise<void> {
  const shown = (await page.getByRole('main').innerText()).replace(/\s/g, '');
  for (const account of accounts) assert.ok(shown.includes(account), `${account} in ${page.url()}`);
}

/**
 * Asserts by the chain's own data and the sandbox's that the address received the amount, and that the payment belongs to the
 * order.
 */
async function paidOut(wish: Wish, receive: string, amount: string): Promise<void> {
  const wanted = partsOf(wish.to, amount);
  assert.equal(await chains.holds(wish.to, receive), wanted);
  const reported = await system.client().sandboxBalance({ currency: wish.to, account: receive });
  assert.equal(partsOf(wish.to, reported.amount), wanted);
}

/** Asserts that the link in the last mail opens the order in a new browser. */
async function reopens(locale: Locale, email: string, id: string, headline: RegExp): Promise<void> {
  const client = system.client();
  // One mail each: order placed, payment received, order done.
  const mails = await until('three mails', 20_000, async () => {
    const found = await client.sandboxMail({ to: email });
    return found.length >= 3 && found;
  });
  assert.equal(new Set(mails.map(({ subject }) => subject)).size, 3, mails.map(({ subject }) => subject).join(' · '));
  for (const { subject, text } of mails) {
    assert.ok(subject.includes(id));
    assert.equal(/[а-яё]{3}/i.test(text), locale === 'ru', `a mail in the customer’s language: ${subject}`);
  }
  const link = /http\S+/.exec(mails[0]?.text ?? '')?.[0] ?? '';
  const visit: Visit = await openVisit(browser, locale);
  await visit.page.goto(link);
  await visit.page.getByRole('heading', { name: headline }).waitFor();
  assert.deepEqual(visit.troubles, []);
  await visit.close();
}

describe('an exchange in the browser', { concurrency: 2 }, () => {
  test('BTC becomes USDT_ERC20 at /En', () => exchange('en', SELL_BTC));
  inFullRun('USDT_ERC20 becomes BTC at /Ru', () => exchange('ru', BUY_BTC));
  inFullRun('USDT_ERC20 becomes BTC at /En', () => exchange('en', BUY_BTC));
  inFullRun('BTC becomes USDT_ERC20 at /Ru', () => exchange('ru', SELL_BTC));
});

test('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
