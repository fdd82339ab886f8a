// Measures the transferred size of pages until they are complete, with the shipped build and an empty cache. The pages are in
// Russian, whose texts and fonts are the largest.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { SELL_BTC, place, review } from '../customers/customer.ts';
import { layOutAll } from '../harness/browser.ts';
import { isFullRun } from '../../tools/runner/full-run.ts';
import { sharedStage } from '../harness/stage.ts';
import type { System } from '../harness/system.ts';
import { signUp } from '../customers/signed.ts';
import { weigh } from '../../tools/page-size.ts';
import { PAY } from '../../web/entries/pay.ts';
import { SITE } from '../../web/entries/site.ts';
import { ROUTES } from '../looks/seed-routes.ts';

type Weight = Record<'script' | 'style' | 'font' | 'html', number>;

/** Page to be measured, with its session or cookie. */
interface Weighed {
  readonly path: string;
  /** Token of the session. */
  readonly token?: string;
  readonly cookie?: { readonly name: string; readonly value: string };
}

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
});

/**
 * Opens a page with an empty cache and scrolls to its end. Files that load only then, and prefetched targets of links, are
 * included.
 */
async function weightOf({ path, token, cookie }: Weighed): Promise<Weight> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  if (cookie !== undefined) await context.addCookies([{ ...cookie, url: system.url }]);
  if (token !== undefined) await context.addInitScript((stored) => localStorage.setItem('accessToken', stored), token);
  const page = await context.newPage();
  const weight: Weight = { script: 0, style: 0, font: 0, html: 0 };
  const counted: Promise<void>[] = [];
  page.on('requestfinished', (request) => {
    const kind = ({ script: 'script', stylesheet: 'style', font: 'font' } as const)[request.resourceType() as 'script'];
    if (kind !== undefined) counted.push(request.sizes().then(({ responseBodySize }) => void (weight[kind] += responseBodySize)));
  });
  const answer = await page.goto(`${system.url}/Ru${path}`, { waitUntil: 'load' });
  assert.equal(answer?.status(), 200, path);
  await layOutAll(page);
  await quiet(page);
  // Later requests aren't counted: their size is unknown after the page is closed.
  page.removeAllListeners('requestfinished');
  await Promise.all(counted);
  const { html, style } = weigh(await answer.text());
  await context.close();
  return { ...weight, html, style: weight.style + style };
}

/** Waits until no request has started for half a second. A live stream never ends, so it isn't waited for. */
async function quiet(page: Page): Promise<void> {
  let request = performance.now();
  page.on('request', () => void (request = performance.now()));
  while (performance.now() - request < 500) await page.waitForTimeout(50);
}

/** Returns descriptions of the sizes that exceed their budget. */
function tooHeavy(path: string, weight: Weight, max: Weight): string[] {
  return (Object.keys(weight) as (keyof Weight)[])
    .filter((kind) => weight[kind] > max[kind])
    .map((kind) => `${path}: ${kind} ${weight[kind]} of ${max[kind]} bytes`);
}

/** True for one of several routes that differ only by their texts, and for all others. */
const isOneOfItsKind = (route: string): boolean => !route.startsWith('/services/') || route === '/services/exchange-usdt-trx';

/** Routes measured in the quick run: those with the most code of their own. */
const HEAVY: ReadonlySet<string> = new Set(['', '/rates', '/earnmoney/affiliate-program', '/dashboard', '/dashboard/affiliates']);
const isWeighed = (path: string): boolean => isFullRun || HEAVY.has(path) || path.includes('?');

/** Measures each page, and returns those that exceed the budget. */
async function faultsOf(pages: readonly Weighed[], script: number): Promise<string[]> {
  const faults: string[] = [];
  for (const page of pages) faults.push(...tooHeavy(page.path, await weightOf(page), { ...SITE.budget, script }));
  return faults;
}

describe('the transferred size is within the budget', () => {
  test('of public pages, a calculation and an order', async () => {
    const client = system.client();
    const [{ key }, { order }] = await Promise.all([review(client, SELL_BTC), place(client, SELL_BTC)]);
    const paths = ROUTES.filter((route) => !route.startsWith('/dashboard') && isOneOfItsKind(route));
    const more = ['/track', '/verify', '/rates', '/status', `/order?id=${order.id}&token=${order.token}`];
    const calculation = { path: `/exchange?id=${key.id}`, cookie: { name: `calculation-${key.id}`, value: key.token } };
    const pages = [...[...paths, ...more].filter(isWeighed).map((path) => ({ path })), calculation];
    assert.deepEqual(await faultsOf(pages, SITE.budget.script), []);
  });

  test('of the pages of an invoice and of a link', async () => {
    const { client } = await signUp(system);
    const key = () => ({ idempotencyKey: randomUUID() });
    const wanted = {
      kind: 'personal',
      name: 'Ann’s lessons',
      invoice_currency: 'USDT',
      settlement_currency: 'USDT_ERC20',
    } as const;
    const { id: store } = await client.storeMake(wanted, key());
    const { id } = await client.invoiceMake({ store, amount: '12.50', description: 'Two lessons' }, key());
    const link = await client.storeLinkMake({ store, title: 'A lesson', amount: '12.50' }, key());
    for (const path of [`/pay/${id}`, `/pay/link/${link.id}`])
      assert.deepEqual(tooHeavy(path, await weightOf({ path }), PAY.budget), []);
  });

  test('of the dashboard’s pages', async () => {
    const { token } = await signUp(system);
    const paths = ROUTES.filter((route) => route.startsWith('/dashboard') && isWeighed(route));
    assert.deepEqual(
      await faultsOf(
        paths.map((path) => ({ path, token })),
        SITE.budget.dashboardScript,
      ),
      [],
    );
  });
});
