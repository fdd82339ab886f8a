// Our calculator on a page of another origin: it reckons there, and its button leads to our own with whose link it was.

import assert from 'node:assert/strict';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { SELL_BTC, pay, place } from '../customers/customer.ts';
import { PERSON } from '../harness/browser.ts';
import { sharedStage } from '../harness/stage.ts';
import { type System, until } from '../harness/system.ts';
import { signUp } from '../looks/account-pages.ts';

let system: System;
let browser: Browser;
let host: Server;
let address: string;

before(async () => {
  ({ system, browser } = await sharedStage());
  host = createServer((request, response) => {
    const ref = new URL(request.url ?? '/', 'http://host.test').searchParams.get('ref') ?? '';
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><html lang="ru"><title>host</title><script src="${system.url}/widget.js" async></script>
      <kurs-calculator from="BTC" to="USDT_ERC20" ref="${ref}" sub="post-1" accent="aa3366"></kurs-calculator>`);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  address = `http://localhost:${(host.address() as AddressInfo).port}`;
});
after(() => void host.close());

test('on another origin it reckons while somebody types, and leads to our calculator with its reference', async () => {
  const account = await signUp(system);
  const { referral_code: code } = await account.client.userInfo({});
  const context = await browser.newContext({ userAgent: PERSON });
  const page = await context.newPage();
  const broken: string[] = [];
  page.on('pageerror', (error) => broken.push(error.message));
  await page.goto(`${address}/?ref=${code}`);
  const frame = page.frameLocator('kurs-calculator iframe');
  const amount = frame.locator('#amount');
  await amount.fill('0,006');
  const got = (await frame.locator('#get').textContent()) ?? '';
  assert.match(got.replaceAll('\u00a0', ' '), /^\d[\d ]*,\d\d$/);
  await amount.fill('0,007');
  assert.notEqual(await frame.locator('#get').textContent(), got);
  const height = await page.locator('iframe').evaluate((element) => element.getBoundingClientRect().height);
  assert.ok(height > 300 && height < 900, `as high as what it shows: ${height}`);
  assert.deepEqual(await context.cookies(), [], 'nothing is kept about who only looks');
  const [opened] = await Promise.all([context.waitForEvent('page'), frame.getByRole('button').last().click()]);
  await opened.waitForURL(`${system.url}/Ru?*`);
  assert.equal(new URL(opened.url()).searchParams.get('amount'), '0.007');
  const kept = (await context.cookies()).find(({ name }) => name === 'kurs_ref');
  assert.match(decodeURIComponent(kept?.value ?? ''), new RegExp(`^${code}~\\d{10}~post-1$`));
  await until('the click is counted', 10_000, async () => {
    const { total } = await account.client.affiliateStatistics({});
    return total.clicks === 1;
  });
  const visitor = system.client();
  const { order } = await place(visitor, { ...SELL_BTC, ref: decodeURIComponent(kept?.value ?? '') });
  await pay(visitor, order);
  const [reward] = await until('the reward of its order', 90_000, async () => {
    const { data } = await account.client.affiliateRewards({});
    return data.length > 0 && data;
  });
  assert.deepEqual([reward?.state, reward?.level, reward?.sub, reward?.from], ['pending', 1, 'post-1', 'BTC']);
  assert.doesNotMatch(JSON.stringify(reward), new RegExp(`${order.id}|${order.email}`), 'nothing of the customer');
  const { headers } = await fetch(`${system.url}/widget.js`);
  assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin', 'whatever a page lets in');
  assert.deepEqual(broken, []);
  await context.close();
});

test('a link leads on by itself, in nobody’s frame, and tells nobody its address', async () => {
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
