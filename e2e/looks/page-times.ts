// What a page costs beside a long history, measured against the same page of an empty desk, in turns: what else the machine
// does meets both.

import { setTimeout as pause } from 'node:timers/promises';

/** What the dashboard asks the API for, page by page; as an account with a long history it has much to choose from. */
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

/** What the desk asks for. */
export const DESK: readonly string[] = [
  ...['/operator/orders', '/operator/orders?q=history@example.org', '/operator/orders?waiting=1'],
].map((path) => `/api/v1${path}`);

/** Somewhere that pages are asked for, as somebody who is signed in or not. */
export interface Asked {
  readonly base: string;
  readonly token?: string | undefined;
}

/** The median times of one page on both sides, in milliseconds. */
export interface Times {
  readonly path: string;
  readonly empty: number;
  readonly filled: number;
}

/** Asks both sides for a page so many times in turns, after once that doesn't count. Throws where one isn't shown. */
export async function timesOf(path: string, empty: Asked, filled: Asked, turns: number): Promise<Times> {
  const all: Record<'empty' | 'filled', number[]> = { empty: [], filled: [] };
  await timeOf(empty, path);
  await timeOf(filled, path);
  for (let turn = 0; turn < turns; turn += 1) {
    // Who comes first alternates, too.
    const sides = turn % 2 === 0 ? (['empty', 'filled'] as const) : (['filled', 'empty'] as const);
    for (const side of sides) all[side].push(await timeOf(side === 'empty' ? empty : filled, path));
    await pause(20);
  }
  return { path: path, empty: median(all.empty), filled: median(all.filled) };
}

async function timeOf({ base, token }: Asked, path: string): Promise<number> {
  const begin = performance.now();
  const headers = { 'client-id': 'web', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const response = await fetch(`${base}${path}`, { redirect: 'manual', headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${base}${path} is ${response.status}: ${text.slice(0, 300)}`);
  return performance.now() - begin;
}

/** The one in the middle. */
export const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
