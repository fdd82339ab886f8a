// Tests every page of the dashboard with the entries of an account: in both languages and themes, on every screen size, and by
// keyboard.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { accountPages, emptyPages, richAccount } from '../looks/account-pages.ts';
import { signUp, type Signed } from '../customers/signed.ts';
import { startBrowser } from '../harness/browser.ts';
import { goThrough } from '../harness/keyboard.ts';
import { type ShownPage, inspectOpened, open, overflow, shiftOf } from '../looks/pages.ts';
import { type System, startSystem, until } from '../harness/system.ts';

const WIDTHS = [320, 360, 390, 600, 769, 770, 900, 1099, 1280, 1920];

let system: System;
let browser: Browser;
let signed: Signed;
let pages: ShownPage[];

before(async () => {
  system = await startSystem();
  browser = await startBrowser();
  signed = await richAccount(system);
  pages = [...(await accountPages(signed)), ...emptyPages(await signUp(system))];
});
after(async () => {
  await browser?.close();
  await system?.stop();
});

for (const language of ['En', 'Ru'] as const) {
  for (const theme of ['light', 'dark'] as const) {
    test(`every page of the dashboard is without faults in ${language}, ${theme}, narrow and wide`, async () => {
      for (const shown of pages) {
        const { page, complaints, close } = await open(browser, system, shown, { language, theme, width: 390 });
        for (const width of [390, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          await inspectOpened(page, `${shown.name} ${language} ${theme} ${width}`);
        }
        assert.deepEqual(complaints, [], shown.name);
        await close();
      }
    });
  }
}

test('no page of the dashboard is wider than any screen', async () => {
  for (const language of ['En', 'Ru'] as const) {
    for (const shown of pages) {
      const { page, close } = await open(browser, system, shown, { language, theme: 'light', width: 320 });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        assert.equal(await overflow(page), 0, `${shown.name} ${language} ${width}`);
      }
      await close();
    }
  }
});

const ADDRESSES = [
  '',
  '/account',
  '/business',
  '/business/store?id=1',
  '/new-order',
  '/order?id=KX-7F3Q-2M8C',
  '/orders',
  '/wallet',
  '/wallet/deposit',
  '/wallet/transaction',
  '/wallet/withdraw',
];
const AT_BUTTON = 'document.activeElement?.matches("main button") ?? false';
const IN_DIALOG = 'document.querySelector("dialog")?.contains(document.activeElement)';

test('without a session each address asks to sign in over the default layout; the dialog traps the focus and returns it', async () => {
  for (const address of ADDRESSES) {
    const shown = { name: address, path: `/dashboard${address}` };
    const { page, complaints, close } = await open(browser, system, shown, { language: 'En', theme: 'light', width: 1280 });
    const dialog = page.locator('dialog');
    await dialog.waitFor();
    assert.equal(await page.locator('footer').count(), 1, `${address}: the default layout`);
    for (let step = 0; step < 12; step += 1) {
      await page.keyboard.press('Tab');
      // The browser's own toolbar is one of the stops.
      if (await page.evaluate('document.activeElement !== document.body'))
        assert.ok(await page.evaluate<boolean>(IN_DIALOG), `${address}: the focus left the dialog`);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const again = page.getByRole('main').getByRole('button');
    await again.press('Enter');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.ok(await page.evaluate<boolean>(AT_BUTTON), `${address}: the focus is where it was`);
    assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, `/En/dashboard${address}`);
    assert.deepEqual(complaints, [], address);
    await close();
  }
});

test('nothing shifts while a page loads, and the keyboard reaches everything with a visible focus', async () => {
  for (const shown of pages) {
    for (const width of [390, 1440]) {
      const { page, close } = await open(browser, system, shown, { language: 'En', theme: 'light', width });
      const { size, moved } = await shiftOf(page);
      assert.ok(size <= 0.02, `${shown.name} ${width}: ${size}, ${moved}`);
      // Without a session the page is a dialog, which keeps the focus: its field, its button and the button that closes it.
      await goThrough(page, `${shown.name} ${width}`, shown.name === 'sign-in' ? 2 : 6);
      await close();
    }
  }
});

/** Bell of the dashboard's bar. On narrow screens there is a menu beside it. */
const BELL = 'header details:has(section) > summary';

test('the bell’s list is without faults in both languages and themes, on every screen, empty and filled', async () => {
  for (const shown of pages.filter(({ name }) => name.endsWith('-overview'))) {
    for (const language of ['En', 'Ru'] as const) {
      for (const theme of ['light', 'dark'] as const) {
        const { page, complaints, close } = await open(browser, system, shown, { language, theme, width: 390 });
        for (const width of [320, 390, 900, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          await page.locator(BELL).press('Enter');
          const list = page.locator('header details[open] section');
          const isOwn = shown.name.startsWith('own');
          await list
            .locator(isOwn ? 'li' : 'p')
            .first()
            .waitFor();
          assert.equal((await list.locator('li').count()) > 0, isOwn, 'whose it is');
          await inspectOpened(page, `${shown.name} bell ${language} ${theme} ${width}`);
          await page.keyboard.press('Escape');
          await list.waitFor({ state: 'detached' });
        }
        assert.deepEqual(complaints, [], shown.name);
        await close();
      }
    }
  }
});

test('each page asks to sign in automatically once its session was ended elsewhere', async () => {
  for (const address of ['/account', '/orders']) {
    const { client, token } = await signUp(system);
    const shown = { name: address, path: `/dashboard${address}`, token };
    const { page, close } = await open(browser, system, shown, { language: 'En', theme: 'light', width: 1280 });
    await page.locator('main h1').waitFor();
    // Wait until its stream is open.
    await page.waitForTimeout(3_000);
    await client.logout({});
    // The test's browser sets the token again on each page, so it is sufficient that the dialog appeared once.
    await page.waitForEvent('load', { timeout: 60_000 });
    await close();
  }
});

test('a page without changes makes no requests', async () => {
  for (const name of ['own-overview', 'own-order-done', 'own-account', 'own-withdraw']) {
    const shown = pages.find((one) => one.name === name);
    assert.ok(shown, name);
    const { page, close } = await open(browser, system, shown, { language: 'En', theme: 'light', width: 1280 });
    const requests: string[] = [];
    page.on('request', (request) => !request.url().includes('latest.json') && requests.push(request.url()));
    // On a busy machine the frame makes its requests late.
    for (let tries = 0, before = -1; tries < 8 && before !== requests.length; tries += 1) {
      before = requests.length;
      await page.waitForTimeout(2_000);
    }
    requests.length = 0;
    await page.waitForTimeout(3_000);
    assert.deepEqual(requests, [], name);
    await close();
  }
});

test('without a connection a page stays, says so, and continues automatically', async () => {
  const overview = pages.find(({ name }) => name === 'own-overview');
  assert.ok(overview);
  const { page, close } = await open(browser, system, overview, { language: 'En', theme: 'light', width: 1280 });
  const shown = page.getByRole('heading', { name: 'Protect the account' });
  const lost = page.locator('output', { hasText: 'Connection lost' });
  // Wait until the frame has its data.
  await page.waitForTimeout(2_000);
  await page.route('**/api/v1/user/changes', (route) => route.abort());
  // The open stream ends with the process, which the supervisor restarts.
  await system.kill('api');
  await lost.waitFor({ timeout: 60_000 });
  for (const path of ['builds', 'assets']) await page.route(`**/${path}/**`, (route) => route.abort());
  await page.locator(BELL).press('Enter');
  await page.getByText('Notifications could not be loaded').waitFor({ timeout: 30_000 });
  assert.equal(await shown.isVisible(), true);
  await page.unrouteAll();
  await lost.waitFor({ state: 'detached', timeout: 90_000 });
  await page.keyboard.press('Escape');
  // Some browsers don't request code again that failed to load. They get it when the page reloads.
  await until('the list', 60_000, async () => {
    if (await page.locator('header details[open] li').first().isVisible()) return true;
    if ((await page.locator('header details[open]').count()) === 0) await page.locator(BELL).press('Enter');
    return false;
  });
  await close();
});
