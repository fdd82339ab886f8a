// Measures draws over HTTP: account holders begin and claim one each, next to whole orders, and with many callers.

import { type Client, createClient, httpTransport } from '@kurs/contract/client';
import { deskOf } from '../e2e/harness/desk.ts';
import type { System } from '../e2e/harness/system.ts';
import { type Holder, addHolders, openSystemDb } from './harness/holders.ts';
import { type Rounds, addressOf, median, quantile } from './harness/measure.ts';
import { placeFor } from './orders.ts';
import { type SpeedRow, row } from './harness/table.ts';

/** Number of simultaneous callers: as many as place orders, and many. */
const [FEW, MANY] = [8, 32];
/** Upper bound of the draws begun in a second. */
const MAX_A_SECOND = 400;
/** Number of the first caller: the networks of this part are apart from those of the others. */
const FIRST_CALLER = 50_000;
/** Sum of a day, high enough to stop nobody. */
const DAY_USD = '100000';

/** Measures the rows of draws, in a system that trusts `X-Forwarded-For`. */
export async function drawRows(system: System, { rounds, seconds }: Rounds): Promise<SpeedRow[]> {
  await openDay(system);
  const draw = await drawing(system, (rounds * 2 + 1) * seconds * MAX_A_SECOND);
  await drawFor(draw, FEW, seconds);
  const ratios: number[] = [];
  const fewRates: number[] = [];
  const rates: number[] = [];
  const begun: number[] = [];
  const claimed: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const orders = await placeFor(system, seconds);
    const few = await drawFor(draw, FEW, seconds);
    ratios.push(few.rate / orders.rate);
    fewRates.push(few.rate);
    const many = await drawFor(draw, MANY, seconds);
    rates.push(many.rate);
    begun.push(...many.begun);
    claimed.push(...many.claimed);
  }
  const words = `median ${median(begun).toFixed(0)} ms; claimed: p95 ${quantile(claimed, 0.95).toFixed(0)} ms; ${median(rates).toFixed(0)} draws/s`;
  return [
    row(`draws ÷ orders placed, ${FEW} callers`, '≥', 1.5, median(ratios), '×', `${median(fewRates).toFixed(0)} draws/s`),
    row(`a draw begun, ${MANY} callers, p95`, '≤', 300, quantile(begun, 0.95), ' ms', words),
  ];
}

/** Two people of the desk raise the sum of a day. */
async function openDay(system: System): Promise<void> {
  const wanted = { key: 'earn.day_usd', value: DAY_USD, apply: true, reason: 'the bench' };
  for (const person of ['olga', 'oleg'] as const)
    await (await deskOf(system, person)).operatorSettingChange(wanted, { idempotencyKey: `bench-${person}` });
  const pot = { pot: 'earn', amount: '4000', back: false, reason: 'the bench' } as const;
  await (await deskOf(system, 'olga')).operatorPot(pot, { idempotencyKey: 'bench-pot' });
}

/** Milliseconds to begin a draw and to claim it. */
type Draw = () => Promise<{ readonly begun: number; readonly claimed: number }>;

/** Returns a function that makes one draw, each time for another of so many new holders. */
async function drawing(system: System, count: number): Promise<Draw> {
  const db = await openSystemDb(system);
  const holders = await db.tx((tx) => addHolders(tx, count));
  await db.close();
  let next = 0;
  return async () => {
    const holder = holders[next];
    if (!holder) throw new Error('all holders of the bench have drawn');
    const client = clientOf(system, holder, FIRST_CALLER + next);
    next += 1;
    const [at, { id }] = [performance.now(), await client.earnBegin({ bot_token: 'sandbox' })];
    const between = performance.now();
    await client.earnClaim({ id, client_seed: 'bench' });
    return { begun: between - at, claimed: performance.now() - between };
  };
}

function clientOf({ url }: System, { token }: Holder, caller: number): Client {
  const from = addressOf(caller);
  const fetchFrom: typeof fetch = (target, init) =>
    fetch(target, { ...init, headers: { ...(init?.headers as object), 'x-forwarded-for': from } });
  return createClient(httpTransport({ base: url, clientId: 'web', locale: () => 'en', token: () => token, fetch: fetchFrom }));
}

/** Makes draws with so many callers for so many seconds. */
async function drawFor(
  draw: Draw,
  callers: number,
  seconds: number,
): Promise<{ rate: number; begun: number[]; claimed: number[] }> {
  const [begun, claimed]: [number[], number[]] = [[], []];
  const begin = performance.now();
  const loop = async (): Promise<void> => {
    while (performance.now() - begin < seconds * 1_000) {
      const took = await draw();
      begun.push(took.begun);
      claimed.push(took.claimed);
    }
  };
  await Promise.all(Array.from({ length: callers }, loop));
  return { rate: begun.length / ((performance.now() - begin) / 1_000), begun, claimed };
}
