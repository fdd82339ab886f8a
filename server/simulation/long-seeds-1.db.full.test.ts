import { test } from 'node:test';
import { runLongSeeds } from './seeds.ts';

test('long seeds, a quarter: 75 of 400 steps', { timeout: 2_400_000 }, (t) => runLongSeeds(t, 1));
