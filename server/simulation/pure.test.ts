// 2 000 seeds of 500 events each on the order machine with books in memory: quick, so that every change of the table or of
// a posting is tried in a million ways. To see one again: SIM_SEED=17 node --test server/simulation/pure.test.ts

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROWS, type Row, createMachine } from '../exchange/index.ts';
import { Fault } from './invariants.ts';
import { comeToRest, pureStep } from './pure-steps.ts';
import { PureWorld } from './pure-world.ts';

const SEEDS = 2_000;
const STEPS = 500;

const only = process.env['SIM_SEED'];
const [first, last] = only === undefined ? [1, SEEDS] : [Number(only), Number(only)];

test(`seeds ${first} to ${last} of ${STEPS} events: the invariants hold, and all comes to rest`, { timeout: 120_000 }, (t) => {
  const visits = new Map<Row, number>(ROWS.map((row) => [row, 0]));
  const machine = createMachine();
  for (let seed = first; seed <= last; seed += 1) {
    const world = new PureWorld(seed, machine, (row) => visits.set(row, (visits.get(row) ?? 0) + 1));
    let step = 0;
    try {
      for (; step < STEPS; step += 1) pureStep(world);
      comeToRest(world);
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      throw new Fault(
        `seed ${seed}, step ${step}: ${words}\nagain: SIM_SEED=${seed} node --test server/simulation/pure.test.ts`,
        {
          cause: error,
        },
      );
    }
  }
  const byCount = [...visits].sort(([, a], [, b]) => a - b);
  for (const [{ event, from }, count] of byCount) t.diagnostic(`${count} ${event} in ${from.join(', ')}`);
  if (only !== undefined) return;
  const idle = byCount.filter(([, count]) => count === 0).map(([{ event, from }]) => `${event} in ${from[0]}`);
  assert.deepEqual(idle, [], 'every row of the machine is visited');
});
