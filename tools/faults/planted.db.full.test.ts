// Each planted fault is found by each of the tests that are named with it.

import { after, before, test } from 'node:test';
import { type Copy, copyTree, mustBeFound, mustPass, readAllPlanted } from './planting.ts';

const TIMEOUT_MS = 900_000;

const faults = readAllPlanted();
const finders = new Set(faults.flatMap(({ foundBy }) => foundBy));

let copy: Copy;
before(() => void (copy = copyTree()));
after(() => copy.remove());

for (const file of finders) {
  test(`${file} passes without a fault`, { timeout: TIMEOUT_MS }, () => mustPass(copy, [file]));
}
for (const [at, planted] of faults.entries()) {
  const count = `${at + 1} of ${faults.length}`;
  test(`${planted.kind}: ${planted.name} is found (${count})`, { timeout: TIMEOUT_MS }, () => mustBeFound(copy, planted));
}
