import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HEIGHT, WIDTH, type ChartPoint, drawChart, thinned } from './chart.ts';

const HOUR = 3_600_000;
const hourly = (count: number, value: (hour: number) => string): ChartPoint[] =>
  Array.from({ length: count }, (_, hour) => ({ at: hour * HOUR, value: value(hour) }));

test('a week has three points a day, a short history one each hour', () => {
  const week = thinned(hourly(169, () => '1'));
  assert.equal(week.length, 22);
  assert.ok(week.every(({ at }) => (at / HOUR) % 8 === 0));
  assert.equal(thinned(hourly(20, () => '1')).length, 20);
  assert.equal(thinned(hourly(40, () => '1')).length, 20);
  assert.deepEqual(thinned([]), []);
});

test('gridlines are round and enclose all values; the line runs from left to right', () => {
  for (const values of [
    ['91377.604', '90112.5', '93004.99'],
    ['0.9984', '1.0002', '0.9991'],
    ['3.0000', '3.0000', '3.0000'],
    ['12', '12.01', '12'],
  ]) {
    const chart = drawChart(values.map((value, index) => ({ at: index * HOUR, value })));
    const ticks = chart.ticks.map((tick) => +tick);
    const [top, bottom] = [Math.max(...ticks), Math.min(...ticks)];
    const numbers = values.map((value) => +value);
    assert.ok(bottom <= Math.min(...numbers) && top >= Math.max(...numbers), `${values.join()} in ${chart.ticks.join()}`);
    assert.deepEqual(
      ticks,
      ticks.toSorted((a, b) => b - a),
    );
    assert.ok(ticks.length >= 3 && ticks.length <= 5);
    assert.match(chart.line, new RegExp(`^M0 \\d+L${WIDTH / 2} \\d+L${WIDTH} ${chart.endY}$`));
    for (const [, y] of chart.line.matchAll(/ (\d+)/g)) assert.ok(+(y as string) <= HEIGHT);
    // Ticks are round in the decimals that labels show.
    for (const tick of chart.ticks) assert.match(tick, numbers[0]! >= 10 ? /\.\d{2}0*$/ : /\.\d{4}0*$/);
  }
});

test('a constant rate lies between the gridlines', () => {
  const chart = drawChart([
    { at: 0, value: '1.0000' },
    { at: HOUR, value: '1' },
  ]);
  assert.ok(chart.endY > 0 && chart.endY < HEIGHT);
  assert.deepEqual([chart.low, chart.high], ['1.00000000', '1.00000000']);
});
