// Uses the calculator on a page of another origin: it calculates there, and its button opens the site's calculator with the
// referral code.

import assert from 'node:assert/strict';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { trimZeros } from '@kurs/money';
import type { Browser, FrameLocator, Locator } from 'playwright-core';
import { freshAddress, freshEmail, pay } from '../customers/customer.ts';
import { type Locale, PERSON, PREFIX, type Visit, openVisit, readAmount } from '../harness/browser.ts';
import type { Hook } from '../harness/hook.ts';
import { inFullRun } from '../../tools/runner/full-run.ts';
import { sharedStage } from '../harness/stage.ts';
import { type System, until } from '../harness/system.ts';
import { type Figures, placeOrder, walkToReview } from '../harness/walk.ts';
import { signUp } from '../customers/signed.ts';

let system: System;
let browser: Browser;
let host: Server;
let address: string;
let hook: Hook;

before(async () => {
  ({ system, browser, hook } = await sharedStage());
  host = createServer((request, response) => {
    const { ref = '', lang = '' } = Object.fromEntries(new URL(request.url ?? '/', 'http://host.test').searchParams);
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><html lang="${lang}"><title>host</title><script src="${system.url}/widget.js" async></script>
      <kurs-calculator from="BTC" to="USDT_ERC20" ref="${ref}" sub="post-1" accent="aa3366"></kurs-calculator>`);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  address = `http://localhost:${(host.address() as AddressInfo).port}`;
});
after(() => void host.close());

/** Returns the rate in a text: `1 BTC = 91 377,604 USDT` yields `91377.604`. */
const rateIn = (text: string, locale: Locale): string => trimZeros(readAmount(text.split('=')[1] ?? '', locale), 0);
/** Formats an amount as people type it. */
const typed = (amount: string, locale: Locale): string => (locale === 'ru' ? amount.replace('.', ',') : amount);

/** Returns the figures of the embedded calculator. */
async function framed(frame: FrameLocator, locale: Locale, friend: RegExp): Promise<Figures & { readonly off: string }> {
  const text = async (of: Locator): Promise<string> => ((await of.textContent()) ?? '').trim();
  return {
    give: readAmount(await frame.locator('#amount').inputValue(), locale),
    get: readAmount(await text(frame.locator('#get')), locale),
    rate: await text(frame.locator('#rate')),
    off: readAmount(await text(frame.locator('#lines div').filter({ hasText: friend }).locator('dd')), locale),
  };
}

/** Returns the figures that the site's calculator computes in the browser before the server has confirmed the amount. */
async function workedOut({ page, say, locale }: Visit, amount: string): Promise<Figures> {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/api/v1/calculation', async (route) => {
    await held;
    await route.continue().catch(() => undefined);
  });
  await page.getByRole('button', { name: say('picker_give') }).waitFor();
  const breakdown = page.getByRole('region', { name: say('calculator_title') });
  const friend = breakdown.locator('dt', { hasText: say('fee_friend') });
  await friend.waitFor();
  await page.getByRole('textbox', { name: say('you_send') }).fill(amount);
  await friend.waitFor();
  const [give, get, rate] = await Promise.all([
    page.getByRole('textbox', { name: say('you_send') }).inputValue(),
    page.getByRole('textbox', { name: say('you_receive') }).inputValue(),
    breakdown
      .locator('dt', { hasText: say('slip_rate') })
      .locator('xpath=following-sibling::dd[1]')
      .innerText(),
  ]);
  letGo();
  await page.unroute('**/api/v1/calculation');
  return { give: readAmount(give, locale), get: readAmount(get, locale), rate: rate.trim() };
}

/**
 * Asserts that the campaign's server received signed postbacks of its order, placed and completed, without data of the customer.
 */
async function isReported(path: string, secret: string, amount: string): Promise<void> {
  const posted = await until('the postbacks', 20_000, async () => {
    const found = hook.heard.filter((one) => one.path === path);
    return found.length === 2 && found;
  });
  const reported = posted.map(
    ({ body, headers }) => new Webhook(secret).verify(body, headers) as { type: string; data: { state: string } },
  );
  assert.deepEqual(
    reported.map(({ type, data }) => [type, data.state]),
    [
      ['referral.order', 'placed'],
      ['referral.order', 'completed'],
    ],
  );
  assert.deepEqual((reported[1]?.data as { reward?: object } | undefined)?.reward, { amount, currency: 'USDT' });
}

async function exchangesFromThere(locale: Locale): Promise<void> {
  const account = await signUp(system);
  const { referral_code: code } = await account.client.userInfo({});
  const ref = `${code}.blog`;
  const postback = `${hook.origin}/told-${locale}?c={campaign}&s={sub}`;
  const { secret = '' } = await account.client.affiliateCampaign({ name: 'blog', split: 50, postback });
  const visit = await openVisit(browser, locale, { userAgent: PERSON });
  const { page, say } = visit;
  const context = page.context();
  const frame = page.frameLocator('kurs-calculator iframe');
  const amount = frame.locator('#amount');
  const asQuoted = await until('the widget at the rate of a quote', 60_000, async () => {
    await page.goto(`${address}/?ref=${ref}&lang=${locale}`);
    await amount.fill(typed('0.006', locale));
    const before = await framed(frame, locale, say('fee_friend'));
    await amount.fill(typed('0.007', locale));
    const shown = await framed(frame, locale, say('fee_friend'));
    assert.notEqual(shown.get, before.get);
    const quote = await system.client().calculate({ from: 'BTC', to: 'USDT_ERC20', amount: '0.007', ref });
    return rateIn(shown.rate, locale) === trimZeros(quote.rate.value, 0) && { shown, quote };
  });
  assert.equal(asQuoted.shown.get, asQuoted.quote.get.amount);
  assert.deepEqual(
    asQuoted.quote.discounts?.map((one) => [one.code, trimZeros(one.amount, 0)]),
    [['friend', asQuoted.shown.off]],
  );
  const height = await page.locator('iframe').evaluate((element) => element.getBoundingClientRect().height);
  assert.ok(height > 300 && height < 900, `as high as what it shows: ${height}`);
  assert.deepEqual(await context.cookies(), [], 'nothing is kept about who only looks');
  const [opened] = await Promise.all([context.waitForEvent('page'), frame.getByRole('button').last().click()]);
  await opened.waitForURL(`${system.url}/${PREFIX[locale]}?*`);
  const begun = opened.url();
  assert.equal(new URL(begun).searchParams.get('amount'), '0.007');
  const stored = (await context.cookies()).find(({ name }) => name === 'kurs_ref');
  assert.match(decodeURIComponent(stored?.value ?? ''), new RegExp(`^${code}\\.blog~\\d{10}~post-1$`));
  await until('the click is counted', 10_000, async () => {
    const { total } = await account.client.affiliateStatistics({});
    return total.clicks === 1;
  });
  const ours = { ...visit, page: opened };
  const client = system.client(locale);
  const [receive, refund] = await Promise.all([freshAddress(client, 'USDT_ERC20'), freshAddress(client, 'BTC')]);
  const details = { receive, refund, email: freshEmail() };
  const { calculated, reviewed } = await walkToReview(ours, details, async () => {
    // The referral's terms arrive a moment after the page.
    const terms = opened.waitForResponse(/calculation\/directions\?ref=/);
    await opened.goto(begun);
    await terms;
    return workedOut(ours, typed('0.006', locale));
  });
  await opened.getByText(say('fee_friend')).first().waitFor();
  assert.deepEqual([calculated.get, calculated.rate], [reviewed.get, reviewed.rate], 'as it was worked out while typing');
  const order = await placeOrder(ours);
  await pay(client, order);
  const [reward] = await until('the reward of its order', 90_000, async () => {
    const { data } = await account.client.affiliateRewards({});
    return data.length > 0 && data;
  });
  assert.deepEqual([reward?.state, reward?.level, reward?.campaign, reward?.sub], ['pending', 1, 'blog', 'post-1']);
  assert.doesNotMatch(JSON.stringify(reward), new RegExp(`${order.id}|${details.email}`), 'nothing of the customer');
  await isReported(`/told-${locale}?c=blog&s=post-1`, secret, reward?.amount ?? '');
  const { headers } = await fetch(`${system.url}/widget.js`);
  assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin', 'whatever a page lets in');
  assert.deepEqual(visit.troubles, []);
  await visit.close();
}

for (const locale of ['en', 'ru'] as const) {
  inFullRun(
    `on another origin it calculates during typing, with the friend’s discount, and leads to an order at that price and to its reward (${locale})`,
    () => exchangesFromThere(locale),
  );
}

test('a link opens outside of frames, and reveals its address to no other site', async () => {
  for (const [path, to] of [
    ['/?ref=nobody&lang=RU', '/Ru'],
    ['/En/track?id=1&ref=nobody&sub=x', '/En/track?id=1'],
  ] as const) {
    const { status, headers } = await fetch(system.url + path, { redirect: 'manual' });
    assert.deepEqual([status, headers.get('location'), headers.get('set-cookie')], [302, to, null], path);
    assert.equal(headers.get('x-frame-options'), 'DENY');
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    assert.ok(headers.has('referrer-policy'));
  }
});
