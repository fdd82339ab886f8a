// The desk tool's commands for businesses: the call that each makes.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { moment } from '../desk-print.ts';
import { BUSINESSES } from './desk-businesses.ts';
import type { SupportTool } from './desk-support.ts';

/** Runs a command with these words and flags. Returns its call of the API, and the printed answer. */
async function run(words: string, flags: object = {}, answer: object = {}): Promise<{ call: unknown[]; shown: unknown }> {
  const call: unknown[] = [];
  let shown: unknown;
  const client = new Proxy({}, { get: (_, name) => async (input: object) => (call.push(name, input), answer) });
  const report = (found: unknown): void => void (shown = found);
  const tool = {
    ...{ client, flags, key: { idempotencyKey: '1' }, isJson: false, table: report, show: report, print: () => undefined },
    need(value: string | undefined, what: string): string {
      return value ?? assert.fail(`Give ${what}`);
    },
  };
  const [name = '', ...args] = words.split(' ');
  await BUSINESSES[name]?.(tool as unknown as SupportTool, args);
  return { call, shown };
}

const reason = 'for a test';

test('each command makes its call', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'desk-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'extract.txt');
  await writeFile(file, 'of the register');
  const list = { data: [], meta: {} };
  assert.deepEqual((await run('businesses applied', { q: 'shop', after: 'x' }, list)).call, [
    'operatorBusinesses',
    { state: 'applied', q: 'shop', after: 'x' },
  ]);
  assert.deepEqual((await run('business 01 approve', { reason, evidence: file, note: 'Hi' })).call, [
    'operatorBusinessDecide',
    { id: '01', action: 'approve', reason, evidence: 'of the register', note: 'Hi' },
  ]);
  assert.deepEqual((await run('business 01 close', { reason })).call, [
    'operatorBusinessDecide',
    { id: '01', action: 'close', reason },
  ]);
  for (const [sum, day] of [
    ['5', { day_usd: '5' }],
    ['none', {}],
  ] as const)
    assert.deepEqual((await run('business 01 limits', { reason, 'day-usd': sum })).call, [
      'operatorBusinessLimit',
      { id: '01', ...day, reason },
    ]);
  const bounds = { 'invoice-usd': '800', 'receipts-usd': '5000', 'release-days': '30', 'last-share': '10' };
  assert.deepEqual((await run('business 01 paypal on', { reason, ...bounds })).call, [
    'operatorBusinessReversible',
    { id: '01', on: true, invoice_usd: '800', receipts_usd: '5000', release_days: 30, last_share: 10, reason },
  ]);
  assert.deepEqual((await run('business 01 paypal off', { reason })).call, [
    'operatorBusinessReversible',
    { id: '01', on: false, reason },
  ]);
  await assert.rejects(run('business 01 paypal now', { reason }), /on or off/);
  assert.deepEqual((await run('business 01 write-off USDT', { reason, evidence: file })).call, [
    'operatorBusinessWriteOff',
    { id: '01', unit: 'USDT', evidence: 'of the register', reason },
  ]);
  await assert.rejects(run('business 01 write-off', { reason, evidence: file }), /the unit/);
  assert.deepEqual((await run('business 01 dispute-cost 02 20.00', { reason, evidence: file })).call, [
    'operatorBusinessDisputeCost',
    { id: '01', payment: '02', amount: '20.00', evidence: 'of the register', reason },
  ]);
  await assert.rejects(run('business 01 dispute-cost 02', { reason, evidence: file }), /the amount/);
  for (const action of ['strike', 'accept'])
    assert.deepEqual((await run(`business 01 ${action} shop.example.com`, { reason })).call, [
      'operatorBusinessSite',
      { id: '01', action, site: 'shop.example.com', reason },
    ]);
  await assert.rejects(run('business 01 strike', { reason }), /the web site/);
  await assert.rejects(run('business 01 limits', { reason }), /--day-usd/);
  await assert.rejects(run('business 01 refuse'), /--reason/);
});

test('a business is shown with its sites, owners and limit in words', async () => {
  const found = {
    ...{ id: '01', web_sites: ['https://a.example', 'https://b.example'], owners: [{ name: 'Ann', percent: 60 }] },
    ...{ turnover_usd: 500, day_usd: '20.00', day_usd_own: true },
    reversible: { on: true, invoice_usd: '800.00', receipts_usd: '2000.00', release_days: 30, last_share: 10 },
    sites: [{ site: 'https://c.example', state: 'new', added_at: '2026-11-20T14:05:12Z', added_by: 'ann@example.org' }],
    owes: [{ amount: '12.50', currency: 'USDT' }],
  };
  const { call, shown } = await run('business 01', {}, found);
  assert.deepEqual(call, ['operatorBusiness', { id: '01' }]);
  assert.deepEqual(shown, {
    ...{ id: '01', web_sites: 'https://a.example https://b.example', owners: 'Ann 60 %' },
    ...{ turnover: '500 USD a month', limit: '20.00 USD in 24 hours, its own' },
    owes: '12.50 USDT',
    paypal: 'on, 800.00 USD an invoice, 2000.00 USD in 180 days, released after 30 days, 10 % after 180 days',
    sites: [{ site: 'https://c.example', state: 'new', added_at: moment('2026-11-20T14:05:12Z'), added_by: 'ann@example.org' }],
  });
});
