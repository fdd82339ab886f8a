import { test } from 'node:test';
import { runSeeds } from './seeds.ts';

test(
  '150 seeds of 100 steps over the real code: the invariants hold after each, and all comes to rest',
  {
    timeout: 300_000,
  },
  (t) => runSeeds(t, { first: 1, seeds: 150, steps: 100 }),
);
