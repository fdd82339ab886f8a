import assert from 'node:assert/strict';
import { test } from 'node:test';
import { railDays } from './rail-days.ts';

const at = (time: string): number => Date.parse(`${time}Z`);
const NOW = at('2026-11-23T06:00:00');
const DAY = 86_400;

test('a complete day counts whole, today up to now, a day before the first poll not at all', () => {
  assert.deepEqual(railDays(at('2026-11-21T18:00:00'), [], NOW, 4), [
    { day: '2026-11-20', watched: 0, down: 0 },
    { day: '2026-11-21', watched: DAY / 4, down: 0 },
    { day: '2026-11-22', watched: DAY, down: 0 },
    { day: '2026-11-23', watched: DAY / 4, down: 0 },
  ]);
});

test('an outage counts on each day that it touches, and one without an end up to now', () => {
  const outages = [
    { began: at('2026-11-21T23:50:00'), ended: at('2026-11-22T00:10:00') },
    { began: at('2026-11-22T12:00:00'), ended: at('2026-11-22T12:00:30') },
    { began: at('2026-11-23T05:59:00') },
  ];
  assert.deepEqual(
    railDays(0, outages, NOW, 3).map(({ down }) => down),
    [600, 630, 60],
  );
});

test('an outage before the first poll does not count', () => {
  const outages = [{ began: at('2026-11-22T00:00:00'), ended: at('2026-11-22T13:00:00') }];
  assert.deepEqual(railDays(at('2026-11-22T12:00:00'), outages, NOW, 2)[0], { day: '2026-11-22', watched: DAY / 2, down: 3600 });
});
