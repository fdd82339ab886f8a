// `npm run bench`: measures our claims about speed. Prints the table and writes it to `bench/last.md`.
//
//   node bench/run.ts                            everything: medians of 5 rounds of 3 s; about 20 minutes
//   node bench/run.ts --rounds 3 --seconds 1     shorter and rougher
//   node bench/run.ts --entries 200000           a smaller grown ledger
//   node bench/run.ts --only pages,orders        some of the parts below; nothing is written

import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type System, isReady, startSystem, until } from '../e2e/harness/system.ts';
import { configureLog } from '../server/platform/index.ts';
import { browserRows } from './browser.ts';
import { costRows } from './cost.ts';
import { drawRows } from './draws.ts';
import { invoiceRows } from './invoices.ts';
import { ledgerRows } from './ledger.ts';
import { machine, memoryOf } from './harness/measure.ts';
import { orderRows } from './orders.ts';
import { pageRows } from './pages.ts';
import { settingsOf, startPostgres } from './harness/postgres.ts';
import { settleRows } from './settle.ts';
import { signInRows } from './sign-ins.ts';
import { type SpeedRow, failedRow, joined, line, markdown, row } from './harness/table.ts';
import { transferRows } from './transfers.ts';
import { webhookRows } from './webhooks.ts';

const { values: given } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    entries: { type: 'string', default: '5000000' },
    only: { type: 'string', default: '' },
  },
});
const rounds = Number(given.rounds);
const seconds = Number(given.seconds);
const only = given.only.split(',').filter(Boolean);
const isWanted = (part: string): boolean => only.length === 0 || only.includes(part);
const rows = new Map<string, readonly SpeedRow[]>();
/** The parts in the order of the table. They are measured in another order. */
const PARTS = [
  'transfers',
  'ledger',
  'pages',
  'settle',
  'orders',
  'invoices',
  'cost',
  'sign-ins',
  'draws',
  'webhooks',
  'memory',
  'browser',
];
for (const part of only) if (!PARTS.includes(part)) throw new Error(`No part ${part}: there are ${PARTS.join(', ')}`);

/** Measures a part. A part that fails becomes a row that misses its goal, and the others go on. */
async function measure(part: string, work: () => Promise<readonly SpeedRow[]>): Promise<void> {
  if (!isWanted(part)) return;
  process.stdout.write(`${part} …\n`);
  const found = await work().catch((error: unknown) => [failedRow(part, error)]);
  rows.set(part, found);
  for (const each of found) process.stdout.write(`${line(each)}\n`);
}

/** Memory of an api process when idle and at most under the loads of a part, each in a fresh system. */
async function measureSystem(): Promise<Awaited<ReturnType<typeof settingsOf>>> {
  // Limits apply, also to requests of this machine; the proxy's header tells callers apart.
  const env = { KURS_STRICT_LIMITS: '1', TRUST_PROXY: '127.0.0.1', SANDBOX_BLOCK_MS: '2000' };
  const system: System = await startSystem({ env });
  try {
    const settings = await settingsOf(system);
    process.stdout.write(`${machine()}\nPostgreSQL: ${settings.words}\n`);
    const { api } = (await system.run()).pids;
    await until('all directions to open', 60_000, async () => {
      const { directions } = await system.client().directions({});
      return directions.length > 0 && directions.every(isReady);
    });
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const idle = (await memoryOf(api)).now;
    await measure('browser', () => browserRows(system, rounds));
    await measure('pages', () => pageRows(system, { rounds, seconds }));
    await measure('orders', () => orderRows(system, { rounds, seconds }));
    await measure('invoices', () => invoiceRows(system, { rounds, seconds }));
    await measure('sign-ins', () => signInRows(system, { rounds, seconds }));
    await measure('draws', () => drawRows(system, { rounds, seconds }));
    await measure('transfers', () => transferRows(system, { rounds, seconds }));
    const { peak } = await memoryOf(api);
    if (isWanted('pages') || isWanted('orders')) {
      const memory = [
        row('idle', '≤', 220, idle, ' MB', 'resident'),
        row('under load', '≤', 400, peak, ' MB', 'the most that was ever resident while all of this ran'),
      ];
      rows.set('memory', [joined('memory of the api, idle and under load', memory)]);
    }
    return settings;
  } finally {
    await system.stop();
  }
}

configureLog({ level: 'error' });
const at = new Date();
const settings = await measureSystem();
await measure('cost', () => costRows());
if (['ledger', 'settle', 'webhooks'].some(isWanted)) {
  const server = await startPostgres(settings.given);
  try {
    await measure('settle', () => settleRows(server, { rounds, seconds }));
    await measure('webhooks', () => webhookRows(server, { rounds, seconds }));
    await measure('ledger', () => ledgerRows(server, { rounds, seconds, entries: Number(given.entries) }));
  } finally {
    await server.stop();
  }
}
const all = PARTS.flatMap((part) => rows.get(part) ?? []);
const text = markdown(all, { at, machine: machine(), settings: settings.words, rounds, seconds });
process.stdout.write(`\n${text}\n${all.filter(({ isReached }) => isReached).length} of ${all.length} reached\n`);
if (only.length === 0) await writeFile(new URL('last.md', import.meta.url), text);
