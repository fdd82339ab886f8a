// How often addresses are looked at as they grow older: what 820 orders a day cost for good.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pauseByAge } from '../looks/pause-by-age.ts';

const DAY_MS = 86_400_000;
const ORDERS_A_DAY = 820;
const CALLS_AN_ADDRESS = 3;
const CALLS_A_SECOND = 20;

const taken = new Date(0);
const place = { closeUntil: new Date(30 * 60_000), liveUntil: new Date(90 * DAY_MS) };

/** The moments at which an address is looked at from when it isn't looked at closely any more, in milliseconds. */
function looks(until: number): number[] {
  const at: number[] = [];
  for (let now = place.closeUntil.getTime(); now < until; now += pauseByAge(new Date(now), place)) at.push(now);
  return at;
}

test('old addresses of 820 orders a day take less than half of 20 calls a second', () => {
  // As many addresses of each age as there are days: what one takes in its life is what all of them take in a day.
  const perSecond = (looks(place.liveUntil.getTime()).length * ORDERS_A_DAY * CALLS_AN_ADDRESS) / 86_400;
  assert.ok(perSecond < CALLS_A_SECOND / 2, `${perSecond.toFixed(1)} calls a second`);
});

test('a payment to an old address is found within a day, soon after the order was over within minutes', () => {
  const at = looks(89 * DAY_MS);
  const longest = (from: number, to: number): number =>
    Math.max(...at.flatMap((one, index) => (one >= from && one < to ? (at[index + 1] ?? one) - one : [])));
  assert.ok(longest(taken.getTime(), 3 * 3_600_000) <= 5 * 60_000);
  assert.ok(longest(0, 2 * DAY_MS) <= 3_600_000);
  assert.ok(longest(0, 89 * DAY_MS) <= DAY_MS);
});
