// 240 seeds of 500 events each on the order machine with books in memory: quick, so that every change of the table or of
// a posting is tried in 120 000 ways. To see one again: SIM_SEED=17 node --test server/simulation/pure/pure.test.ts

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROWS, createMachine } from '../../exchange/index.ts';
import { Fault } from '../audit/invariants.ts';
import { comeToRest, pureStep } from './pure-steps.ts';
import { PureWorld } from './pure-world.ts';
import { Tally } from '../tally.ts';
import { isFullRun } from '../../../tools/runner/full-run.ts';

const SEEDS = isFullRun ? 2_000 : 240;
const STEPS = 500;

const only = process.env['SIM_SEED'];
const [first, last] = only === undefined ? [1, SEEDS] : [Number(only), Number(only)];

test(`seeds ${first} to ${last} of ${STEPS} events: the invariants hold, and all comes to rest`, { timeout: 120_000 }, (t) => {
  const tally = new Tally();
  const machine = createMachine();
  for (let seed = first; seed <= last; seed += 1) {
    const world = new PureWorld(seed, machine, (row) => tally.row(row));
    let step = 0;
    try {
      for (; step < STEPS; step += 1) pureStep(world);
      comeToRest(world);
      tally.seeds += 1;
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      throw new Fault(
        `seed ${seed}, step ${step}: ${words}\nagain: SIM_SEED=${seed} node --test server/simulation/pure/pure.test.ts`,
        {
          cause: error,
        },
      );
    }
  }
  for (const line of tally.lines()) t.diagnostic(line);
  if (only !== undefined) return;
  assert.equal(tally.rows.size, ROWS.length, 'each row has a name of its own');
  assert.deepEqual(tally.missing([]), [], 'every row of the machine is visited');
});
