// Measures sign-ins by password beside quotes: the duration of each at ten a second, and their effect on the quotes.

import { randomUUID } from 'node:crypto';
import { type Client, createClient, httpTransport } from '@kurs/contract/client';
import { codeFor } from '../e2e/harness/mailbox.ts';
import type { System } from '../e2e/harness/system.ts';
import { type Rounds, addressOf, quantile } from './harness/measure.ts';
import { type SpeedRow, row } from './harness/table.ts';

const PASSWORD = 'correct horse battery staple';
/** Number of accounts: each signs in every other second. */
const HOLDERS = 20;
const SIGN_INS = 10;
const QUOTES = 100;
/** Number of the first caller: the networks of this part are apart from those of the others. */
const FIRST_CALLER = 40_000;

/** Measures the rows of sign-ins, in a system that trusts `X-Forwarded-For`. */
export async function signInRows(system: System, { rounds, seconds }: Rounds): Promise<SpeedRow[]> {
  const holders = await Promise.all(Array.from({ length: HOLDERS }, (_, number) => signUp(system, number)));
  const quote = (number: number): Promise<unknown> =>
    clientOf(system, number % 1_000).calculate({
      from: 'BTC',
      to: 'USDT_ERC20',
      amount: `0.005${(number % 10_000) + 10_000}`,
      side: 'give',
    });
  const signIn = (number: number): Promise<unknown> =>
    clientOf(system, 1_000 + (number % 5_000)).login({
      email: holders[number % HOLDERS] as string,
      password: PASSWORD,
      bot_token: 'sandbox',
    });
  await Promise.all([every(QUOTES, 3, quote), every(SIGN_INS, 3, signIn)]);
  const alone: number[] = [];
  const beside: number[] = [];
  const signIns: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(...(await every(QUOTES, seconds, quote)));
    const [quotes, entered] = await Promise.all([every(QUOTES, seconds, quote), every(SIGN_INS, seconds, signIn)]);
    beside.push(...quotes);
    signIns.push(...entered);
  }
  const p95 = (times: readonly number[]): number => quantile(times, 0.95);
  const words = `at ${QUOTES}/s: ${p95(alone).toFixed(1)} ms alone, ${p95(beside).toFixed(1)} ms beside; medians ${quantile(alone, 0.5).toFixed(1)} and ${quantile(beside, 0.5).toFixed(1)} ms`;
  return [
    row(
      `sign-ins by password at ${SIGN_INS}/s, p95`,
      '≤',
      600,
      p95(signIns),
      ' ms',
      `median ${quantile(signIns, 0.5).toFixed(0)} ms`,
    ),
    row('quotes beside them ÷ quotes alone, p95', '≤', 1.3, p95(beside) / p95(alone), '', words),
  ];
}

/** Starts something so often a second, without waiting for earlier ones. Returns the milliseconds of each. */
async function every(rate: number, seconds: number, work: (number: number) => Promise<unknown>): Promise<number[]> {
  const begin = performance.now();
  const times: Promise<number>[] = [];
  for (let number = 0; number < rate * seconds; number += 1) {
    const due = begin + (number * 1_000) / rate;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const request = performance.now();
    times.push(work(started++).then(() => performance.now() - request));
  }
  return Promise.all(times);
}

let started = 0;

function clientOf({ url }: System, caller: number): Client {
  const from = addressOf(FIRST_CALLER + caller);
  const fetchFrom: typeof fetch = (target, init) =>
    fetch(target, { ...init, headers: { ...(init?.headers as object), 'x-forwarded-for': from } });
  return createClient(httpTransport({ base: url, clientId: 'web', locale: () => 'en', fetch: fetchFrom }));
}

/** Makes an account with a password. Returns its address. */
async function signUp(system: System, number: number): Promise<string> {
  const client = clientOf(system, 10_000 + number);
  const email = `${randomUUID()}@bench.example`;
  const { handle } = await client.signUpGetOtp({ email, bot_token: 'sandbox' });
  await client.signUpConfirm({ email, otp: await codeFor(system, email), handle, password: PASSWORD });
  return email;
}
