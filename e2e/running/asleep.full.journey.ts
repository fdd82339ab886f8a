// Stops one of two workers (SIGSTOP) at different moments of an order and continues it, in some cases after its leases have
// ended. The other worker finishes the order meanwhile, and nobody may be paid twice.

import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Chains, openChains, partsOf } from '../customers/chains.ts';
import { BUY_BTC, SELL_BTC, look, pay, place } from '../customers/customer.ts';
import { type System, startSystem, until } from '../harness/system.ts';

const DONE_MS = 150_000;
/** Time in ms that exceeds a wallet's lease and a send's claim. */
const LEASES_MS = 35_000;
/** Times of the stop, in ms after the payment. */
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

/** Starts a second worker with the environment of the supervisor's own. */
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
      // Its leases have ended by then, but it continues with its old state.
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
