import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PAGES, pathOf } from './draw-machines.ts';

for (const [name, draw] of Object.entries(PAGES)) {
  test(`docs/machines/${name} is what the code says (else: node tools/draw-machines.ts)`, () => {
    assert.equal(readFileSync(pathOf(name), 'utf8'), draw());
  });
}
