// Every planted fault is found by each of the tests that are named with it. One of each kind: planted.test.ts.

import { after, before, test } from 'node:test';
import { type Copy, copyTree, mustBeFound, mustHold, readAllPlanted } from './planting.ts';

const all = readAllPlanted();

let copy: Copy;
before(() => void (copy = copyTree()));
after(() => copy.remove());

for (const file of new Set(all.flatMap(({ foundBy }) => foundBy))) {
  test(`${file} holds without any fault`, { timeout: 900_000 }, () => mustHold(copy, [file]));
}

for (const planted of all) {
  test(`${planted.kind}: ${planted.name} is found`, { timeout: 900_000 }, () => mustBeFound(copy, planted));
}
