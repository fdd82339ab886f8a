// Measures how much slower pages are with a long history than on an empty desk. The requests alternate, so that other load of the
// machine affects both.

import { setTimeout as pause } from 'node:timers/promises';

/** Requests of the dashboard's pages, including pages and searches of a long history. */
export const DASHBOARD: readonly string[] = [
  ...['/user/info', '/user/notices', '/user/order/figures?days=90', '/user/order/filter', '/user/order/filter?page=5'],
  ...['/user/order/filter?q=500', '/user/transaction/filter', '/user/transaction/figures'],
  ...[
    '/wallet',
    '/wallet/deposits',
    '/wallet/user/currencies',
    '/wallet/limits',
    '/wallet/list/withdraw-request',
    '/user/withdraw/filter',
  ],
].map((path) => `/api/v1${path}`);

/** Requests of the desk. */
export const DESK: readonly string[] = [
  ...['/operator/orders', '/operator/orders?q=history@example.org', '/operator/orders?waiting=1'],
].map((path) => `/api/v1${path}`);

/** Origin of the requests, with the token of the account if they are made signed in. */
export interface PageSource {
  readonly base: string;
  readonly token?: string | undefined;
}

/** Median response times of one page on both sides, in ms. */
export interface Times {
  readonly path: string;
  readonly empty: number;
  readonly filled: number;
}

/**
 * Requests a page from both sides in turns, after one request each that isn't counted. Throws an error if a response is not a
 * success.
 */
export async function timesOf(path: string, empty: PageSource, filled: PageSource, turns: number): Promise<Times> {
  const all: Record<'empty' | 'filled', number[]> = { empty: [], filled: [] };
  await timeOf(empty, path);
  await timeOf(filled, path);
  for (let turn = 0; turn < turns; turn += 1) {
    // Alternate also which side is first.
    const sides = turn % 2 === 0 ? (['empty', 'filled'] as const) : (['filled', 'empty'] as const);
    for (const side of sides) all[side].push(await timeOf(side === 'empty' ? empty : filled, path));
    await pause(20);
  }
  return { path: path, empty: median(all.empty), filled: median(all.filled) };
}

async function timeOf({ base, token }: PageSource, path: string): Promise<number> {
  const begin = performance.now();
  const headers = { 'client-id': 'web', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const response = await fetch(`${base}${path}`, { redirect: 'manual', headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${base}${path} is ${response.status}: ${text.slice(0, 300)}`);
  return performance.now() - begin;
}

/** Returns the median. */
export const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
