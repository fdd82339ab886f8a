import { test } from 'node:test';
import { runSeeds } from './seeds.ts';

test('90 seeds of 100 steps over the real code, and more until all is visited', { timeout: 900_000 }, (t) =>
  runSeeds(t, { first: 1, seeds: 90, steps: 100, hasToVisitAll: true }),
);
