import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Meter } from './meter.ts';

test('what is used while two tests run is half of each, and what is used between tests is nobody’s', () => {
  let used = 100;
  const meter = new Meter(() => used);
  used += 1_000;
  meter.begins('a');
  used += 10;
  meter.begins('b');
  used += 8;
  assert.equal(meter.ends('a'), 14);
  used += 3;
  assert.equal(meter.ends('b'), 7);
  used += 50;
  meter.begins('c');
  used += 1;
  assert.equal(meter.ends('c'), 1);
  assert.equal(meter.ends('never begun'), 0);
});
