// Tests when a rail with less than the books stops promises: at each limit, and one unit beside it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DifferenceBounds, type Checked, isShort, offSince, takesTwoToBook } from './lasting-difference.ts';
import type { Values } from '../rails/values.ts';

/** 50 USD and 0.5 %; a comparison is valid for ten minutes. A part is a cent. */
const BOUNDS: DifferenceBounds = { usd: 5_000n, permyriad: 50n, staleMs: 600_000 };
const cents: Values['usd'] = ({ parts }) => parts;
const unknown: Values['usd'] = () => null;
const at = (minutes: number): Date => new Date(minutes * 60_000);

for (const [books, parts, short, why] of [
  [100_000n, -5_001n, true, 'above 50 USD and 0.5 %'],
  [100_000n, -5_000n, false, '50 USD are not more than that'],
  [1_100_000n, -5_500n, false, '0.5 % are not more than that'],
  [1_100_000n, -5_501n, true, 'a cent more is'],
  [10_000_000n, -49_999n, false, 'many dollars, and less than the share'],
  [1_000n, -900n, false, 'most of it, and less than 50 USD'],
  [100_000n, 90_000n, false, 'the rail has more'],
  [0n, -5_001n, true, 'nothing in the books'],
] as const) {
  test(`${parts} of ${books}: ${why}`, () => {
    assert.equal(isShort({ unit: 'USDT', books, parts }, BOUNDS, cents), short);
  });
}

test('a shortfall without a price counts by its share of the books alone', () => {
  assert.equal(isShort({ unit: 'USDT', books: 1_000n, parts: -6n }, BOUNDS, unknown), true);
  assert.equal(isShort({ unit: 'USDT', books: 1_000n, parts: -5n }, BOUNDS, unknown), false);
});

test('a place is off since its first shortfall, until both agree', () => {
  const checked = (parts: bigint, minute: number): Checked => ({ unit: 'USDT', books: 100_000n, parts, at: at(minute) });
  assert.deepEqual(offSince(checked(-6_000n, 3), undefined, at(3), BOUNDS, cents), at(3));
  assert.deepEqual(offSince(checked(-6_000n, 5), at(3), at(5), BOUNDS, cents), at(3));
  assert.equal(offSince(checked(0n, 6), at(3), at(6), BOUNDS, cents), undefined);
});

test('a comparison that is too old counts as a difference, since the time it was made', () => {
  const checked: Checked = { unit: 'USDT', books: 100_000n, parts: 0n, at: at(1) };
  assert.equal(offSince(checked, undefined, at(11), BOUNDS, cents), undefined, 'ten minutes are not too old');
  assert.deepEqual(offSince(checked, undefined, new Date(at(11).getTime() + 1), BOUNDS, cents), at(1));
});

test('two people book a difference, in either direction, that would stop promises, or has no known price', () => {
  const requested = (parts: bigint, usd = cents): boolean => takesTwoToBook('USDT', parts, { usd });
  assert.deepEqual(
    [5_000n, -5_000n, 5_001n, -5_001n].map((parts) => requested(parts)),
    [false, false, true, true],
  );
  assert.equal(requested(1n, unknown), true);
});
