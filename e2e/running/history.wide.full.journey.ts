// Compares a desk that has a long history with an empty one: its start, its idle load, its pages and exchanges.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Browser } from 'playwright-core';
import { signUp } from '../customers/signed.ts';
import { openVisit, startBrowser, startFirefox } from '../harness/browser.ts';
import { BUY_BTC, SELL_BTC, freshAddress, freshEmail, pay, place, reaches } from '../customers/customer.ts';
import { type Minute, type Statement, grownIn, idleMinute, line, statementsOf } from '../harness/idle-minute.ts';
import { type PageSource, DASHBOARD, DESK, type Times, median, timesOf } from '../looks/page-times.ts';
import { ROUTES } from '../looks/seed-routes.ts';
import { type System, freshFolder, startSystem, until } from '../harness/system.ts';
import { calculate, placeOrder, walkToReview } from '../harness/walk.ts';

const ORDERS = 300_000;
const MAX = 1.2;
/** Possible error of such a short measurement, in seconds of processor time and of database time. */
const NOISE_S = 1;
const DEAREST = 10;
/** Environment with rare blocks, as on a quiet chain. The journey of an order mines its own. */
const QUIET = { SANDBOX_BLOCK_MS: '10000' };
/** Longest time until the api answers with a database that already runs, in ms. */
const START_MS = 5_000;
const STARTS = 3;
const SETTLED_MS = 11_000;
/** Maximum ratio of a page's time to that of the empty desk, and the error of a few measurements in ms. */
const MAX_PAGE = 1.5;
const NOISE_MS = 5;
/** Longest time in ms of lists that have many rows here and few on the empty desk. */
const LIST_MS = 200;
const TURNS = 9;
/** Account with a few orders on both desks, and the account with 20 000 orders on one. */
const CUSTOMER = 'customer@example.net';
const HOLDER = 'history@example.org';

interface Desk {
  readonly system: System;
  readonly owner: pg.Client;
}

const run = promisify(execFile);
const folders: string[] = [];
let data: string;
let desk: Desk | undefined;
/** Data folder of a copy of the desk without the history. */
let emptyData: string;
let order: { readonly id: string; readonly token: string };
let empty: Minute;
let filledIn = 0;

before(
  async () => {
    data = await freshFolder();
    emptyData = await freshFolder();
    folders.push(data, emptyData);
    desk = await open(data);
    const client = desk.system.client();
    for (const wish of [SELL_BTC, BUY_BTC]) {
      ({ order } = await place(client, { ...wish, email: CUSTOMER }));
      await pay(client, order);
      await reaches(client, order, 'done', 400_000);
    }
    // The next start loads the library.
    await desk.owner.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`);
    await close(desk);
    desk = await open(data, QUIET);
    await desk.owner.query('create extension pg_stat_statements');
    empty = await idleMinute(desk.system, desk.owner);
    await close(desk);
    // Copy with owners, since the database belongs to another user.
    await run('cp', ['-a', `${data}/.`, emptyData]);
    desk = await open(data, QUIET);
    const begin = performance.now();
    await run(process.execPath, ['tools/fill-history.ts', `${ORDERS}`], { env: { ...process.env, KURS_DATA: data } });
    filledIn = (performance.now() - begin) / 1_000;
    // Clear the database's memory of the filling, and let the api start once with the history.
    await close(desk);
    desk = await open(data, QUIET);
  },
  { timeout: 2_400_000 },
);
after(async () => {
  if (desk) await close(desk);
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

async function open(folder: string, env: Readonly<Record<string, string>> = {}): Promise<Desk> {
  const system = await startSystem({ data: folder, env });
  const { cluster, ports } = await system.run();
  const host = existsSync(join(cluster, `.s.PGSQL.${ports.postgres}`)) ? cluster : '127.0.0.1';
  const password = readFileSync(join(folder, 'keys/postgres.password'), 'utf8').trim();
  const owner = new pg.Client({ host, port: ports.postgres, user: 'kurs', password, database: 'kurs' });
  owner.on('error', () => {});
  await owner.connect();
  return { system, owner };
}

/** Returns the desk with the history, which all tests share. */
function shared(): Desk {
  assert.ok(desk, 'it was filled and started');
  return desk;
}

async function close({ system, owner }: Desk): Promise<void> {
  await owner.end();
  await system.stop();
}

/** Kills an api, which the supervisor restarts, and returns the time in ms until its health check and home page answer. */
async function apiStart({ system }: Desk): Promise<number> {
  const { pids } = await system.run();
  await system.kill('api');
  const begin = performance.now();
  await until('another api', 60_000, async () => (await system.run()).pids.api !== pids.api, 10);
  for (const path of ['/health/live', '/En'])
    await until(path, 60_000, async () => (await fetch(`${system.url}${path}`).catch(() => undefined))?.ok, 10);
  const took = performance.now() - begin;
  // The supervisor delays the restart of an api that ends too soon after its start.
  await pause(SETTLED_MS);
  return took;
}

test('with 300 000 orders the api answers as soon after its start as that of an empty desk', { timeout: 900_000 }, async (t) => {
  t.diagnostic(`filled in ${filledIn.toFixed(0)} s`);
  const beside = await open(emptyData, QUIET);
  t.after(() => close(beside));
  const times: Record<'empty' | 'filled', number[]> = { empty: [], filled: [] };
  for (let turn = 0; turn < STARTS; turn += 1) {
    times.empty.push(await apiStart(beside));
    times.filled.push(await apiStart(shared()));
  }
  const [before, now] = [median(times.empty), median(times.filled)];
  t.diagnostic(`the home page is there ${now.toFixed(0)} ms after the api began, on an empty desk ${before.toFixed(0)} ms`);
  // On a busy machine both are slow.
  assert.ok(now < Math.max(START_MS, before * MAX_PAGE), `${now.toFixed(0)} ms, on an empty desk ${before.toFixed(0)} ms`);
});

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, each) => all + each, 0);
const reportStatements = (report: (text: string) => void, statements: readonly Statement[]): void =>
  statements.slice(0, DEAREST).forEach((one) => report(line(one)));

test('at rest it needs no more resources than an empty desk', { timeout: 900_000 }, async (t) => {
  const filled = await idleMinute(shared().system, shared().owner);
  for (const [name, { cpu, statements }] of [
    ['empty', empty],
    [`${ORDERS} orders`, filled],
  ] as const) {
    t.diagnostic(`${name}: ${[...cpu].map(([of, used]) => `${of} ${used.toFixed(2)}`).join(', ')} s of a processor in a minute`);
    t.diagnostic(`database ${(sum(statements.map(({ ms }) => ms)) / 1_000).toFixed(2)} s; its dearest:`);
    reportStatements((text) => t.diagnostic(text), statements);
  }
  const [cpuBefore, cpuNow] = [sum(empty.cpu.values()), sum(filled.cpu.values())];
  const [msBefore, msNow] = [empty, filled].map(({ statements }) => sum(statements.map(({ ms }) => ms))) as [number, number];
  assert.deepEqual(grownIn(empty, filled), [], 'no statement reads more for a longer history');
  assert.ok(cpuNow <= cpuBefore * MAX + NOISE_S, `${cpuNow.toFixed(2)} s of a processor, empty ${cpuBefore.toFixed(2)}`);
  assert.ok(msNow <= msBefore * MAX + NOISE_S * 1_000, `${msNow.toFixed(0)} ms of the database, empty ${msBefore.toFixed(0)}`);
});

const deskKey = (folder: string): string => {
  const people = JSON.parse(readFileSync(join(folder, 'keys/desk.json'), 'utf8')) as { name: string; key: string }[];
  return people.find(({ name }) => name === 'olga')?.key ?? '';
};

test('every page and list takes as long as on the empty desk', { timeout: 900_000 }, async (t) => {
  const beside = await open(emptyData, QUIET);
  t.after(() => close(beside));
  const bases = [beside.system, shared().system].map(({ url: base }) => ({ base })) as [PageSource, PageSource];
  const signed = (email: string): Promise<[PageSource, PageSource]> =>
    Promise.all([signUp(beside.system, { email }), signUp(shared().system, { email })]).then(([one, other]) => [
      { ...bases[0], token: one.token },
      { ...bases[1], token: other.token },
    ]);
  const late: string[] = [];
  const look = async (paths: readonly string[], [one, other]: readonly [PageSource, PageSource], more: number): Promise<void> => {
    for (const path of paths) {
      let times = await timesOf(path, one, other, TURNS);
      // Repeat a slow measurement, since another process may have used the processor.
      if (isLate(times, more)) times = await timesOf(path, one, other, 3 * TURNS);
      const reported = `${path}: ${times.empty.toFixed(1)} → ${times.filled.toFixed(1)} ms`;
      t.diagnostic(reported);
      if (isLate(times, more)) late.push(reported);
    }
  };
  const isLate = ({ empty: before, filled: now }: Times, more: number): boolean => now > before * MAX_PAGE + more;
  const own = `/En/order?${new URLSearchParams({ id: order.id, token: order.token })}`;
  await look([...PUBLIC, own], bases, NOISE_MS);
  await look(DASHBOARD, await signed(CUSTOMER), NOISE_MS);
  await look(DASHBOARD, await signed(HOLDER), LIST_MS);
  await look(
    DESK,
    [
      { base: beside.system.consoleUrl, token: deskKey(emptyData) },
      { base: shared().system.consoleUrl, token: deskKey(data) },
    ],
    LIST_MS,
  );
  assert.deepEqual(late, []);
});

const PUBLIC = [...ROUTES.filter((route) => !route.startsWith('/dashboard')), '/rates', '/status', '/verify'].map(
  (route) => `/En${route}`,
);

test('money is exchanged beside the history, in both browsers', { timeout: 900_000 }, async (t) => {
  const { system, owner } = shared();
  await owner.query('select pg_stat_statements_reset()');
  for (const [name, browser] of [
    ['Chromium', await startBrowser()],
    ['Firefox', await startFirefox()],
  ] as const) {
    if (browser === undefined) t.diagnostic(`NO ${name} HERE: its exchange is left out`);
    else await exchange(system, browser).finally(() => browser.close());
  }
  t.diagnostic('the dearest statements of the exchanges:');
  reportStatements((text) => t.diagnostic(text), await statementsOf(owner));
});

async function exchange(system: System, browser: Browser): Promise<void> {
  const client = system.client();
  const visit = await openVisit(browser, 'en');
  const [receive, refund] = await Promise.all([freshAddress(client, SELL_BTC.to), freshAddress(client, SELL_BTC.from)]);
  const details = { receive, refund, email: freshEmail() };
  const { calculated, reviewed } = await walkToReview(visit, details, () => calculate(visit, system.url, SELL_BTC));
  assert.deepEqual(reviewed, calculated, 'the review is what the calculator showed');
  const key = await placeOrder(visit);
  await visit.page.getByRole('button', { name: visit.say('sandbox_pay') }).click();
  await visit.page.getByRole('heading', { name: visit.say('headline_done') }).waitFor({ timeout: 240_000 });
  await reaches(client, key, 'done', 60_000);
  assert.deepEqual(visit.troubles, []);
  await visit.close();
}
