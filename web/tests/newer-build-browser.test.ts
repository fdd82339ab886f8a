// What an open page does when a newer build of the site has come, or its own code has gone. Over the built site and made-up
// data.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { serve } from '../testing/serve.ts';
import { stubTransport } from '../testing/stub.ts';
import { WAIT_MS, windowsOnSite } from '../testing/windows.ts';

const site = windowsOnSite();

test('a newer build that comes during a session is loaded with the next click, and what was typed stays', async () => {
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

test('a newer build is loaded with a link and with a form alike, and the way back leads to what was typed', async () => {
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
      // What the router asks for comes, or fails, before the document: nothing may come of it.
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

test('a page whose code is gone when it begins reloads, and is taken over', async () => {
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

test('a build is asked for as often as the configuration says; an answer that fails is as if none was asked', async () => {
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
  for (const asked of [1, 2]) {
    const checked = page.waitForResponse('**/builds/latest.json*');
    await page.clock.fastForward(60_001);
    await checked;
    assert.equal(checks, asked);
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

test('a piece of code that has gone reloads the page, and not again within ten seconds', async () => {
  const { page, context } = await site.open();
  await context.route(/currency-picker[^/]*\.js$/, (route) => route.abort());
  let documents = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  await page.goto(`${site.url}/En?from=BTC&to=USDT_ERC20&amount=0.0123`);
  const button = page.getByRole('button', { name: 'You send' });
  const amount = page.locator('input[inputmode=decimal]').first();
  /** Keyboard focus alone asks for the piece. */
  const fail = async (): Promise<void> => {
    await button.waitFor();
    await Promise.all([page.waitForEvent('requestfailed'), button.focus()]);
  };
  await Promise.all([page.waitForEvent('load'), fail()]);
  assert.equal(documents, 2);
  assert.equal(await amount.inputValue(), '0.0123', 'what was typed is in the address');
  // The piece is still not there: reloading again would not end.
  await fail();
  const kept = await page.evaluate(() => sessionStorage.getItem('reloaded-at'));
  assert.ok(Math.abs(Date.now() - Number(kept)) < WAIT_MS);
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
