// A thread that runs one requested seed after the other, and posts the result of each.

import { on } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openGround } from './ground.ts';
import { simulate } from './simulate.ts';
import { type Met, Tally } from './tally.ts';

/** The thread's message about a seed. */
export interface Told {
  readonly met: Met;
  readonly story: readonly string[];
}

const { steps } = workerData as { steps: number };
const port = parentPort as MessagePort;
const ground = await openGround();
try {
  for await (const [seed] of on(port, 'message') as AsyncIterable<[number | undefined]>) {
    if (seed === undefined) break;
    const tally = new Tally();
    const { story } = await simulate(seed, { ground, tally, steps });
    port.postMessage({ met: tally, story } satisfies Told);
  }
} finally {
  await ground.close();
}
