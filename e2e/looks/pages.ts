import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { type Visit, layOutAll } from '../harness/browser.ts';
import { fill, freshEmail, place, review } from '../customers/customer.ts';
import { ROUTES } from './seed-routes.ts';
import { type System, until, isReady } from '../harness/system.ts';

/** Language, theme and width of the window in which a page is tested. */
export interface View {
  readonly language: 'En' | 'Ru';
  readonly theme: 'light' | 'dark';
  readonly width: number;
}

export interface ShownPage {
  readonly name: string;
  /** Path after the language prefix. */
  readonly path: string;
  readonly cookies?: Readonly<Record<string, string>>;
  readonly status?: number;
  /** Token of the session in which the page is opened. */
  readonly token?: string;
  /** Name of a button that opens a dialog on the page. */
  readonly opens?: string;
}

/** Word as long as a transaction's id, which people paste anywhere, without a position at which it may break. */
const LONG_WORD = 'a7f3'.repeat(16);

/** Folder of screenshots that people compare with the design. Git ignores it. */
const PICTURES = new URL('../test-results/pages/', import.meta.url).pathname;

/**
 * Returns every page that a visitor can open, in a lasting state: each route, both steps of a calculation, an unpaid order, a
 * ticket, results of searches with and without hits, earlier versions of the legal texts, and the dialog to sign in.
 */
export async function allPages(system: System): Promise<ShownPage[]> {
  const client = system.client();
  await until('the directions to open', 60_000, async () => (await client.directions({})).directions.every(isReady));
  const details = await fill(client, { from: 'BTC', to: 'USDT_ERC20', amount: '0.002' });
  const reviewed = await review(client, { from: 'BTC', to: 'USDT_ERC20', amount: '0.002' });
  const { order } = await place(client, { from: 'USDT_ERC20', to: 'BTC', amount: '60.00' });
  const { directions } = await client.directions({});
  // Direction that stays closed. One that only lacks a rate may open during the test.
  const closed = directions.find(({ reason }) => reason === 'switched_off')?.slug ?? '';
  const request = { email: freshEmail(), topic: 'payment', text: 'Where is my payment?', bot_token: 'sandbox' } as const;
  const ticket = await client.ticketOpen(request, { idempotencyKey: reviewed.key.id });
  const secretOf = ({ id, token }: { id: string; token: string }): Record<string, string> => ({ [`calculation-${id}`]: token });
  const query = `from=PMV_USD&to=PAYPAL_USD`;
  const paths: Readonly<Record<string, string>> = {
    ...Object.fromEntries(ROUTES.filter(isSimple).map((route) => [nameOf(route), route])),
    'home-other': '?from=USDT_ERC20&to=BTC&amount=123.45',
    order: `/order?id=${order.id}&token=${order.token}`,
    'order-wrong': '/order?id=KX-7F3Q-2M8C&token=wrong',
    'exchange-over': '/exchange?id=0199a7d2-7a3e-7c10-9f00-3f1c5e2b7a10',
    rates: '/rates',
    'rates-found': '/rates?q=usdt&kind=crypto',
    'rates-nothing': '/rates?q=nothing-such',
    'service-coins': '/services/btc-usdt-erc20',
    'service-closed': `/services/${closed}`,
    'service-voucher-bought': '/services/paypal-to-perfectmoney-exchange',
    'success-order': '/payment/success?id=KX-7F3Q-2M8C',
    'fail-order': '/payment/fail?id=KX-7F3Q-2M8C',
    track: '/track',
    verify: '/verify',
    status: '/status',
    'faq-found': '/faq?q=refund',
    'faq-nothing': '/faq?q=nothing-such',
    'faq-long': `/faq?q=${LONG_WORD}`,
    'rates-long': `/rates?q=${LONG_WORD}`,
    'track-long': `/track?id=${LONG_WORD}`,
    'contact-long': `/contact-us?order=${LONG_WORD}`,
    'contact-order': `/contact-us?order=${order.id}`,
    ticket: `/contact-us/ticket?id=${ticket.id}&token=${ticket.token ?? ''}`,
    'ticket-wrong': '/contact-us/ticket?id=TK-7F3Q-2M8C&token=wrong',
    'terms-older': '/terms-of-services?version=1',
    'aml-older': '/aml-kyc-policy?version=1',
    'vouchers-sold': `/solutions/buy-sell-perfectmoney-voucher?${query}`,
    'online-payment-link': '/solutions/online-payment?pair=btc-usdt-erc20&amount=100',
    missing: '/no-such-page',
    'missing-long': `/${LONG_WORD}`,
  };
  const statuses: Readonly<Record<string, number>> = {
    missing: 404,
    'missing-long': 404,
    'order-wrong': 404,
    'ticket-wrong': 404,
    'exchange-over': 404,
  };
  return [
    ...Object.entries(paths).map(([name, path]) => ({
      name,
      path,
      ...(name in statuses && { status: statuses[name] as number }),
    })),
    { name: 'details', path: `/exchange?id=${details.key.id}&step=2`, cookies: secretOf(details.key) },
    { name: 'review', path: `/exchange?id=${reviewed.key.id}`, cookies: secretOf(reviewed.key) },
    { name: 'sign-in', path: '', opens: 'header button[type=button]' },
  ];
}

/** True for routes that need no data. The dashboard's routes only show the dialog to sign in. */
const isSimple = (route: string): boolean => !route.startsWith('/dashboard');
const nameOf = (route: string): string => (route === '' ? 'home' : route.slice(1).replaceAll('/', '-'));

const SCENES =
  'WAIT SEEN CONF PART APPL CHCK SHRT LATE RFSD STRA PAYS DONE EXPD CNCL RFNG RFND RJCT PREP RFSP INVO LEAV LVGT VCHR VTKN VWRG GOOD GSEE';
const STUB_TOKEN = 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx';

/** Returns the order's page in every state and with every kind of payment, as the site shows it with the stub of the API. */
export const orderScenes = (): ShownPage[] =>
  SCENES.split(' ').map((scene) => ({ name: `order-${scene}`, path: `/order?id=KX-${scene}-NG00&token=${STUB_TOKEN}` }));

/** Number of sample invoices of the stub (`web/testing/gate/invoices.ts`), whose ids are counted from 1000. */
const INVOICES = 38;

/** Returns the page of an invoice in every state, as the site shows it with the stub of the API. */
export const invoiceScenes = (): ShownPage[] =>
  Array.from({ length: INVOICES }, (_, at) => ({
    name: `invoice-${at}`,
    path: `/pay/0199a7d2-7a3e-7c10-9f00-${String(1000 + at).padStart(12, '0')}`,
  }));

/** Window in which pages are opened one after the other, with a language, theme, size and session. */
export interface Looker {
  readonly page: Page;
  /** Errors, warnings and violations of the policy since the last page was opened. */
  readonly complaints: readonly string[];
  /** Opens a page. Throws an error if its status is not the expected one. */
  show(shown: ShownPage): Promise<void>;
  close(): Promise<void>;
}

/** Script that waits until React has hydrated the page's frame. */
const TAKEN_OVER = `new Promise((done) => {
  const look = () => {
    const link = document.querySelector('header a, aside a, main nav a');
    if (link && Object.keys(link).some((key) => key.startsWith('__reactProps'))) done();
    else setTimeout(look, 10);
  };
  look();
})`;

/** Opens such a window on the site at `base`. */
export async function openLooker(browser: Browser, base: string, view: View): Promise<Looker> {
  const context = await browser.newContext({ viewport: { width: view.width, height: 900 } });
  await context.addCookies([{ name: 'theme', value: view.theme, url: base }]);
  const page = await context.newPage();
  const complaints: string[] = [];
  let status = 200;
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const isOwnStatus = status !== 200 && message.text().includes(String(status));
    if (['error', 'warning'].includes(message.type()) && !isOwnStatus) complaints.push(message.text());
  });
  return {
    page,
    complaints,
    close: () => context.close(),
    async show(shown) {
      complaints.length = 0;
      status = shown.status ?? 200;
      const { token, cookies = {} } = shown;
      await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: base })));
      if (token !== undefined) await context.addInitScript((stored) => localStorage.setItem('accessToken', stored), token);
      const response = await page.goto(`${base}/${view.language}${shown.path}`, { waitUntil: 'load' });
      assert.equal(response?.status(), status, shown.name);
      await page.evaluate(TAKEN_OVER);
      // Code that runs at the start, such as an intersection observer, has its first effects in the next frames.
      await page.waitForTimeout(100);
      if (shown.opens !== undefined) await openDialog(page, shown.opens);
      // The dashboard loads its data after the page.
      if (token !== undefined) await page.locator('main output.card').waitFor({ state: 'detached' });
    },
  };
}

async function openDialog(page: Page, button: string): Promise<void> {
  await page.locator(button).click();
  await page.locator('dialog[open]').waitFor();
}

/** Opens one page in a new window. */
export async function open(browser: Browser, system: { url: string }, shown: ShownPage, view: View): Promise<Looker> {
  const looker = await openLooker(browser, system.url, view);
  await looker.show(shown);
  return looker;
}

/** Script that waits until short animations, such as that of an opening dialog, have ended. */
const SETTLED = `Promise.all(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().endTime < 5000).map((one) => one.finished.catch(() => undefined)))`;

/** Script that runs axe and returns each fault with its first element. */
const AXE = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes[0]?.html.slice(0, 200)))`;

/**
 * Asserts that an open page is not wider than the screen and that axe finds no fault. Saves its screenshot. `where` describes the
 * page and the view in errors.
 */
export async function inspectOpened(page: Page, where: string): Promise<void> {
  await page.evaluate(SETTLED);
  assert.equal(await overflow(page), 0, `${where}: wider than the screen`);
  assert.deepEqual(await tallStrips(page), [], `${where}: scrolls up and down`);
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  assert.deepEqual(await page.evaluate<string[]>(AXE), [], where);
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}${where.replaceAll(' ', '.')}.png`, fullPage: true });
}

/** Inspects the page that a person has open, in both themes, narrow and wide, and restores its window. */
export async function inspectInViews({ page, locale }: Pick<Visit, 'page' | 'locale'>, name: string): Promise<void> {
  const before = page.viewportSize() ?? { width: 1280, height: 900 };
  const wear = (theme: string): Promise<unknown> => page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
  for (const theme of ['light', 'dark']) {
    await wear(theme);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await inspectOpened(page, `${name} ${locale} ${theme} ${width}`);
    }
  }
  await wear('light');
  await page.setViewportSize(before);
}

/** Returns the number of pixels by which a fully laid out page is wider than its window. */
export async function overflow(page: Page): Promise<number> {
  await layOutAll(page);
  return page.evaluate('Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)');
}

const TALL_STRIPS = `[...document.querySelectorAll('body *')].filter((one) => {
  const { overflowX, overflowY, maxHeight } = getComputedStyle(one);
  return overflowX === 'auto' && overflowY === 'auto' && maxHeight === 'none' && one.scrollHeight > one.clientHeight;
}).map((one) => one.className)`;

/**
 * Returns the classes of elements that should only scroll horizontally and also scroll vertically. Where the system draws
 * scrollbars, such an element has a vertical one for a pixel.
 */
export const tallStrips = (page: Page): Promise<string[]> => page.evaluate<string[]>(TALL_STRIPS);

/** Script that waits until two frames have been drawn. */
const DRAWN = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100))))';

/** Cumulative layout shift of a page, and the shifted elements with their positions before and after. */
export interface Shift {
  readonly size: number;
  readonly moved: string;
}

/** Script that sums up the shifts that no action of a person caused. */
const SHIFTS = `new Promise((done) => {
  let size = 0;
  const moved = new Set();
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
  const nameOf = (node) => (node?.nodeName ?? 'gone') + ' “' + (node?.textContent ?? '').slice(0, 40) + '”';
  const watch = (list) => list.getEntries().filter((one) => !one.hadRecentInput).forEach(({ value, sources }) => {
    size += value;
    for (const { node, previousRect, currentRect } of sources)
      moved.add(nameOf(node) + ' ' + place(previousRect) + ' → ' + place(currentRect));
  });
  new PerformanceObserver(watch).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => done({ size, moved: [...moved].join('; ') }), 300);
})`;

/** Opens a page whose fonts arrive after the first paint, and returns the layout shift that they cause. */
export async function shiftByFonts({ page }: Looker, address: string): Promise<Shift> {
  const { promise: wanted, resolve: send } = Promise.withResolvers<void>();
  await page.route('**/*.woff2', (route) => wanted.then(() => route.continue()));
  await page.goto(address, { waitUntil: 'domcontentloaded' });
  await page.evaluate(DRAWN);
  send();
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  const shift = await shiftOf(page);
  await page.unroute('**/*.woff2');
  return shift;
}

/**
 * Slows a window's processor down to that of an old phone, so that the first part of a document is painted while the rest is
 * parsed.
 */
export async function slowDown({ page }: Looker): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 8 });
}

/** Returns the layout shift of a page since it was opened. */
export const shiftOf = (page: Page): Promise<Shift> => page.evaluate<Shift>(SHIFTS);
