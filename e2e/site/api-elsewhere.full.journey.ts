// Serves the API at its own address with another client id: one proxy passes only the site's pages, and another one only API
// calls. An exchange, a ticket's file, a picture, a download and the calculator of other sites must work.

import assert from 'node:assert/strict';
import { type Server, createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { SELL_BTC, freshAddress, freshEmail } from '../customers/customer.ts';
import { signUp } from '../customers/signed.ts';
import { type Visit, openVisit, startBrowser } from '../harness/browser.ts';
import { type System, startSystem, until } from '../harness/system.ts';
import { calculate, placeOrder, walkToReview } from '../harness/walk.ts';
import { PIXEL } from '../looks/documented.ts';

/** Prefix of the API's paths at its own address. */
const PREFIX = '/calls';

const fronts: Server[] = [];
let site: string;
let api: string;
let system: System;
let browser: Browser;

/** Starts a proxy that forwards a request to the product's path that `path` returns, and answers 404 if it returns none. */
async function openFront(path: (url: string) => string | undefined): Promise<string> {
  const front = createServer((request, response) => {
    const to = path(request.url ?? '');
    if (to === undefined) return void response.writeHead(404).end();
    const passed = ask(system.url + to, { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((done) => front.listen(0, '127.0.0.1', done));
  fronts.push(front);
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
}

before(async () => {
  site = await openFront((url) => (url.startsWith('/api/') ? undefined : url));
  api = (await openFront((url) => (url.startsWith(`${PREFIX}/api/`) ? url.slice(PREFIX.length) : undefined))) + PREFIX;
  const env = { BASE_URL: site, KURS_API_URL: api, KURS_CLIENTS: 'shop', KURS_SITE_CLIENT: 'shop' };
  [system, browser] = await Promise.all([startSystem({ env }), startBrowser()]);
});
after(async () => {
  await browser?.close();
  await system?.stop();
  for (const front of fronts) front.close();
});

/** Opens a window, and records all API calls and those with a wrong address or client id. */
async function openWatched(): Promise<Visit & { readonly calls: readonly string[]; readonly elsewhere: readonly string[] }> {
  const visit = await openVisit(browser, 'en');
  const [calls, elsewhere]: string[][] = [[], []];
  visit.page.on('request', (request) => {
    const url = request.url();
    if (!url.includes('/api/v1/')) return;
    calls?.push(url);
    const isCall = ['fetch', 'xhr'].includes(request.resourceType());
    const asks = isCall && request.method() !== 'OPTIONS';
    if (!url.startsWith(`${api}/api/v1/`) || (asks && request.headers()['client-id'] !== 'shop')) elsewhere?.push(url);
  });
  return { ...visit, calls: calls ?? [], elsewhere: elsewhere ?? [] };
}

/** Asserts that nothing went wrong and that every call had the right address and client id. */
function wentWell(visit: Awaited<ReturnType<typeof openWatched>>): void {
  assert.ok(visit.calls.length > 0);
  assert.deepEqual([visit.elsewhere, visit.troubles], [[], []]);
}

test('an exchange completes from the calculator to its end, followed without a reload', async () => {
  const visit = await openWatched();
  const { page, say } = visit;
  const client = system.client();
  const [receive, refund] = await Promise.all([freshAddress(client, SELL_BTC.to), freshAddress(client, SELL_BTC.from)]);
  await walkToReview(visit, { receive, refund, email: freshEmail() }, () => calculate(visit, site, SELL_BTC));
  await placeOrder(visit);
  const loaded = visit.documents.length;
  await page.getByRole('button', { name: say('sandbox_pay') }).click();
  await page.getByRole('heading', { name: say('headline_done') }).waitFor({ timeout: 60_000 });
  assert.deepEqual(visit.documents.slice(loaded), [], 'the order’s stream came');
  assert.ok(visit.calls.some((url) => url.includes('/order/status')));
  wentWell(visit);
  await visit.close();
});

const isShown = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(`[...document.images].some(({ src, naturalWidth }) => src.includes('/avatar/') && naturalWidth > 0)`);

test('an account holder uploads a picture, sees it, and downloads their data', async () => {
  const { token } = await signUp(system);
  const visit = await openWatched();
  const { page, say } = visit;
  await page.addInitScript((stored) => localStorage.setItem('accessToken', stored), token);
  await page.goto(`${site}/En/dashboard/account`);
  const file = page.locator('input[type=file]');
  await file.waitFor({ state: 'attached' });
  await file.setInputFiles({ name: 'me.png', mimeType: PIXEL.type, buffer: PIXEL.body });
  await until('the picture', 20_000, () => isShown(page));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: say('data_download') }).click(),
  ]);
  assert.ok(download.url().startsWith(`${api}/api/v1/export/account?ticket=`), download.url());
  await download.path();
  wentWell(visit);
  await visit.close();
});

test('a visitor writes to the desk with a file, and gets it back', async () => {
  const visit = await openWatched();
  const { page } = visit;
  await page.goto(`${site}/En/contact-us`);
  await page.locator('[name=email]').fill(freshEmail());
  await page.locator('[name=topic]').selectOption('payment');
  await page.locator('[name=text]').fill('Where is my payment?');
  await page.locator('[name=files]').setInputFiles({ name: 'slip.png', mimeType: PIXEL.type, buffer: PIXEL.body });
  await page.locator('#main form button[type=submit]').click();
  await page.waitForURL(/\/En\/contact-us\/ticket\?/);
  const href = (await page.locator('a[download]').getAttribute('href')) ?? '';
  assert.ok(href.startsWith(`${api}/api/v1/support/file?`), href);
  assert.equal((await page.request.get(href)).headers()['content-type'], 'image/png');
  assert.deepEqual([visit.elsewhere, visit.troubles], [[], []]);
  await visit.close();
});

test('the calculator for other sites requests newer rates from the API', async () => {
  const visit = await openWatched();
  const { page } = visit;
  await page.clock.install();
  await page.goto(`${site}/embed/en/calculator?from=BTC&to=USDT_ERC20&amount=0.005`);
  const request = page.waitForResponse(/calculation\/directions/);
  await page.clock.runFor(31_000);
  assert.equal((await request).status(), 200);
  wentWell(visit);
  await visit.close();
});
