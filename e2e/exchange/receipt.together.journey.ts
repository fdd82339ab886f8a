// Downloads receipts in a real browser and verifies them without a request to any server.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { Receipt, ReceiptTerms } from '@kurs/contract/receipt';
import type { Browser, Page } from 'playwright-core';
import { type Locale, PREFIX, openVisit } from '../harness/browser.ts';
import { SELL_BTC, freshAddress, freshEmail, look } from '../customers/customer.ts';
import { type System } from '../harness/system.ts';
import { inFullRun } from '../../tools/runner/full-run.ts';
import { sharedStage } from '../harness/stage.ts';
import { calculate, placeOrder, walkToReview } from '../harness/walk.ts';

let system: System;
let browser: Browser;

before(async () => {
  ({ system, browser } = await sharedStage());
});
/** Clicks the page's link to the receipt, and returns the file. */
async function download(page: Page): Promise<{ name: string; path: string; receipt: Receipt; terms: ReceiptTerms }> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.locator('a[download]').click()]);
  const path = await file.path();
  const receipt = JSON.parse(await readFile(path, 'utf8')) as Receipt;
  const terms = JSON.parse(Buffer.from(receipt.payload, 'base64url').toString()) as ReceiptTerms;
  return { name: file.suggestedFilename(), path, receipt, terms };
}

async function prove(locale: Locale): Promise<void> {
  const client = system.client(locale);
  const visit = await openVisit(browser, locale);
  const { page, say } = visit;
  const [receive, refund] = await Promise.all([freshAddress(client, 'USDT_ERC20'), freshAddress(client, 'BTC')]);
  await walkToReview(visit, { receive, refund, email: freshEmail() }, () => calculate(visit, system.url, SELL_BTC));
  const reviewed = await download(page);
  assert.match(reviewed.name, /^quote-[0-9a-f]{8}\.json$/);
  const key = await placeOrder(visit);
  const placed = await download(page);
  const order = await look(client, key);
  assert.equal(placed.name, `${key.id}.json`);
  assert.deepEqual(placed.receipt, order.receipt);
  assert.deepEqual([placed.terms.give, placed.terms.get], [order.give, order.get]);
  assert.deepEqual([placed.terms.rate, placed.terms.limits], [reviewed.terms.rate, reviewed.terms.limits]);
  assert.equal(placed.terms.locked_until, order.expires_at);

  await page.goto(`${system.url}/${PREFIX[locale]}/verify`);
  const choose = page.getByRole('button', { name: say('verify_file') });
  await choose.waitFor();
  // The page prefetches the targets of its links. These requests must be complete before it goes offline.
  await page.waitForLoadState('networkidle');
  await page.context().setOffline(true);
  const checked = async (path: string, verdict: string): Promise<void> => {
    const [dialog] = await Promise.all([page.waitForEvent('filechooser'), choose.click()]);
    await dialog.setFiles(path);
    await page.getByText(say(verdict), { exact: false }).first().waitFor();
  };
  await checked(placed.path, 'verify_fits');
  const promised = page.getByRole('region', { name: say('verify_terms') });
  await promised.getByRole('heading', { name: say('verify_order', { id: key.id }) }).waitFor();
  await checked(reviewed.path, 'verify_fits');
  await promised.getByRole('heading', { name: say('verify_review') }).waitFor();

  const forged = Buffer.from(JSON.stringify({ ...placed.terms, get: { ...placed.terms.get, amount: '999.99' } }));
  const path = join(system.data, `forged-${locale}.json`);
  await writeFile(path, JSON.stringify({ ...placed.receipt, payload: forged.toString('base64url') }));
  await checked(path, 'verify_changed');
  assert.equal(await promised.count(), 0, 'what was changed is not shown as a promise');
  assert.deepEqual(visit.troubles, []);
  await visit.close();
}

describe('a receipt proves what was promised', () => {
  test('at /En', () => prove('en'));
  inFullRun('at /Ru', () => prove('ru'));
});

test('a monitor reads the rates, and its link opens the calculator with its direction', async () => {
  const feed = await fetch(new URL('/rates.xml', system.url));
  assert.equal(feed.status, 200);
  assert.match(await feed.text(), /<item><from>USDTERC20<\/from><to>BTC<\/to>/);
  const visit = await openVisit(browser, 'en');
  await visit.page.goto(`${system.url}/?cur_from=USDTERC20&cur_to=BTC&lang=RU&ref=monitor`);
  assert.equal(visit.page.url(), `${system.url}/Ru?from=USDT_ERC20&to=BTC`);
  const [stored] = (await visit.page.context().cookies()).filter(({ name }) => name === 'kurs_ref');
  assert.equal(stored, undefined, 'nobody is called so');
  assert.deepEqual(visit.troubles, []);
  await visit.close();
});
