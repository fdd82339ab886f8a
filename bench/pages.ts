// What the api costs for one request: the quote, the home page and the rates feed against a bare hello of the same Fastify.

import { randomUUID } from 'node:crypto';
import { deskOf } from '../e2e/harness/desk.ts';
import type { System } from '../e2e/harness/system.ts';
import { signUp } from '../e2e/customers/signed.ts';
import { type Holder, addHolders, openSystemDb } from './harness/holders.ts';
import type { SpeedRow } from './ledger.ts';
import { startHello } from './harness/hello.ts';
import type { Shot } from './harness/caller.ts';
import { type Load, MOST_CALLERS, type Rounds, load, median } from './harness/measure.ts';
import { row } from './harness/table.ts';

const PERSON = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const NAMED = { 'client-id': 'web', 'accept-language': 'en' };
/** Bitcoins between 450 and 540 USD. */
const amountOf = (number: number): string => `0.005${String(number % 10_000).padStart(4, '0')}`;

const quoteOf = (
  number: number,
  more: { readonly headers?: Readonly<Record<string, string>>; readonly coupon?: string } = {},
) => ({
  method: 'POST' as const,
  path: '/api/v1/calculation',
  headers: { ...NAMED, 'content-type': 'application/json', ...more.headers },
  body: JSON.stringify({ from: 'BTC', to: 'USDT_ERC20', amount: amountOf(number), side: 'give', coupon: more.coupon }),
});

const SHOTS = {
  hello: () => ({ path: '/' }),
  quote: (number: number) => quoteOf(number),
  // As a browser asks.
  kept: () => ({ path: '/En', headers: { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br, zstd' } }),
  feed: () => ({ path: '/rates.xml', headers: { accept: '*/*', 'accept-encoding': 'gzip, deflate, br' } }),
  // An address with a query is nobody else's page: rendered and compressed for each request.
  fresh: (number: number) => ({
    path: `/En?amount=${amountOf(number)}`,
    headers: { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br, zstd' },
  }),
} satisfies Record<string, (number: number) => Shot>;

type Name = keyof typeof SHOTS | 'couponed' | 'link';
const WARM_UP_SECONDS = 30;

/** The rows of the api's processor time, of a system that is told to believe `X-Forwarded-For`. */
export async function pageRows(system: System, { rounds, seconds }: Rounds): Promise<SpeedRow[]> {
  const hello = await startHello();
  const api = { url: system.url, pid: (await system.run()).pids.api };
  const { holders, coupon } = await holdersWithCoupon(system);
  const couponed = (number: number): Shot => {
    const { token } = holders[number % MOST_CALLERS] as Holder;
    return quoteOf(number, { headers: { authorization: `Bearer ${token}` }, coupon });
  };
  const affiliate = await (await signUp(system)).client.userInfo({});
  // Somebody opens a link, each from a device of their own.
  const link = {
    path: `/En?ref=${affiliate.referral_code}`,
    headers: { accept: 'text/html', 'sec-fetch-dest': 'document', 'user-agent': PERSON },
  };
  const shots = { ...SHOTS, couponed, link: () => link };
  const ask = (name: Name, length: number): Promise<Load> => {
    const { url, pid } = name === 'hello' ? hello : api;
    return load(url, pid, length, shots[name]);
  };
  const loads: Record<Name, Load[]> = { hello: [], quote: [], couponed: [], kept: [], feed: [], fresh: [], link: [] };
  const names = Object.keys(loads) as Name[];
  try {
    // Until everything is compiled, which a page takes some ten thousand renderings for.
    for (const name of names) await ask(name, name === 'fresh' ? WARM_UP_SECONDS : 2);
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
    row('quote endpoint ÷ bare hello of the same Fastify, CPU', '≥', 0.35, ratio('hello', 'quote'), '', beside('quote')),
    row(
      'quote with a coupon for an account holder ÷ plain quote, CPU',
      '≤',
      2.5,
      ratio('couponed', 'quote'),
      '',
      words('couponed'),
    ),
    row(
      'home page from the one-second cache, compressed ÷ bare hello, CPU',
      '≥',
      0.5,
      ratio('hello', 'kept'),
      '',
      beside('kept'),
    ),
    row('`?ref=` link, its click counted ÷ bare hello, CPU', '≥', 0.2, ratio('hello', 'link'), '', beside('link')),
    row('rates feed, compressed ÷ bare hello, CPU', '≥', 0.5, ratio('hello', 'feed'), '', beside('feed')),
    row('home page rendered anew', '≤', 40, ratio('fresh', 'hello'), ' × hello', beside('fresh')),
  ];
}

/** A coupon for everybody, and as many account holders as there are callers: each has a budget of calls of their own. */
async function holdersWithCoupon(system: System): Promise<{ readonly holders: readonly Holder[]; readonly coupon: string }> {
  const coupon = `BENCH-${newCode()}`;
  const desk = await deskOf(system, 'olga');
  await desk.operatorCouponNew(
    { code: coupon, percent: '20', uses: 9, per_customer: 9, most_usd: '90', first_order: false, reason: 'the bench' },
    { idempotencyKey: coupon },
  );
  const db = await openSystemDb(system);
  const holders = await db.tx((tx) => addHolders(tx, MOST_CALLERS)).finally(() => db.close());
  return { holders, coupon };
}

const newCode = (): string => randomUUID().slice(0, 8).toUpperCase();
