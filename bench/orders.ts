// Measures orders over HTTP: customers with the four calls from the amount to the placed order, on a complete running system with
// mail, limits, watchers and both chains.

import { randomBytes, randomUUID } from 'node:crypto';
import { createClient, httpTransport } from '@kurs/contract/client';
import type { System } from '../e2e/harness/system.ts';
import { addressOf as addressOfScript } from '../sandbox/bitcoin/address.ts';
import { type Rounds, addressOf, cpuOf, cpuOfFamily, median, quantile } from './harness/measure.ts';
import { type SpeedRow, row } from './harness/table.ts';

/** Number of simultaneous customers. */
const TOGETHER = 8;

const PROCESSES = ['api', 'postgres', 'worker', 'sandbox'] as const;
type Cpu = Record<(typeof PROCESSES)[number], number>;

interface Round {
  readonly rate: number;
  /** Milliseconds of every call. */
  readonly calls: readonly number[];
  /** Milliseconds of processor time for one order. */
  readonly cpu: Cpu;
}

/** Measures the rows of orders over HTTP, in a system that trusts `X-Forwarded-For`. */
export async function orderRows(system: System, { rounds, seconds }: Rounds): Promise<SpeedRow[]> {
  await placeFor(system, Math.max(2, seconds));
  const done: Round[] = [];
  for (let round = 0; round < rounds; round += 1) done.push(await placeFor(system, seconds));
  const each = (of: (one: Round) => number): number => median(done.map(of));
  const cpu = PROCESSES.map((name) => `${name} ${each((one) => one.cpu[name]).toFixed(1)}`).join(', ');
  const p95 = each(({ calls }) => quantile(calls, 0.95));
  const words = `${TOGETHER} customers at once, four calls an order; a call's p95 ${p95.toFixed(0)} ms; ms of CPU for one: ${cpu}`;
  return [
    row(
      'orders placed over HTTP',
      '≥',
      60,
      each(({ rate }) => rate),
      '/s',
      words,
    ),
  ];
}

/** Places orders for so many seconds. */
export async function placeFor(system: System, seconds: number): Promise<Round> {
  const { pids } = await system.run();
  const cpuNow = (): Cpu => ({
    api: cpuOf(pids.api),
    postgres: cpuOfFamily(pids.postgres),
    worker: cpuOf(pids.worker),
    sandbox: cpuOf(pids.sandbox),
  });
  const calls: number[] = [];
  const before = cpuNow();
  const begin = performance.now();
  let orders = 0;
  const loop = async (): Promise<void> => {
    while (performance.now() - begin < seconds * 1_000) {
      await placeOne(system, calls);
      orders += 1;
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, loop));
  const lasted = (performance.now() - begin) / 1_000;
  const after = cpuNow();
  const cpu = Object.fromEntries(PROCESSES.map((name) => [name, (after[name] - before[name]) / orders / 1_000])) as Cpu;
  return { rate: orders / lasted, calls, cpu };
}

let customers = 0;

/** A new customer, from a network of their own, places an order. The duration of each call is added to `calls`. */
async function placeOne({ url }: System, calls: number[]): Promise<void> {
  const from = addressOf(customers);
  const fetchFrom: typeof fetch = async (target, init) => {
    const begin = performance.now();
    const response = await fetch(target, { ...init, headers: { ...(init?.headers as object), 'x-forwarded-for': from } });
    calls.push(performance.now() - begin);
    return response;
  };
  const client = createClient(httpTransport({ base: url, clientId: 'web', locale: () => 'en', fetch: fetchFrom }));
  const wanted =
    customers++ % 2 === 0
      ? { give: { from: 'BTC', to: 'USDT_ERC20', amount: '0.005' }, receive: evmAddress(), refund: bitcoinAddress() }
      : { give: { from: 'USDT_ERC20', to: 'BTC', amount: '400' }, receive: bitcoinAddress(), refund: evmAddress() };
  const draft = await client.step1(wanted.give);
  const known = { id: draft.id, ...(draft.token !== undefined && { token: draft.token }) };
  const accounts = { receive: { address: wanted.receive }, refund: { address: wanted.refund } };
  await client.step2({ ...known, ...accounts, email: `${randomUUID()}@bench.example`, terms_accepted: true, ask_me: false });
  await client.step3({ ...known, bot_token: 'sandbox' });
  await client.processOrder(known, { idempotencyKey: randomUUID() });
}

const evmAddress = (): string => `0x${randomBytes(20).toString('hex')}`;
/** Returns a P2WPKH address (BIP 141: version 0 and twenty bytes). */
const bitcoinAddress = (): string => addressOfScript(Buffer.concat([Buffer.of(0, 20), randomBytes(20)])) as string;
