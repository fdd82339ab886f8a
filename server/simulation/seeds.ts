// Runs of many seeds, for the tests: the tally is printed, and what was never visited fails the run.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { openGround } from './ground.ts';
import { simulate } from './simulate.ts';
import { Tally } from './tally.ts';

/** Faults that every run has to meet; reorgs by their depth, and a reversal of what was credited already. */
const FAULTS = [
  ...['delay', 'duplicate', 'drop', 'lie', 'hang', 'error'].map((kind) => `observe: ${kind}`),
  ...['delay', 'drop', 'lost', 'late', 'hang', 'error', 'refuse', 'reverts'].map((kind) => `send: ${kind}`),
  ...['lie', 'hang', 'error', 'delay'].map((kind) => `find: ${kind}`),
  ...['refuse', 'hang', 'error'].map((kind) => `prepare: ${kind}`),
  ...[1, 2, 3, 4, 5, 6].map((depth) => `reorg: ${depth} deep`),
  ...['chain', 'provider', 'deduper'].map((kind) => `reversal after the credit: ${kind}`),
  ...['watching', 'sending', 'following', 'keeping time', 'placing', 'choosing', 'an act'].map((what) => `crash: ${what}`),
  ...['an hour', 'a day', 'days'].map((span) => `the clock jumps ${span}`),
  ...['a waiting payment vanishes', 'a lost payment comes back', 'a send of ours comes back', 'a node lags'],
  ...['payouts switched off', 'screening: suspects'],
];

/** Rows that nothing in the product can reach yet, with the reason. */
const NOT_YET: Readonly<Record<string, string>> = {
  'row season_over in approving': 'no rail yet takes its money back at will, so nothing seasons; the pure run visits it',
};

export interface Range {
  readonly first: number;
  readonly seeds: number;
  readonly steps: number;
}

/** Further seeds that a run may take until it has visited everything: a change of the code shifts what each seed meets. */
const MORE = 60;

/** Runs a range of seeds; with SIM_SEED in the environment that one alone, with its whole story. */
export async function runSeeds(t: TestContext, { first, seeds, steps }: Range): Promise<void> {
  const ground = await openGround();
  const tally = new Tally();
  try {
    const only = process.env['SIM_SEED'];
    if (only !== undefined) {
      const { story } = await simulate(Number(only), { ground, tally, steps });
      for (const line of story) t.diagnostic(line);
      return;
    }
    const missing = (): string[] => tally.missing(FAULTS).filter((name) => !(name in NOT_YET));
    for (let seed = first; seed < first + seeds || (seed < first + seeds + MORE && missing().length > 0); seed += 1) {
      await simulate(seed, { ground, tally, steps });
    }
    for (const line of tally.lines()) t.diagnostic(line);
    assert.deepEqual(missing(), [], 'every row of the machine and every kind of fault is visited');
    const visited = Object.keys(NOT_YET).filter((name) => !tally.missing([]).includes(name));
    assert.deepEqual(visited, [], 'what is visited after all is taken from the list');
  } finally {
    await ground.close();
  }
}
