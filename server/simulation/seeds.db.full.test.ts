import { test } from 'node:test';
import { runSeeds } from './seeds.ts';

test('long seeds: 300 of 400 steps', { timeout: 2_400_000 }, (t) =>
  runSeeds(t, { first: 10_001, seeds: 300, steps: 400, visitsAll: true }),
);
