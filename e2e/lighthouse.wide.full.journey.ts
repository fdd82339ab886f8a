import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { findChromium } from '../tools/chromium.mjs';
import { type System, startSystem } from './system.ts';

const run = promisify(execFile);
const ROUNDS = 5;
const FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';
const GOALS = { performance: 97, accessibility: 100, 'best-practices': 100, seo: 100 } as const;

let system: System;
before(async () => {
  system = await startSystem({ env: { SANDBOX_BLOCK_MS: '2000' } });
});
after(() => system.stop());

for (const path of ['/En', '/Ru']) {
  test(`Lighthouse on a phone, ${path}: the median of ${ROUNDS}`, async () => {
    const rounds: Record<string, number>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure(`${system.url}${path}`));
    for (const [category, goal] of Object.entries(GOALS)) {
      const scores = rounds.map((scoresOf) => scoresOf[category] ?? 0).sort((a, b) => a - b);
      const median = scores[Math.floor(ROUNDS / 2)] ?? 0;
      assert.ok(median >= goal, `${category}: ${scores.join(' ')}, and the goal is ${goal}`);
    }
    const shifts = rounds.map((one) => one['shift'] ?? 1).sort((a, b) => a - b);
    assert.ok((shifts[Math.floor(ROUNDS / 2)] ?? 1) <= 0.02, `layout shift: ${shifts.join(' ')}`);
  });
}

async function measure(url: string): Promise<Record<string, number>> {
  const lighthouse = new URL('../node_modules/lighthouse/cli/index.js', import.meta.url).pathname;
  const categories = Object.keys(GOALS).join(',');
  const { stdout } = await run(
    process.execPath,
    [lighthouse, url, '--quiet', '--output=json', `--only-categories=${categories}`, `--chrome-flags=${FLAGS}`],
    { env: { ...process.env, CHROME_PATH: findChromium() }, maxBuffer: 64 * 1024 * 1024 },
  );
  const report = JSON.parse(stdout) as {
    categories: Record<string, { score: number }>;
    audits: Record<string, { numericValue?: number }>;
  };
  const scores = Object.entries(report.categories).map(([name, { score }]) => [name, Math.round(score * 100)] as const);
  return { ...Object.fromEntries(scores), shift: report.audits['cumulative-layout-shift']?.numericValue ?? 1 };
}
