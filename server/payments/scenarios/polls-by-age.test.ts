// Tests how often addresses are polled as they grow older: the lasting cost of 820 orders a day.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pauseByAge } from '../polls/pause-by-age.ts';

const DAY_MS = 86_400_000;
const ORDERS_A_DAY = 820;
const CALLS_AN_ADDRESS = 3;
const CALLS_A_SECOND = 20;

const taken = new Date(0);
const place = { closeUntil: new Date(30 * 60_000), liveUntil: new Date(90 * DAY_MS) };

/** Returns the times of an address's polls after close polling has ended, in ms. */
function polls(until: number): number[] {
  const at: number[] = [];
  for (let now = place.closeUntil.getTime(); now < until; now += pauseByAge(new Date(now), place)) at.push(now);
  return at;
}

test('old addresses of 820 orders a day need less than half of 20 calls a second', () => {
  // There are as many addresses of each age as orders a day, so all of them together need in a day what one needs in its life.
  const perSecond = (polls(place.liveUntil.getTime()).length * ORDERS_A_DAY * CALLS_AN_ADDRESS) / 86_400;
  assert.ok(perSecond < CALLS_A_SECOND / 2, `${perSecond.toFixed(1)} calls a second`);
});

test('a payment to an old address is found within a day; soon after the order’s end within minutes', () => {
  const at = polls(89 * DAY_MS);
  const longest = (from: number, to: number): number =>
    Math.max(...at.flatMap((one, index) => (one >= from && one < to ? (at[index + 1] ?? one) - one : [])));
  assert.ok(longest(taken.getTime(), 3 * 3_600_000) <= 5 * 60_000);
  assert.ok(longest(0, 2 * DAY_MS) <= 3_600_000);
  assert.ok(longest(0, 89 * DAY_MS) <= DAY_MS);
});
