// Measures the api's cost for one request: the quote, the home page and the rates feed against a bare hello of the same
// Fastify, and the pay page against the home page.

import type { System } from '../e2e/harness/system.ts';
import { startHello } from './harness/hello.ts';
import type { Shot } from './harness/caller.ts';
import { type Load, type Rounds, load, median } from './harness/measure.ts';
import { openPayPage } from './harness/shop.ts';
import { type SpeedRow, joined, row } from './harness/table.ts';

const NAMED = { 'client-id': 'web', 'accept-language': 'en' };
/** Amounts of bitcoin worth between 450 and 540 USD. */
const amountOf = (number: number): string => `0.005${String(number % 10_000).padStart(4, '0')}`;

const SHOTS = {
  hello: () => ({ path: '/' }),
  quote: (number: number) => ({
    method: 'POST' as const,
    path: '/api/v1/calculation',
    headers: { ...NAMED, 'content-type': 'application/json' },
    body: JSON.stringify({ from: 'BTC', to: 'USDT_ERC20', amount: amountOf(number), side: 'give' }),
  }),
  // Headers of a browser.
  cached: () => ({ path: '/En', headers: { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br, zstd' } }),
  feed: () => ({ path: '/rates.xml', headers: { accept: '*/*', 'accept-encoding': 'gzip, deflate, br' } }),
  // No two requests share a page with a query: it is rendered and compressed for each.
  fresh: (number: number) => ({
    path: `/En?amount=${amountOf(number)}`,
    headers: { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br, zstd' },
  }),
} satisfies Record<string, (number: number) => Shot>;

type Name = keyof typeof SHOTS | 'pay';
const WARM_UP_SECONDS = 30;

/** Measures the rows of the api's processor time, in a system that trusts `X-Forwarded-For`. */
export async function pageRows(system: System, { rounds, seconds }: Rounds): Promise<SpeedRow[]> {
  const payPage = await openPayPage(system);
  const shots: Record<Name, (number: number) => Shot> = {
    ...SHOTS,
    // A page with a query is shared by no two requests, like the home page's.
    pay: (number) => ({ ...SHOTS.fresh(number), path: `/En${payPage}?n=${number}` }),
  };
  const hello = await startHello();
  const api = { url: system.url, pid: (await system.run()).pids.api };
  const ask = (name: Name, length: number): Promise<Load> => {
    const { url, pid } = name === 'hello' ? hello : api;
    return load(url, pid, length, shots[name]);
  };
  const loads: Record<Name, Load[]> = { hello: [], quote: [], cached: [], feed: [], fresh: [], pay: [] };
  const names = Object.keys(loads) as Name[];
  try {
    // Runs until everything is compiled, which takes a page some ten thousand renderings.
    for (const name of names) await ask(name, name === 'fresh' || name === 'pay' ? WARM_UP_SECONDS : 2);
    for (let round = 0; round < rounds; round += 1) {
      for (const name of names) loads[name].push(await ask(name, seconds));
    }
  } finally {
    await hello.stop();
  }
  const cpu = (name: Name): number => median(loads[name].map((one) => one.cpu));
  const words = (name: Name): string =>
    `${cpu(name).toFixed(1)} µs CPU, ${Math.round(median(loads[name].map(({ rate }) => rate)))}/s`;
  const ratio = (one: Name, other: Name): number =>
    median(loads[one].map((each, round) => each.cpu / (loads[other][round] as Load).cpu));
  const beside = (name: Name): string => `${words(name)}; hello ${words('hello')}`;
  return [
    row('hello ÷ quote, CPU', '≥', 0.35, ratio('hello', 'quote'), '', beside('quote')),
    joined('hello ÷ home page from the cache, hello ÷ rates feed, CPU', [
      row('cached', '≥', 0.5, ratio('hello', 'cached'), '', beside('cached')),
      row('feed', '≥', 0.5, ratio('hello', 'feed'), '', words('feed')),
    ]),
    row('home page rendered anew', '≤', 90, ratio('fresh', 'hello'), ' × hello', beside('fresh')),
    row('pay page ÷ home page, both rendered anew', '≤', 1, ratio('pay', 'fresh'), '', words('pay')),
  ];
}
