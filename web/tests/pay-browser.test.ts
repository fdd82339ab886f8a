// The page on which a buyer pays an invoice, in a browser: choices without a reload, live updates, frames, keyboard and phones.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import en from '../locales/en-US.json' with { type: 'json' };
import { type SceneName, SCENE_NAMES, invoiceIn, sceneId } from '../testing/gate/invoices.ts';
import { serve } from '../testing/serve.ts';
import { windowsOnSite } from '../testing/windows.ts';
import { worldTransport } from '../testing/world.ts';

/** Scene whose state the invoice of the scene `open` has now, and the calls that were made about it. */
let current: SceneName = 'open';
const made: [string, unknown][] = [];
const world = worldTransport(() => new Date());
const site = windowsOnSite(() =>
  serve(0, 'live', async (call) => {
    if (!call.name.startsWith('payment') && call.name !== 'userInfo' && call.name !== 'userEmailGetOtp') return world(call);
    const { id } = call.input as { id?: string };
    if (call.name !== 'paymentInvoice' && call.name !== 'paymentInvoiceStatus') made.push([call.name, call.input]);
    if (call.name === 'userInfo') return { email: 'ann@example.org', two_factor_enabled: false };
    if (call.name === 'userEmailGetOtp') return {};
    if (call.name === 'paymentMethod') current = 'chosen';
    if (call.name === 'paymentFromWallet') current = 'settled';
    if (id !== sceneId('open')) return world(call);
    const invoice = { ...invoiceIn(current, new Date()), id, version: 3 + SCENE_NAMES.indexOf(current) };
    return call.name === 'paymentInvoiceStatus' ? { state: invoice.state, version: invoice.version } : invoice;
  }),
);
const url = (scene: SceneName = 'open', prefix = 'En'): string => `${site.url}/${prefix}/pay/${sceneId(scene)}`;

/** Marks the document, so that `isSame` tells if it was loaded again. */
const mark = (page: Page): Promise<void> => page.evaluate(() => void (document.body.dataset['mark'] = 'same'));
const isSame = (page: Page): Promise<boolean> => page.evaluate(() => document.body.dataset['mark'] === 'same');

test('a method is chosen and changed by the keyboard, without loading a document', async () => {
  current = 'open';
  const { page, context, troubles } = await site.open();
  await page.goto(url());
  await mark(page);
  await page.getByRole('button', { name: /Tether TRC-20/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Send exactly 84.64 USDT' }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'main', 'the focus is at the new content');
  assert.deepEqual(made.at(-1), ['paymentMethod', { id: sceneId('open'), method: 'USDT_TRC20' }]);
  const left = page.getByRole('timer');
  const before = await left.innerText();
  await page.waitForFunction((was) => document.querySelector('[role=timer]')?.textContent !== was, before);
  await page.getByRole('link', { name: en.checkout_other }).click();
  await page.getByRole('heading', { level: 1, name: en.checkout_choose }).waitFor();
  assert.equal(await page.locator('button[aria-current=true]').count(), 1, 'the chosen method is marked');
  await page.getByRole('link', { name: en.checkout_keep }).click();
  await page.getByRole('heading', { level: 1, name: 'Send exactly 84.64 USDT' }).waitFor();
  assert.ok(await isSame(page));
  assert.deepEqual(troubles, []);
  await context.close();
});

test('news about a payment appear by themselves', async () => {
  current = 'chosen';
  const { page, context, troubles } = await site.open();
  const { promise: paid, resolve: pay } = Promise.withResolvers<void>();
  let streams = 0;
  await context.route('**/payment/invoice/status*', async (route) => {
    if ((streams += 1) > 1) return;
    await paid;
    await route.fulfill({ contentType: 'text/event-stream', body: 'id: 99\nevent: invoice\ndata: {}\n\n' });
  });
  await page.goto(url());
  await page.getByRole('heading', { level: 1, name: 'Send exactly 84.64 USDT' }).waitFor();
  await mark(page);
  current = 'confirming';
  pay();
  await page.getByRole('heading', { level: 1, name: en.checkout_confirming }).waitFor();
  await page.getByText('7 of 19 confirmations').waitFor();
  assert.ok(await isSame(page));
  assert.deepEqual(troubles, []);
  await context.close();
});

test('a price that ends while the page is open is replaced by a button for a new one', async () => {
  const { page, context, troubles } = await site.open();
  await page.clock.install();
  await page.goto(url('memo'));
  await page.getByRole('heading', { level: 1, name: 'Send exactly 84.64 USDT' }).waitFor();
  await page.clock.runFor(60_000);
  await page.getByRole('heading', { level: 1, name: en.checkout_over }).waitFor();
  assert.equal(await page.getByText('TWd4Wr').count(), 0, 'nobody pays at the former price');
  await page.getByRole('button', { name: en.checkout_new_price }).waitFor();
  assert.deepEqual(
    troubles.filter((trouble) => !/404|status of/.test(trouble)),
    [],
  );
  await context.close();
});

test('an e-mail address is saved without a reload, and a wrong one keeps its error at the field', async () => {
  current = 'open';
  const { page, context, troubles } = await site.open();
  await page.goto(url('three'));
  await mark(page);
  await page.getByRole('link', { name: en.checkout_email_open }).click();
  await page.getByLabel(en.checkout_email).fill('ann');
  await page.getByRole('button', { name: en.checkout_email_send }).click();
  await page.locator('#field-email[aria-invalid=true]').waitFor();
  assert.equal(await page.getByLabel(en.checkout_email).inputValue(), 'ann');
  await page.getByLabel(en.checkout_email).fill('ann@example.org');
  await page.getByRole('button', { name: en.checkout_email_send }).click();
  await page.getByLabel(en.checkout_email).waitFor({ state: 'detached' });
  assert.ok(await isSame(page));
  assert.deepEqual(
    troubles.filter((trouble) => !/422/.test(trouble)),
    [],
  );
  await context.close();
});

test('Enter in the sum of a top-up chooses no method, and a refused sum is shown at its field', async () => {
  const { page, context, troubles } = await site.open();
  await page.goto(url('top_up'));
  const { length } = made;
  const sum = page.getByLabel(en.checkout_amount, { exact: true });
  await sum.fill('5k');
  await sum.press('Enter');
  assert.equal(made.length, length);
  await page.getByRole('button', { name: /Payeer/ }).click();
  await page.locator('#field-amount[aria-invalid=true]').waitFor();
  assert.equal(await sum.inputValue(), '5k');
  await sum.fill('12.5');
  await page.getByRole('button', { name: /Payeer/ }).click();
  await page.locator('#field-amount:not([aria-invalid])').waitFor();
  assert.deepEqual(made.at(-1), ['paymentMethod', { id: sceneId('top_up'), method: 'PAYEER_USD', amount: '12.5' }]);
  assert.deepEqual(
    troubles.filter((trouble) => !/422/.test(trouble)),
    [],
  );
  await context.close();
});

test('a holder pays from a wallet with a mailed code', async () => {
  current = 'wallets';
  const { page, context, troubles } = await site.open();
  await context.addInitScript(() => localStorage.setItem('accessToken', 'a-token'));
  await page.goto(url());
  await page.getByText('Wallet at Kurs').click();
  await page.getByRole('button', { name: 'Pay 84.50 USDT' }).click();
  await page.getByRole('button', { name: en.confirm_send }).click();
  assert.equal(await page.getByText(en.checkout_wallet_partly).count(), 0, 'nothing else is on its way');
  await page.getByLabel(en.code_label).fill('123456');
  assert.deepEqual(made.at(-1), ['userEmailGetOtp', { purpose: 'money_out', about: sceneId('open') }]);
  await page.getByRole('button', { name: 'Pay 84.50 USDT' }).click();
  await page.getByRole('heading', { level: 1, name: en.checkout_settled }).waitFor();
  const input = { id: sceneId('open'), unit: 'USDT', amount: '84.50', otp: '123456' };
  assert.deepEqual(made.at(-1), ['paymentFromWallet', input]);
  assert.deepEqual(troubles, []);
  await context.close();
});

test('a holder learns before they pay from a wallet what becomes of a part, if another payment is on its way', async () => {
  current = 'wallets_partly';
  const { page, context, troubles } = await site.open();
  await context.addInitScript(() => localStorage.setItem('accessToken', 'a-token'));
  await page.goto(url());
  await page.getByText('Wallet at Kurs').click();
  await page.getByRole('button', { name: 'Pay 64.50 USDT' }).click();
  await page.getByText(en.checkout_wallet_partly).waitFor();
  assert.deepEqual(troubles, []);
  await context.close();
});

test('the methods are folded while a late payment is awaited, and stay unfolded after a refused choice', async () => {
  const { page, context, troubles } = await site.open();
  await page.goto(url('late'));
  const method = page.getByRole('button', { name: /Tether TRC-20/ });
  assert.equal(await method.isVisible(), false);
  await page.getByText(en.checkout_again).click();
  await method.waitFor();
  await page.getByText(en.checkout_part_open).click();
  await page.getByLabel(en.checkout_part, { exact: true }).fill('5k');
  await page.getByRole('button', { name: /Payeer/ }).click();
  await page.locator('#field-amount[aria-invalid=true]').waitFor();
  assert.ok(await method.isVisible());
  assert.deepEqual(
    troubles.filter((trouble) => !/422/.test(trouble)),
    [],
  );
  await context.close();
});

const shop = createServer((request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end(
    `<!doctype html><title>Shop</title><iframe width="800" height="900" src="${request.url?.slice(2) ?? ''}"></iframe>`,
  );
});
after(() => shop.close());

test('a shop shows the page in a frame, in which no session is used and payments lead out', async () => {
  current = 'wallets';
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  const { port } = shop.address() as AddressInfo;
  const { page, context, troubles } = await site.open();
  await context.addInitScript(() => localStorage.setItem('accessToken', 'a-token'));
  const sessions: (string | undefined)[] = [];
  page.on('request', (request) => sessions.push(request.headers()['authorization']));
  const show = async (scene: SceneName) => {
    await page.goto(`http://localhost:${port}/?${url(scene)}`);
    return page.frameLocator('iframe');
  };
  const frame = await show('open');
  await frame.getByText('Wallet at Kurs').click();
  const opens = frame.getByRole('link', { name: en.checkout_wallet_open });
  assert.equal(await opens.getAttribute('target'), '_blank');
  assert.equal(await frame.getByRole('button', { name: /^Pay 84/ }).count(), 0);
  assert.deepEqual(
    sessions.filter((one) => one !== undefined),
    [],
  );
  assert.equal(await frame.getByRole('link', { name: en.checkout_back }).getAttribute('target'), '_top');
  const leaving = await show('link');
  const link = leaving.getByRole('link', { name: 'Pay at Payeer' });
  await page.waitForFunction(() => true);
  await link.waitFor();
  assert.match((await link.getAttribute('target')) ?? '', /^_(blank|top)$/);
  assert.deepEqual(troubles, []);
  await context.close();
});

/** Most layout shift that a page may have while its fonts replace those of the system. */
const MAX_SHIFT = 0.02;
/** Script that sums up the layout shifts of a page so far. */
const SHIFT = `new Promise((done) => {
  let sum = 0;
  const add = (list) => list.getEntries().forEach(({ value }) => { sum += value; });
  new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => done(sum), 100);
})`;

for (const theme of ['light', 'dark'] as const)
  test(`every state is accessible, and fits a window of 320 pixels (${theme})`, async () => {
    const { page, context, troubles } = await site.open({ viewport: { width: 320, height: 700 } });
    await context.addCookies([{ name: 'theme', value: theme, url: site.url }]);
    await context.route('**/payment/invoice/status*', () => undefined);
    for (const scene of SCENE_NAMES.filter((name) => name !== 'open')) {
      await page.goto(url(scene, SCENE_NAMES.indexOf(scene) % 2 === 0 ? 'En' : 'Ru'));
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 320, `${scene} is ${wide} pixels wide`);
      const shift = await page.evaluate<number>(SHIFT);
      assert.ok(shift <= MAX_SHIFT, `${scene} moves by ${shift} while it loads`);
      await page.evaluate(axe.source);
      const violations = await page.evaluate(async () => {
        const found = await (globalThis as unknown as { axe: typeof axe }).axe.run(document);
        return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
      });
      assert.deepEqual(violations, [], scene);
    }
    assert.deepEqual(troubles, []);
    await context.close();
  });
