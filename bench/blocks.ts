// Measures the time from a block of a chain to the page of the paid order that it confirms: by the page's stream, and its next
// call.

import { setTimeout as pause } from 'node:timers/promises';
import { BUY_BTC, type Key, look, pay, place } from '../e2e/customers/customer.ts';
import type { System } from '../e2e/harness/system.ts';
import { readEvents } from '../web/features/live/event-stream.ts';
import { median, quantile } from './harness/measure.ts';
import { type SpeedRow, row } from './harness/table.ts';

const ROUNDS = 2;
const BATCH_SIZE = 3;
/** Interval at which the chain's height is polled, in ms: the precision of the figure. */
const ASK_MS = 10;
const MAX_MS = 1_000;

/** Measures one row: milliseconds from a rail showing a block until the page of an order shows its confirmation. */
export async function blockRows(system: System): Promise<SpeedRow[]> {
  const { ports } = await system.run();
  const rpc = `http://127.0.0.1:${ports.sandbox}/sandbox/evm`;
  const chain = watchChain(rpc);
  try {
    const taken: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const followed = await Promise.all(Array.from({ length: BATCH_SIZE }, () => followOne(system, rpc)));
      for (const { mined, shown } of followed)
        for (const [confirmations, at] of shown) taken.push(at - (chain.heights.get(mined + confirmations - 1) ?? at));
    }
    const words = `${taken.length} blocks, ${BATCH_SIZE} orders at once; median ${median(taken).toFixed(0)} ms`;
    return [row('a block → the page of the order, p95', '≤', MAX_MS, quantile(taken, 0.95), ' ms', words)];
  } finally {
    await chain.stop();
  }
}

/** A paid and confirmed order: the height of its payment, and the time at which its page first showed each confirmation. */
async function followOne(system: System, rpc: string): Promise<{ mined: number; shown: ReadonlyMap<number, number> }> {
  const client = system.client();
  const { order } = await place(client, BUY_BTC);
  const shown = new Map<number, number>();
  const gone = new AbortController();
  const read = follow(system, order, gone.signal, async () => {
    const [payment] = (await look(client, order)).transfers;
    const { confirmations = 0, status } = payment ?? {};
    for (let each = 1; each <= confirmations; each += 1) if (!shown.has(each)) shown.set(each, performance.now());
    return status === 'final';
  });
  const txid = await pay(client, order);
  await read;
  gone.abort();
  const { blockNumber } = (await ask(rpc, 'eth_getTransactionReceipt', [txid])) as { blockNumber: string };
  return { mined: Number(blockNumber), shown };
}

/** Reads the stream of an order until `changed` returns true. */
async function follow(system: System, { id, token }: Key, signal: AbortSignal, changed: () => Promise<boolean>): Promise<void> {
  const url = `${system.url}/api/v1/order/status?${new URLSearchParams({ id, token })}`;
  const { body } = await fetch(url, { headers: { accept: 'text/event-stream' }, signal });
  if (!body) throw new Error('the stream of an order has no body');
  for await (const _ of readEvents(body)) if (await changed()) return;
}

/** Notes the time at which the chain was first seen at each height. */
function watchChain(rpc: string): { readonly heights: ReadonlyMap<number, number>; stop(): Promise<void> } {
  const heights = new Map<number, number>();
  let stopped = false;
  const loop = (async () => {
    while (!stopped) {
      const height = Number(await ask(rpc, 'eth_blockNumber', []));
      if (!heights.has(height)) heights.set(height, performance.now());
      await pause(ASK_MS);
    }
  })();
  return {
    heights,
    stop() {
      stopped = true;
      return loop;
    },
  };
}

async function ask(rpc: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(rpc, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await response.json()) as { result: unknown }).result;
}
