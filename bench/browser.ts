// What a visitor's browser has to carry: bytes of the home page, how still it stands, and Lighthouse's judgement.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startBrowser } from '../e2e/harness/browser.ts';
import type { System } from '../e2e/harness/system.ts';
import { findChromium } from '../tools/chromium.mjs';
import type { SpeedRow } from './ledger.ts';
import { median } from './harness/measure.ts';
import { row } from './harness/table.ts';

/** Without them Chromium speaks to its makers, or doesn't start as root. */
const CHROME_FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const GOALS = { performance: 97, accessibility: 100, 'best-practices': 100, seo: 100 } as const;

/** The rows of the home page in a browser; Lighthouse looks `rounds` times. */
export async function browserRows(system: System, rounds: number): Promise<SpeedRow[]> {
  const bytes = await bytesOf(system, ['/En', '/Ru']);
  const reports: Report[] = [];
  for (let round = 0; round < rounds; round += 1) reports.push(await lighthouse(`${system.url}/En`));
  const shift = Math.max(...reports.map((report) => report.audits['cumulative-layout-shift'].numericValue));
  const scores = CATEGORIES.map((name) => median(reports.map(({ categories }) => Math.round(categories[name].score * 100))));
  const vitals = (['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time'] as const)
    .map((name) => `${name} ${Math.round(median(reports.map(({ audits }) => audits[name].numericValue)))} ms`)
    .join(', ');
  return [
    row('home: JavaScript, brotli', '≤', 115, bytes.script, ' kB', 'the larger of both languages'),
    row('home: fonts', '≤', 110, bytes.font, ' kB', 'the larger of both languages; woff2 is brotli inside'),
    row('home: cumulative layout shift', '≤', 0.02, shift, '', `the most of ${rounds} looks of Lighthouse, mobile`),
    {
      what: `home: Lighthouse mobile, median of ${rounds} (${CATEGORIES.join(', ')})`,
      goal: `≥ ${CATEGORIES.map((name) => GOALS[name]).join(', ')}`,
      measured: `${scores.join(', ')} (${vitals})`,
      reached: CATEGORIES.every((name, at) => (scores[at] as number) >= GOALS[name]),
    },
  ];
}

/** Kilobytes (of 1 000) that come over the wire for these pages by kind, each page with an empty cache; the largest counts. */
async function bytesOf({ url }: System, paths: readonly string[]): Promise<{ script: number; font: number }> {
  const browser = await startBrowser();
  const most = { script: 0, font: 0 };
  try {
    for (const path of paths) {
      const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
      const page = await context.newPage();
      const sizes = { script: 0, font: 0 };
      const counted: Promise<void>[] = [];
      page.on('requestfinished', (request) => {
        const kind = request.resourceType();
        if (kind !== 'script' && kind !== 'font') return;
        counted.push(request.sizes().then(({ responseBodySize }) => void (sizes[kind] += responseBodySize / 1_000)));
      });
      await page.goto(url + path, { waitUntil: 'load' });
      // What is loaded once the page lives and has been scrolled through counts too.
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      await page.waitForTimeout(1_500);
      await Promise.all(counted);
      await context.close();
      most.script = Math.max(most.script, sizes.script);
      most.font = Math.max(most.font, sizes.font);
    }
  } finally {
    await browser.close();
  }
  return most;
}

interface Report {
  readonly categories: Readonly<Record<(typeof CATEGORIES)[number], { readonly score: number }>>;
  readonly audits: Readonly<
    Record<
      'cumulative-layout-shift' | 'first-contentful-paint' | 'largest-contentful-paint' | 'total-blocking-time',
      { readonly numericValue: number }
    >
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
