// Automatic behaviour of the public site in a browser: the visitor's language, prefetched links, input before the scripts have
// loaded, and the error page's animation. Runs over the built site and the stub.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import ru from '../locales/ru-RU.json' with { type: 'json' };
import { windowsOnSite, isTakenOver } from '../testing/windows.ts';

const site = windowsOnSite();

const pathOf = (page: Page): string => new URL(page.url()).pathname + new URL(page.url()).search;

test('a Russian browser gets Russian, keeps the query when it switches the language, and returns in the chosen one', async () => {
  const { page, context, troubles } = await site.open({ locale: 'ru-RU' });
  await page.goto(`${site.url}/`);
  assert.equal(pathOf(page), '/Ru');
  assert.equal(await page.locator('html').getAttribute('lang'), 'ru');
  await page.goto(`${site.url}/Ru/services/btc-usdt-erc20?utm_source=a&amount=0.02#rate-title`);
  await page.getByRole('link', { name: 'En: English' }).click();
  // Once its script runs, the calculator writes its whole state into the address.
  await page.waitForURL(/\/En\/services\/btc-usdt-erc20\?utm_source=a&(.*&)?amount=0\.02.*#rate-title$/);
  const amount = page.locator('input[inputmode=decimal]').first();
  assert.equal(await amount.inputValue(), '0.0200');
  const cookie = (await context.cookies()).find(({ name }) => name === 'i18n_redirected');
  assert.equal(cookie?.value, 'en');
  assert.ok(Math.abs((cookie?.expires ?? 0) - Date.now() / 1000 - 365 * 86_400) < 3600, 'kept for 365 days');
  assert.equal(cookie?.path, '/');
  await page.goto(`${site.url}/`);
  assert.equal(pathOf(page), '/En');
  assert.deepEqual(troubles, []);
  await context.close();
});

test('a page shown without a document load takes the focus before its fields can', async () => {
  const { page, context, troubles } = await site.open();
  await page.goto(`${site.url}/En`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  // A quick visitor focuses the field as soon as it exists.
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      const field = document.querySelector<HTMLInputElement>('main input[type=email]');
      if (!field) return;
      observer.disconnect();
      field.focus();
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.getByRole('link', { name: 'Find my order' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Find an order' }).waitFor();
  await page.waitForTimeout(500);
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('type')), 'email', 'and is still in it');
  assert.deepEqual(troubles, []);
  await context.close();
});

test('a new rate is computed immediately and confirmed silently; only typing shows as waiting', async () => {
  const { page, context, troubles } = await site.open();
  const { promise: shown, resolve: answer } = Promise.withResolvers<void>();
  await context.route('**/api/v1/calculation', (route) => shown.then(() => route.continue()));
  await context.route('**/api/v1/calculation/directions', async (route) => {
    const { data } = (await (await route.fetch()).json()) as { data: { directions: { terms?: { rate: { value: string } } }[] } };
    for (const { terms } of data.directions) if (terms) terms.rate.value = (Number(terms.rate.value) * 1.5).toFixed(2);
    await route.fulfill({ json: { data } });
  });
  const busy = page.locator('[aria-busy=true]');
  await page.goto(`${site.url}/En`);
  const got = page.locator('#amount-get');
  const first = await got.evaluate((field: HTMLInputElement) => field.defaultValue);
  await page.keyboard.press('Tab');
  await page.waitForFunction((was) => document.querySelector<HTMLInputElement>('#amount-get')?.value !== was, first);
  assert.equal(await busy.count(), 0, 'nobody waits for anything');
  await page.locator('#amount-give').fill('0.005');
  await busy.first().waitFor({ state: 'attached' });
  answer();
  await busy.first().waitFor({ state: 'detached' });
  assert.deepEqual(troubles, []);
  await context.close();
});

test('targets of visible links are prefetched, four at a time and each once', async () => {
  const { page, context, troubles } = await site.open();
  const requests: string[] = [];
  let running = 0;
  let max = 0;
  await context.route('**/*', async (route) => {
    const request = route.request();
    const isAhead = request.headers()['sec-purpose'] === 'prefetch' || request.headers()['purpose'] === 'prefetch';
    if (!isAhead) return route.continue();
    requests.push(new URL(request.url()).pathname);
    max = Math.max(max, (running += 1));
    // The window may be closed before the last response has arrived.
    const ended = (): void => void (running -= 1);
    return route.fetch().then((response) => route.fulfill({ response }).then(ended, ended), ended);
  });
  await page.goto(`${site.url}/En/faq`);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.waitForFunction(() => document.querySelector('link[rel=prefetch][href="/En/rates"]') !== null);
  const ahead = await page.locator('link[rel=prefetch]').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  assert.equal(new Set(ahead).size, ahead.length);
  assert.ok(ahead.length > 3, ahead.join());
  assert.ok(!ahead.some((href) => href === null || href === '/En/faq' || href.startsWith('/locale')), ahead.join());
  assert.ok(max <= 4, String(max));
  assert.deepEqual(troubles, []);
  await context.close();
});

test('code of the dashboard is prefetched for signed-in visitors alone', async () => {
  const FRAME = /\/assets\/en\/frame-[^/]*\.js/;
  const { page, context } = await site.open();
  const requests: string[] = [];
  page.on('request', (request) => void requests.push(request.url()));
  const toWallet = page.locator('main a[href^="/En/dashboard"]').first();
  await page.goto(`${site.url}/En/solutions/HiWallet`);
  await toWallet.scrollIntoViewIfNeeded();
  await page.waitForTimeout(1000);
  assert.ok(requests.some((url) => url.includes('/prefetch-')));
  assert.deepEqual(
    requests.filter((url) => FRAME.test(url)),
    [],
  );
  await context.addInitScript(() => localStorage.setItem('accessToken', 'a-token'));
  const fetched = page.waitForRequest(FRAME);
  await page.reload();
  await toWallet.scrollIntoViewIfNeeded();
  await fetched;
  await context.close();
});

describe('before the scripts have come', () => {
  /** Opens a page whose scripts are held back until `come` is called; its first small script has run. */
  async function early(path: string): Promise<{ page: Page; come: () => void }> {
    const { page } = await site.open();
    const { promise, resolve: come } = Promise.withResolvers<void>();
    await page.route('**/assets/en/entry-*.js', (route) => promise.then(() => route.continue()));
    const begun = page.waitForRequest('**/assets/en/entry-*.js');
    await page.goto(`${site.url}${path}`, { waitUntil: 'commit' });
    await begun;
    return { page, come };
  }

  test('typed text stays, and counts', async () => {
    const { page, come } = await early('/En?from=BTC&to=USDT_ERC20');
    const amount = page.locator('input[inputmode=decimal]').first();
    await amount.fill('0.0123');
    come();
    await page.waitForURL(/amount=0\.0123/);
    assert.equal(await amount.inputValue(), '0.0123');
    await page.close();
  });

  test('a chosen option stays, and counts', async () => {
    const { page, come } = await early('/En/earnmoney/affiliate-program');
    const reward = page.locator('#income [aria-live]');
    const own = await reward.textContent();
    const share = page.locator('select[name=share]');
    await share.selectOption({ index: 2 });
    come();
    await page.waitForFunction((was) => document.querySelector('#income [aria-live]')?.textContent !== was, own);
    assert.equal(await share.evaluate((select: HTMLSelectElement) => select.selectedIndex), 2);
    await page.close();
  });

  test('the last pressed button takes effect', async () => {
    const { page, come } = await early('/En/faq');
    await page.getByRole('button', { name: 'Sign in' }).click();
    assert.equal(await page.locator('dialog').count(), 0);
    come();
    await page.locator('dialog').getByLabel('E\u2011mail').waitFor();
    await page.close();
  });
});

test('an invalid amount is not submitted: its focused field shows the error, and typed text stays', async () => {
  const { page, context, troubles } = await site.open({ locale: 'ru-RU' });
  await page.goto(`${site.url}/Ru`);
  const amount = page.locator('input[inputmode=decimal]').first();
  const go = page.getByRole('button', { name: ru.calculator_continue });
  for (const typed of ['abc', '1e-7', '']) {
    await amount.fill(typed);
    await go.click();
    await page.getByText(ru.amount_unreadable).waitFor();
    assert.equal(await amount.inputValue(), typed);
    assert.ok(await amount.evaluate((field) => field === document.activeElement), 'the cursor is in the field');
    await amount.fill('0.01');
    await page.getByText(ru.amount_unreadable).waitFor({ state: 'detached' });
  }
  await go.click();
  await page.waitForURL('**/Ru/exchange?id=*');
  assert.deepEqual(troubles, []);
  await context.close();
});

test('the address holds what was typed into the calculator, and does not change without typing', async () => {
  const { page, context } = await site.open();
  await page.goto(`${site.url}/En`);
  const amount = page.locator('input[inputmode=decimal]').first();
  await amount.focus();
  for (let step = 0; step < 6; step += 1) await page.keyboard.press('Tab');
  await page.waitForTimeout(600);
  assert.equal(new URL(page.url()).search, '');
  await amount.fill('0.02');
  await page.waitForURL(/amount=0\.02(&|$)/);
  await context.close();
});

test('the picker focuses its search on a desktop but not on a phone, also after the window was resized', async () => {
  const { page, context, troubles } = await site.open({ viewport: { width: 769, height: 900 } });
  await page.goto(`${site.url}/En`);
  const hasKeys = async (): Promise<boolean> => {
    await page.getByRole('button', { name: 'You send' }).click();
    const search = page.getByRole('combobox');
    await search.waitFor();
    await page.locator('dialog :focus').waitFor();
    const has = await search.evaluate((field) => field === document.activeElement);
    await page.keyboard.press('Escape');
    await search.waitFor({ state: 'detached' });
    return has;
  };
  assert.equal(await page.evaluate(() => window.outerWidth), 769);
  assert.equal(await hasKeys(), false);
  await page.setViewportSize({ width: 770, height: 900 });
  assert.equal(await hasKeys(), true);
  await page.setViewportSize({ width: 390, height: 900 });
  assert.equal(await hasKeys(), false);
  assert.deepEqual(troubles, []);
  await context.close();
});

describe('a page that is not there', () => {
  test('plays the animation from its link, and links back and home', async () => {
    const { page, context, troubles } = await site.open();
    await page.goto(`${site.url}/En/track`);
    const fetched = page.waitForResponse('**/animations/torn-note.json');
    const answer = await page.goto(`${site.url}/En/no-such-page`);
    assert.equal(answer?.status(), 404);
    await page.getByText('Page not found: /En/no-such-page').waitFor();
    assert.equal((await fetched).request().method(), 'GET');
    await page.locator('[data-plays] svg').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Go back' }).click();
    await page.waitForURL('**/En/track');
    await page.goto(`${site.url}/En/no-such-page`);
    await page.getByRole('link', { name: 'Go to home' }).click();
    await page.waitForURL('**/En');
    assert.deepEqual(troubles, []);
    await context.close();
  });

  test('does not move if reduced motion is preferred', async () => {
    const { page, context } = await site.open({ reducedMotion: 'reduce' });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(`${site.url}/Ru/no-such-page`);
    await page.waitForLoadState('networkidle');
    assert.ok(!requests.some((url) => /torn-note|animation/.test(url)), requests.join('\n'));
    assert.ok(await page.getByText('404', { exact: true }).first().isVisible());
    await context.close();
  });
});

test('a long typed word stays within a phone’s width where the page repeats it', async () => {
  const { page, context } = await site.open({ viewport: { width: 390, height: 844 } });
  const long = 'a7f3'.repeat(16);
  for (const path of [`faq?q=${long}`, long, `rates?q=${long}`, `track?id=${long}`, `order?id=${long}&token=${long}`]) {
    await page.goto(`${site.url}/En/${path}`);
    const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    assert.equal(wide, 0, path);
    const cut = await page.evaluate(
      `[...document.querySelectorAll('main p')].filter((one) => one.scrollWidth > innerWidth).length`,
    );
    assert.equal(cut, 0, path);
  }
  await context.close();
});

test('an error in the browser is shown without a reference, with links back and home', async () => {
  for (const [language, said, claim, back, home] of [
    ['En', /went wrong while this page was being shown/, /record/, 'Go back', 'Go to home'],
    ['Ru', /сбой при показе страницы/, /записан/, 'Назад', 'На главную'],
  ] as const) {
    const { page, context } = await site.open();
    await page.route('**/track.data*', (route) => route.fulfill({ json: { data: null } }));
    await page.goto(`${site.url}/${language}/verify`);
    await page.locator(`footer a[href="/${language}/track"]`).click();
    await page.getByText(said).waitFor();
    assert.doesNotMatch(await page.locator('main').innerText(), claim);
    assert.ok(await page.getByRole('button', { name: back }).isVisible());
    await page.getByRole('link', { name: home }).click();
    await page.waitForURL(`**/${language}`);
    await context.close();
  }
});

test('the address of an answer opens it; an unreadable one opens none and causes no error', async () => {
  const { page, context, troubles } = await site.open();
  await page.goto(`${site.url}/Ru/faq#cost`);
  await page.locator('details#cost[open]').waitFor();
  // Each open answer has a link to itself.
  assert.equal(await page.locator('details#cost > div > a[href$="#cost"]').innerText(), 'Ссылка на этот ответ');
  await page.locator('details#rate > summary').click();
  await page.locator('details#rate').getByRole('link', { name: 'Ссылка на этот ответ' }).click();
  assert.equal(new URL(page.url()).hash, '#rate');
  for (const hash of ['#50%', '#%E0%A4%A']) {
    await page.goto('about:blank');
    await page.goto(`${site.url}/Ru/faq${hash}`);
    await isTakenOver(page);
    await page.waitForTimeout(100);
    assert.equal(await page.locator('h1').innerText(), 'Вопросы и ответы', hash);
    assert.equal(await page.locator('details[open]').count(), 0);
  }
  assert.deepEqual(troubles, []);
  await context.close();
});

test('a text page has no currencies, and its links load documents that have them', async () => {
  const { page, context, troubles } = await site.open();
  const known = (): Promise<number> =>
    page.evaluate<number>("JSON.parse(document.getElementById('data').textContent).loaderData.site.currencies?.length ?? 0");
  await page.goto(`${site.url}/En/faq`);
  assert.equal(await known(), 0);
  await page.locator('main').getByRole('link', { name: 'find your order' }).click();
  await page.waitForURL('**/En/track');
  assert.ok((await known()) > 0);
  // The navigation added one entry to the history, so going back takes one step.
  await page.goBack();
  await page.waitForURL('**/En/faq');
  assert.deepEqual(troubles, []);
  await context.close();
});

test('a javascript: link runs nothing, and the router follows links to our own pages alone', async () => {
  const { page, context } = await site.open();
  await page.goto(`${site.url}/En/track`);
  // Hydration would remove elements that are added before it.
  await isTakenOver(page);
  await page.evaluate(`for (const [id, href] of [['bad', 'javascript:document.title="changed"'], ['other', 'https://other.invalid/En/faq']]) {
    document.querySelector('main').append(Object.assign(document.createElement('a'), { id, href, textContent: id }));
  }`);
  await page.locator('#bad').click();
  assert.doesNotMatch(await page.title(), /changed/);
  assert.equal(pathOf(page), '/En/track');
  // The browser follows a link to another site; the router does not take it for one of our pages.
  const request = page.waitForRequest('https://other.invalid/**');
  await page.locator('#other').click({ noWaitAfter: true });
  assert.equal((await request).isNavigationRequest(), true);
  await context.close();
});

test('a link to a section of a page loaded as a document scrolls to that section', async () => {
  const { page, context } = await site.open();
  await page.goto(`${site.url}/En/services/usdt-erc20-btc`);
  const lead = (href: string): Promise<void> =>
    page.locator('main').evaluate((main, target) => {
      const link = document.createElement('a');
      link.href = target;
      main.append(link);
      link.click();
    }, href);
  for (const target of ['/En/aml-kyc-policy#levels', '/En/solutions/HiWallet#fees']) {
    await lead(target);
    await page.waitForURL(`${site.url}${target}`);
    await page.waitForFunction(() => scrollY > 0);
  }
  await context.close();
});
