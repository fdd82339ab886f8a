// Measures pages in a browser: kilobytes of JavaScript of the home page and of the pay page, and Lighthouse's scores.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startBrowser } from '../e2e/harness/browser.ts';
import type { System } from '../e2e/harness/system.ts';
import { findChromium } from '../tools/chromium.mjs';
import { median } from './harness/measure.ts';
import { openPayPage } from './harness/shop.ts';
import { type SpeedRow, joined, row } from './harness/table.ts';

/** Flags without which Chromium connects to its makers, or doesn't start as root. */
const CHROME_FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const GOALS = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 } as const;

/** Measures the rows of pages in a browser. Lighthouse runs `rounds` times. */
export async function browserRows(system: System, rounds: number): Promise<SpeedRow[]> {
  const home = await scriptsOf(system, ['/En', '/Ru']);
  const payPage = await openPayPage(system);
  const pay = await scriptsOf(system, [`/En${payPage}`, `/Ru${payPage}`]);
  const reports: Report[] = [];
  for (let round = 0; round < rounds; round += 1) reports.push(await lighthouse(`${system.url}/En`));
  const scores = CATEGORIES.map((name) => median(reports.map(({ categories }) => Math.round(categories[name].score * 100))));
  const vitals = (['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time'] as const)
    .map((name) => `${name} ${Math.round(median(reports.map(({ audits }) => audits[name].numericValue)))} ms`)
    .join(', ');
  return [
    joined('JavaScript of the home page, of the pay page, brotli', [
      row('home page', '≤', 125, home, ' kB', 'the larger of both languages'),
      row('pay page', '≤', 90, pay, ' kB', 'likewise'),
    ]),
    {
      what: `home page: Lighthouse mobile, median of ${rounds} (${CATEGORIES.join(', ')})`,
      goal: `≥ ${CATEGORIES.map((name) => GOALS[name]).join(', ')}`,
      measured: `${scores.join(', ')} (${vitals})`,
      isReached: CATEGORIES.every((name, at) => (scores[at] as number) >= GOALS[name]),
    },
  ];
}

/** Returns the kilobytes (of 1 000) of JavaScript that a page loads with an empty cache, the maximum of these pages. */
async function scriptsOf({ url }: System, paths: readonly string[]): Promise<number> {
  const browser = await startBrowser();
  let max = 0;
  try {
    for (const path of paths) {
      const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
      const page = await context.newPage();
      const sizes: Promise<number>[] = [];
      page.on('requestfinished', (request) => {
        if (request.resourceType() !== 'script') return;
        // A request that finishes while the page is closed doesn't count.
        sizes.push(
          request.sizes().then(
            ({ responseBodySize }) => responseBodySize / 1_000,
            () => 0,
          ),
        );
      });
      await page.goto(url + path, { waitUntil: 'load' });
      // Scrolling loads more of the page, which counts too.
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      await page.waitForTimeout(1_500);
      max = Math.max(
        max,
        (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0),
      );
      await context.close();
    }
  } finally {
    await browser.close();
  }
  return max;
}

interface Report {
  readonly categories: Readonly<Record<(typeof CATEGORIES)[number], { readonly score: number }>>;
  readonly audits: Readonly<
    Record<'first-contentful-paint' | 'largest-contentful-paint' | 'total-blocking-time', { readonly numericValue: number }>
  >;
}

async function lighthouse(url: string): Promise<Report> {
  const command = fileURLToPath(new URL('../node_modules/.bin/lighthouse', import.meta.url));
  const flags = [
    url,
    '--quiet',
    '--output=json',
    '--output-path=stdout',
    `--only-categories=${CATEGORIES.join(',')}`,
    `--chrome-flags=${CHROME_FLAGS}`,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [command, ...flags], {
    env: { ...process.env, CHROME_PATH: findChromium() },
    maxBuffer: 64 * 2 ** 20,
    timeout: 120_000,
  });
  return JSON.parse(stdout) as Report;
}
