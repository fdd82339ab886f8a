// Two workers of which one is stopped (SIGSTOP) at some moment of an order and goes on after its leases have ended: the other
// does the work meanwhile, and nobody is paid twice.

import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Chains, openChains, partsOf } from '../customers/chains.ts';
import { BUY_BTC, SELL_BTC, look, pay, place } from '../customers/customer.ts';
import { type System, startSystem, until } from '../harness/system.ts';

const DONE_MS = 150_000;
/** Longer than a wallet's lease and a send's claim hold. */
const LEASES_MS = 35_000;
/** When the sleeper falls asleep, in milliseconds after the payment was made. */
const MOMENTS = [0, 150, 400, 800, 1_300, 2_000, 3_000, 4_500];

let system: System;
let chains: Chains;
let second: ChildProcess;
before(async () => {
  system = await startSystem();
  chains = await openChains(system);
  second = await anotherWorker();
});
after(async () => {
  second?.kill('SIGCONT');
  second?.disconnect();
  await system?.stop();
});

/** A worker beside the supervisor's own, with all that it was started with. */
async function anotherWorker(): Promise<ChildProcess> {
  const { worker } = (await system.run()).pids;
  const env = Object.fromEntries(
    readFileSync(`/proc/${worker}/environ`, 'utf8')
      .split('\0')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const file = new URL('../../server/bin/worker.ts', import.meta.url).pathname;
  const child = fork(file, [], { env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await pause(5_000);
  assert.equal(child.exitCode, null, 'it works beside the first');
  return child;
}

test('whichever of two workers is stopped, each order is paid once and exactly', { timeout: 1_500_000 }, async () => {
  const client = system.client();
  const first = (await system.run()).pids.worker;
  const orders = [];
  for (const [at, moment] of MOMENTS.entries()) {
    const wish = at % 2 === 0 ? SELL_BTC : BUY_BTC;
    const exchange = await place(client, wish);
    orders.push({ exchange, wish });
    await pay(client, exchange.order);
    await pause(moment);
    const sleeper = at % 4 < 2 ? first : (second.pid as number);
    process.kill(sleeper, 'SIGSTOP');
    try {
      await until(`the order to be done while one sleeps from ${moment} ms on`, DONE_MS, async () => {
        return (await look(client, exchange.order)).status === 'done';
      });
      // What it was in the middle of is over by now: it wakes with what it believed then.
      if (at % 4 === 3) await pause(LEASES_MS);
    } finally {
      process.kill(sleeper, 'SIGCONT');
    }
  }
  await pause(10_000);
  for (const { exchange, wish } of orders) {
    const wanted = partsOf(wish.to, exchange.order.get?.amount ?? '');
    assert.equal(await chains.holds(wish.to, exchange.receive), wanted, 'paid once, and exactly');
    assert.equal(await chains.holds(wish.from, exchange.refund), 0n, 'and nothing paid back');
  }
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
