import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { fill, place, review } from './customer.ts';
import { type System, until, isReady } from './system.ts';

/** How a page is looked at. */
export interface View {
  readonly language: 'En' | 'Ru';
  readonly theme: 'light' | 'dark';
  readonly width: number;
}

export interface ShownPage {
  readonly name: string;
  /** Behind the language. */
  readonly path: string;
  readonly cookies?: Readonly<Record<string, string>>;
  readonly status?: number;
  /** Of the session that the page is looked at with. */
  readonly token?: string;
}

/** Pictures for people to compare with the design; not kept in git. */
const PICTURES = new URL('../test-results/pages/', import.meta.url).pathname;

/** Every page that a visitor can meet, in a state that it stays in: a calculation at either step, an unpaid order. */
export async function allPages(system: System): Promise<ShownPage[]> {
  const client = system.client();
  await until('the directions to open', 60_000, async () => (await client.directions({})).directions.every(isReady));
  const details = await fill(client, { from: 'BTC', to: 'USDT_ERC20', amount: '0.002' });
  const reviewed = await review(client, { from: 'BTC', to: 'USDT_ERC20', amount: '0.002' });
  const { order } = await place(client, { from: 'USDT_ERC20', to: 'BTC', amount: '60.00' });
  const secretOf = ({ id, token }: { id: string; token: string }): Record<string, string> => ({ [`calculation-${id}`]: token });
  return [
    { name: 'home', path: '' },
    { name: 'home-other', path: '?from=USDT_ERC20&to=BTC&amount=123.45' },
    { name: 'details', path: `/exchange?id=${details.key.id}&step=2`, cookies: secretOf(details.key) },
    { name: 'review', path: `/exchange?id=${reviewed.key.id}`, cookies: secretOf(reviewed.key) },
    { name: 'order', path: `/order?id=${order.id}&token=${order.token}` },
    { name: 'rates', path: '/rates' },
    { name: 'rates-found', path: '/rates?q=usdt&kind=crypto' },
    { name: 'service', path: '/services/btc-usdt-erc20' },
    { name: 'service-voucher', path: '/services/perfectmoney-to-paypal-exchange' },
    { name: 'returned', path: '/payment/success?id=KX-7F3Q-2M8C' },
    { name: 'track', path: '/track' },
    { name: 'verify', path: '/verify' },
    { name: 'hi-wallet', path: '/solutions/HiWallet' },
    { name: 'paypal', path: '/solutions/exchange-paypal' },
    { name: 'vouchers', path: '/solutions/buy-sell-perfectmoney-voucher' },
    { name: 'online-payment', path: '/solutions/online-payment?pair=btc-usdt-erc20&amount=100' },
    { name: 'business', path: '/solutions/online-payment-for-business' },
    { name: 'gate', path: '/solutions/payment-gate' },
    { name: 'terms', path: '/terms-of-services' },
    { name: 'aml', path: '/aml-kyc-policy' },
    { name: 'missing', path: '/no-such-page', status: 404 },
  ];
}

interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the browser complained about: errors, warnings, violations of the policy. */
  readonly complaints: string[];
}

/** Opens a page as somebody with that language, theme and screen. */
export async function open(browser: Browser, system: System, shown: ShownPage, view: View): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: view.width, height: 900 } });
  const cookies = { theme: view.theme, ...shown.cookies };
  await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: system.url })));
  const { token } = shown;
  if (token !== undefined) await context.addInitScript((kept) => localStorage.setItem('accessToken', kept), token);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const isOwnStatus = shown.status !== undefined && message.text().includes(String(shown.status));
    if (['error', 'warning'].includes(message.type()) && !isOwnStatus) complaints.push(message.text());
  });
  const response = await page.goto(`${system.url}/${view.language}${shown.path}`, { waitUntil: 'load' });
  assert.equal(response?.status(), shown.status ?? 200, shown.name);
  // The script takes the page over a moment after it has loaded.
  await page.waitForTimeout(200);
  // The dashboard's data come after the page.
  if (token !== undefined) await page.locator('main output.card').waitFor({ state: 'detached' });
  return { page, context, complaints };
}

/**
 * A page is right in a view: no complaint of the browser, nothing wider than the screen, no fault that axe finds. Leaves
 * its picture.
 */
export async function inspect(browser: Browser, system: System, shown: ShownPage, view: View): Promise<void> {
  const where = `${shown.name} ${view.language} ${view.theme} ${view.width}`;
  const { page, context, complaints } = await open(browser, system, shown, view);
  try {
    assert.deepEqual(complaints, [], where);
    await inspectOpened(page, where);
  } finally {
    await context.close();
  }
}

/** What moves for a moment, as a dialog that opens, has come to rest. */
const SETTLED = `Promise.all(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().endTime < 5000).map((one) => one.finished.catch(() => undefined)))`;

/** As `inspect`, of a page that is open in the view that `where` names. */
export async function inspectOpened(page: Page, where: string): Promise<void> {
  assert.equal(await overflow(page), 0, `${where}: wider than the screen`);
  await page.evaluate(SETTLED);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
  assert.deepEqual(found, [], where);
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}${where.replaceAll(' ', '.')}.png`, fullPage: true });
}

/** Pixels that a page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)');
}
