import { test } from 'node:test';
import { runSeeds } from './seeds.ts';

test(
  'seeds 1001 to 1100 of 100 steps over the real code: the invariants hold after each, and all comes to rest',
  {
    timeout: 300_000,
  },
  (t) => runSeeds(t, { first: 1001, seeds: 100, steps: 100 }),
);
