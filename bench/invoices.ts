// Measures invoices over HTTP: a shop's server makes them by two API keys, next to orders in the same system.

import type { System } from '../e2e/harness/system.ts';
import { type Rounds, cpuOf, cpuOfFamily, median, quantile } from './harness/measure.ts';
import { type Shop, openShop } from './harness/shop.ts';
import { type SpeedRow, row } from './harness/table.ts';
import { placeFor } from './orders.ts';

/** Number of simultaneous calls, as many as customers who place orders. */
const TOGETHER = 8;
const KEYS = 2;

interface Round {
  readonly rate: number;
  /** Milliseconds of every call. */
  readonly calls: readonly number[];
  /** Milliseconds of processor time for one invoice. */
  readonly api: number;
  readonly postgres: number;
}

/** Measures the row of invoices over HTTP, in turn with orders. */
export async function invoiceRows(system: System, { rounds, seconds }: Rounds): Promise<SpeedRow[]> {
  const shop = await openShop(system, KEYS);
  await makeFor(system, shop, Math.max(2, seconds));
  await placeFor(system, Math.max(2, seconds));
  const made: Round[] = [];
  const orders: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    made.push(await makeFor(system, shop, seconds));
    orders.push((await placeFor(system, seconds)).rate);
  }
  const each = (of: (one: Round) => number): number => median(made.map(of));
  const ratio = median(made.map(({ rate }, round) => rate / (orders[round] as number)));
  const p95 = each(({ calls }) => quantile(calls, 0.95)).toFixed(0);
  const cpu = `api ${each(({ api }) => api).toFixed(1)}, postgres ${each(({ postgres }) => postgres).toFixed(1)}`;
  const words = `${each(({ rate }) => rate).toFixed(0)}/s by two keys; a call's p95 ${p95} ms; ms of CPU for one: ${cpu}`;
  return [
    row('invoices made ÷ orders placed, over HTTP', '≥', 1.5, ratio, '×', `${words}; orders ${median(orders).toFixed(0)}/s`),
  ];
}

let next = 0;

/** Makes invoices for so many seconds. */
async function makeFor({ url, run }: System, shop: Shop, seconds: number): Promise<Round> {
  const { pids } = await run();
  const cpuNow = () => ({ api: cpuOf(pids.api), postgres: cpuOfFamily(pids.postgres) });
  const calls: number[] = [];
  const before = { at: performance.now(), ...cpuNow() };
  const loop = async (): Promise<void> => {
    while (performance.now() - before.at < seconds * 1_000) {
      const { path, ...request } = shop.sale(next++);
      const begin = performance.now();
      const answer = await fetch(url + path, request);
      const text = await answer.text();
      if (!answer.ok) throw new Error(`no invoice: ${answer.status} ${text}`);
      calls.push(performance.now() - begin);
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, loop));
  const lasted = (performance.now() - before.at) / 1_000;
  const after = cpuNow();
  return {
    ...{ calls, rate: calls.length / lasted },
    api: (after.api - before.api) / calls.length / 1_000,
    postgres: (after.postgres - before.postgres) / calls.length / 1_000,
  };
}
