import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tolerance } from '@kurs/contract';
import { hundredthsOf, percentageOf } from './tolerance.ts';

test('each hundredth of a percent from 0 to 5 has a percentage that the API takes, and that leads back to it', () => {
  for (let hundredths = 0; hundredths <= 500; hundredths += 1) {
    const text = percentageOf(hundredths);
    assert.ok(tolerance.safeParse(text).success, text);
    assert.equal(hundredthsOf(text), hundredths);
  }
  assert.deepEqual([0, 5, 50, 100, 250, 500].map(percentageOf), ['0', '0.05', '0.5', '1', '2.5', '5']);
  assert.deepEqual(['0.50', '5.00', '1.0'].map(hundredthsOf), [50, 500, 100]);
});

test('the API takes no percentage above 5, below 0, or with three decimals', () => {
  for (const text of ['5.01', '5.5', '6', '10', '-1', '0.001', '.5', '1.', '0,5', '1e-1', ' 1', '', 'NaN', '05'])
    assert.equal(tolerance.safeParse(text).success, false, text);
});
