// Every planted fault is found by each of the tests that are named with it, in shares that run by themselves.
// One of each kind: planted.test.ts.

import { after, before, test } from 'node:test';
import { type Copy, copyTree, mustBeFound, mustHold, readAllPlanted, shareOf } from './planting.ts';

const HANGS_MS = 900_000;

/** Tests one of `shares` shares of the planted faults, counted from 1, after the tests that are to find them. */
export function testPlanted(share: number, shares: number): void {
  const faults = shareOf(readAllPlanted(), share, shares);
  const finders = [...new Set(faults.flatMap(({ foundBy }) => foundBy))];
  const [slow, quick] = [finders.filter((file) => file.includes('.db.')), finders.filter((file) => !file.includes('.db.'))];

  let copy: Copy;
  before(() => void (copy = copyTree()));
  after(() => copy.remove());

  test(`${quick.length} quick tests hold without any fault`, { timeout: HANGS_MS }, () => mustHold(copy, quick));
  for (const file of slow) {
    test(`${file} holds without any fault`, { timeout: HANGS_MS }, () => mustHold(copy, [file]));
  }
  for (const [at, planted] of faults.entries()) {
    const count = `${at + 1} of ${faults.length}`;
    test(`${planted.kind}: ${planted.name} is found (${count})`, { timeout: HANGS_MS }, () => mustBeFound(copy, planted));
  }
}
