// Behaviour of an open page after a newer build was deployed, or after its own code was removed. Runs over the built site and the
// stub.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { serve } from '../testing/serve.ts';
import { stubTransport } from '../testing/stub.ts';
import { WAIT_MS, windowsOnSite } from '../testing/windows.ts';

const site = windowsOnSite();

test('a build deployed during a session is loaded with the next click, and typed text stays', async () => {
  const { page, context } = await site.open();
  await page.clock.install();
  await page.goto(`${site.url}/En/track`);
  let documents = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  const follow = async (name: string): Promise<void> => {
    await page.getByRole('contentinfo').getByRole('link', { name }).click();
  };
  await follow('Check a receipt');
  await page.waitForURL('**/En/verify');
  assert.equal(documents, 0, 'a page without a load');
  const checks: string[] = [];
  await context.route('**/builds/latest.json*', (route) => {
    checks.push(new URL(route.request().url()).search);
    return route.fulfill({ json: { id: 'newer' } });
  });
  const checked = page.waitForResponse('**/builds/latest.json*');
  await page.clock.fastForward('01:00:01');
  await checked;
  assert.match(checks[0] ?? '', /^\?\d+$/);
  await follow('Find my order');
  await page.waitForURL('**/En/track');
  assert.equal(documents, 1, 'a whole page');
  await page.goto(`${site.url}/En?from=BTC&to=USDT_ERC20`);
  const amount = page.locator('input[inputmode=decimal]').first();
  await amount.fill('0.0123');
  await page.waitForURL(/amount=0\.0123/);
  await page.getByRole('link', { name: 'Ru: русский' }).click();
  await page.waitForURL('**/Ru?*amount=0.0123*');
  assert.equal(await page.locator('input[inputmode=decimal]').first().inputValue(), '0,0123');
  await context.close();
});

test('links and forms load a newer build, and going back shows the typed text', async () => {
  const ways: Record<string, (page: Page) => Promise<void>> = {
    '**/En/track': (page) => page.getByRole('contentinfo').getByRole('link', { name: 'Find my order' }).click(),
    '**/En/exchange?id=*': (page) => page.getByRole('button', { name: 'Continue' }).click(),
  };
  for (const [target, go] of Object.entries(ways)) {
    for (const isCodeGone of [false, true]) {
      const { page, context } = await site.open();
      await page.clock.install();
      await page.goto(`${site.url}/En?from=BTC&to=USDT_ERC20`);
      let documents = 0;
      page.on('request', (request) => void (request.isNavigationRequest() && (documents += 1)));
      await context.route('**/builds/latest.json*', (route) => route.fulfill({ json: { id: 'newer' } }));
      const amount = page.locator('input[inputmode=decimal]').first();
      await amount.fill('0.0123');
      await page.waitForURL(/amount=0\.0123/);
      const checked = page.waitForResponse('**/builds/latest.json*');
      await page.clock.fastForward('01:00:01');
      await checked;
      // The router's request is answered, or fails, before the document arrives; that must have no effect.
      let hasCome = false;
      await context.route(target, async (route) => {
        await pause(500);
        hasCome = true;
        await route.continue();
      });
      await context.route(/\/(track|exchange)-[^/]*\.js$/, (route) =>
        isCodeGone && !hasCome ? route.abort() : route.continue(),
      );
      await go(page);
      await page.waitForURL(target);
      assert.equal(documents, 1, target);
      await page.goBack();
      assert.equal(await amount.inputValue(), '0.0123');
      await context.close();
    }
  }
});

test('a page whose code was removed before it started reloads, and is hydrated', async () => {
  for (const piece of [/\/entry-[^/]*\.js$/, /\/home-[^/]*\.js$/]) {
    const { page, context } = await site.open();
    let documents = 0;
    page.on('request', (request) => void (request.isNavigationRequest() && (documents += 1)));
    await context.route(piece, (route) => (documents === 1 ? route.abort() : route.continue()));
    await page.goto(`${site.url}/En?from=BTC&to=USDT_ERC20`, { waitUntil: 'commit' });
    await page.waitForFunction(() => sessionStorage.getItem('reloaded-at') !== null);
    await page.waitForLoadState();
    await page.locator('input[inputmode=decimal]').first().fill('0.0123');
    await page.waitForURL(/amount=0\.0123/);
    assert.equal(documents, 2, String(piece));
    await context.close();
  }
});

test('the build is checked at the configured interval, and a failed check is ignored', async () => {
  const quick = await serve(
    0,
    'live',
    stubTransport(() => new Date()),
    { buildCheckSeconds: 60 },
  );
  const { page, context, troubles } = await site.open();
  await page.clock.install();
  let checks = 0;
  await context.route('**/builds/latest.json*', (route) => {
    checks += 1;
    return route.fulfill({ body: 'no JSON' });
  });
  await page.goto(`${quick.url}/En/track`);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  for (const request of [1, 2]) {
    const checked = page.waitForResponse('**/builds/latest.json*');
    await page.clock.fastForward(60_001);
    await checked;
    assert.equal(checks, request);
  }
  let documents = 0;
  page.on('request', (request) => void (request.isNavigationRequest() && (documents += 1)));
  await page.getByRole('contentinfo').getByRole('link', { name: 'Check a receipt' }).click();
  await page.waitForURL('**/En/verify');
  assert.equal(documents, 0);
  assert.deepEqual(troubles, []);
  quick.close();
  await context.close();
});

test('a removed chunk reloads the page, but not again within ten seconds', async () => {
  const { page, context } = await site.open();
  await context.route(/currency-picker[^/]*\.js$/, (route) => route.abort());
  let documents = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  await page.goto(`${site.url}/En?from=BTC&to=USDT_ERC20&amount=0.0123`);
  const button = page.getByRole('button', { name: 'You send' });
  const amount = page.locator('input[inputmode=decimal]').first();
  /** Focus by keyboard alone requests the chunk. */
  const fail = async (): Promise<void> => {
    await button.waitFor();
    await Promise.all([page.waitForEvent('requestfailed'), button.focus()]);
  };
  await Promise.all([page.waitForEvent('load'), fail()]);
  assert.equal(documents, 2);
  assert.equal(await amount.inputValue(), '0.0123', 'what was typed is in the address');
  // The chunk is still missing: reloading again would never end.
  await fail();
  const stored = await page.evaluate(() => sessionStorage.getItem('reloaded-at'));
  assert.ok(Math.abs(Date.now() - Number(stored)) < WAIT_MS);
  await button.blur();
  await page.evaluate(() => sessionStorage.setItem('reloaded-at', String(Date.now() - 9000)));
  await fail();
  assert.equal(documents, 2);
  await button.blur();
  await page.evaluate(() => sessionStorage.setItem('reloaded-at', String(Date.now() - 10_001)));
  await Promise.all([page.waitForEvent('load'), fail()]);
  assert.equal(documents, 3);
  await context.close();
});
