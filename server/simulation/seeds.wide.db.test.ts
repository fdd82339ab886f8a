import { test } from 'node:test';
import { runSeeds } from './seeds.ts';
import { MOODS } from './world.ts';

test(
  'a seed of 100 steps in each mood, over the real code: the invariants hold after each, and all comes to rest',
  { timeout: 300_000 },
  (t) => runSeeds(t, { first: 1, seeds: MOODS.length, steps: 100 }),
);
