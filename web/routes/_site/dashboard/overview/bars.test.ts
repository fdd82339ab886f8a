import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HEIGHT, drawBars } from './bars.ts';

test('the chart has a round top, and its bars are exactly as high as their amounts', () => {
  const { heights, ticks } = drawBars(['0.00', '400.00', '1490.00', '0.01']);
  assert.deepEqual(ticks, ['2000', '1500', '1000', '500', '0']);
  assert.deepEqual(heights, [0, 40, 149, 2]);
  assert.equal(drawBars(['4.00']).heights[0], HEIGHT);
  assert.deepEqual(drawBars(['0.00', '0.00']), { heights: [0, 0], ticks: ['4', '3', '2', '1', '0'] });
});

test('draws amounts that no float can represent', () => {
  const { heights } = drawBars(['90071992547409931.00', '45035996273704965.50']);
  assert.equal(heights[0], 2 * (heights[1] ?? 0) + ((heights[0] ?? 0) % 2));
});
