import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { flaws } from '../server/platform/index.ts';
import { MACHINES, PAGES, pathOf } from './draw-machines.ts';

for (const [name, page] of PAGES) {
  test(`docs/machines/${name} is what the code says (else: node tools/draw-machines.ts)`, () => {
    assert.equal(readFileSync(pathOf(name), 'utf8'), page);
  });
}

for (const { machine } of MACHINES) {
  test(`the table of ${machine.name}s has no flaw`, () => assert.deepEqual(flaws(machine), []));
}
