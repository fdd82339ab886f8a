// What a file may cost is told for a machine of the usual pace, and grows with how slow the machine is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slowness, slownessNow } from './pace.ts';

test('a machine is as slow as it mostly was, and never quicker than usual', () => {
  assert.equal(slowness([]), 1);
  assert.equal(slowness([0.5, 0.6, 0.7]), 1);
  assert.equal(slowness([9, 1.5, 2]), 2, 'one bad moment says nothing');
});

test('the piece of work takes time that can be measured', () => {
  const shown = slownessNow();
  assert.ok(shown > 0.05 && shown < 100, `${shown}`);
});
