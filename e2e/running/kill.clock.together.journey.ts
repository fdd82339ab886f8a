// Kills each process during orders, and lets the database die or hang. The system must continue without help.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { before, describe, test } from 'node:test';
import type { Client } from '@kurs/contract/client';
import { familyOf } from '../harness/cpu-time.ts';
import { type ApiResponse, call } from '../harness/call.ts';
import { type Chains, openChains, partsOf } from '../customers/chains.ts';
import { BUY_BTC, type Exchange, SELL_BTC, type Wish, look, pay, place } from '../customers/customer.ts';
import { inFullRun } from '../../tools/runner/full-run.ts';
import { BACK_MS, PROCESSES, die } from '../harness/die.ts';
import { sharedStage } from '../harness/stage.ts';
import { type System, until } from '../harness/system.ts';

const DONE_MS = 90_000;
/** Longest time of a response in ms, whatever the state of the database. */
const PATIENCE_MS = 2_500;

let system: System;
let chains: Chains;

before(async () => {
  ({ system } = await sharedStage());
  chains = await openChains(system);
});

/**
 * Places an order after a move of the clock. If a kill interrupted a source's answer, the check of the rates requires some calm
 * minutes, and a move of the clock ends this wait.
 */
async function placeAnyway(client: Client, wish: Wish): Promise<Exchange> {
  await client.sandboxClock({ skip: 1 });
  return place(client, wish);
}

/** Orders at three moments: unpaid, just paid, and being paid out. */
interface Moments {
  readonly unpaid: Exchange;
  readonly paid: Exchange;
  readonly paying: Exchange;
}

async function ordersInFlight(): Promise<Moments> {
  const client = system.client();
  const [unpaid, paid, paying] = await Promise.all([
    placeAnyway(client, SELL_BTC),
    placeAnyway(client, BUY_BTC),
    placeAnyway(client, SELL_BTC),
  ]);
  await pay(client, paying.order);
  await until('an order to be paid out', DONE_MS, async () => /paying|done/.test((await look(client, paying.order)).status), 30);
  await pay(client, paid.order);
  return { unpaid, paid, paying };
}

/** Pays the unpaid order as soon as possible, and waits until all orders are done and paid exactly once. */
async function allAreDone({ unpaid, paid, paying }: Moments): Promise<void> {
  await whenServed('the sandbox to take a payment', () => pay(system.client(), unpaid.order));
  await Promise.all([isDone(unpaid, SELL_BTC), isDone(paid, BUY_BTC), isDone(paying, SELL_BTC)]);
}

async function isDone({ order, receive, refund }: Exchange, wish: Wish): Promise<void> {
  const client = system.client();
  let last = '';
  await until(`order ${order.id} to be done`, DONE_MS, async () => {
    last = await look(client, order).then(({ status }) => status, String);
    return last === 'done';
  }).catch((error: unknown) => assert.fail(`${String(error)}; it is ${last}`));
  assert.equal(await chains.holds(wish.to, receive), partsOf(wish.to, order.get?.amount ?? ''), 'paid once, and exactly');
  assert.equal(await chains.holds(wish.from, refund), 0n, 'and nothing paid back');
}

/** Retries until the system serves again. A refused attempt has no effect. */
async function whenServed<T>(words: string, work: () => Promise<T>): Promise<T> {
  return until(words, BACK_MS, () => work().catch(() => undefined));
}

describe('orders continue automatically when', () => {
  for (const name of PROCESSES) {
    inFullRun(`the ${name} is killed`, async () => {
      const orders = await ordersInFlight();
      await die(system, [name]);
      await allAreDone(orders);
    });
  }

  test('everything is killed at once', async () => {
    const orders = await ordersInFlight();
    await die(system, PROCESSES);
    await allAreDone(orders);
  });
});

/**
 * Asserts that simultaneous reads, writes and a page report in time that they aren't possible now. The fastest of three rounds
 * counts, since other load can only slow a round down.
 */
async function isSaid({ order: { id, token } }: Exchange): Promise<void> {
  const key = new URLSearchParams({ id, token });
  const page = async (): Promise<Pick<ApiResponse, 'status' | 'text'>> => {
    const response = await fetch(`${system.url}/En/order?${key}`);
    return { status: response.status, text: await response.text() };
  };
  const calls = [
    () => call(system.url, 'GET', '/health'),
    () => call(system.url, 'GET', `/calculation/track-order?${key}`),
    () => call(system.url, 'GET', `/order/status?${key}`),
    () => call(system.url, 'POST', '/calculation/step1', SELL_BTC),
    () => call(system.url, 'POST', '/calculation/expire', { id, token }, { 'idempotency-key': randomUUID() }),
    page,
  ];
  const ask = async (answer: () => Promise<Pick<ApiResponse, 'status' | 'text'>>): Promise<number> => {
    const begin = performance.now();
    const { status, text } = await answer();
    const ms = Math.round(performance.now() - begin);
    assert.equal(status, 503, text.slice(0, 300));
    return ms;
  };
  const rounds: number[] = [];
  while (rounds.length < 3 && !rounds.some((ms) => ms <= PATIENCE_MS)) {
    rounds.push(Math.max(...(await Promise.all([...calls, ...calls, ...calls].map(ask)))));
  }
  assert.ok(Math.min(...rounds) <= PATIENCE_MS, `the slowest of each round took ${rounds.join(', ')} ms`);
}

/** Asserts that the same processes serve again, and that the order from before continues. */
async function recovers(exchange: Exchange, before: { readonly api: number; readonly worker: number }): Promise<void> {
  const client = system.client();
  await whenServed('the order to be read again', () => look(client, exchange.order));
  await whenServed('a payment to be taken', () => pay(client, exchange.order));
  await isDone(exchange, SELL_BTC);
  const { api, worker } = (await system.run()).pids;
  assert.deepEqual([api, worker], [before.api, before.worker], 'nothing had to be started again');
}

/** Sends a signal. The process of a database connection may have ended meanwhile. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Returns true if a process accepts connections on the port. */
function listens(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      done(true);
    }).once('error', () => done(false));
  });
}

describe('503 within 2.5 s, and recovery without a restart, when', () => {
  const hangs = async (): Promise<void> => {
    const exchange = await placeAnyway(system.client(), SELL_BTC);
    const { pids } = await system.run();
    const server = familyOf(pids.postgres);
    for (const pid of server) signal(pid, 'SIGSTOP');
    try {
      await isSaid(exchange);
    } finally {
      for (const pid of server) signal(pid, 'SIGCONT');
    }
    await recovers(exchange, pids);
  };
  // The same without orders is tested in server/platform/db/db.db.test.ts.
  inFullRun('the database hangs', hangs);

  test('the database is dead', async () => {
    const exchange = await placeAnyway(system.client(), SELL_BTC);
    const { pids, ports } = await system.run();
    // Otherwise the database's keeper would restart it immediately.
    signal(pids.keeper, 'SIGSTOP');
    try {
      // Its backends outlive it for a moment and would still serve.
      for (const pid of familyOf(pids.postgres)) signal(pid, 'SIGKILL');
      await until('nothing to listen any more', PATIENCE_MS, async () => !(await listens(ports.postgres)), 10);
      await isSaid(exchange);
    } finally {
      signal(pids.keeper, 'SIGCONT');
    }
    await recovers(exchange, pids);
  });
});

test('the books are right after all of it', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
