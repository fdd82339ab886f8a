import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accounts } from './chart.ts';
import { type Journal, KINDS, assertJournal, kindOf, leg } from './journal.ts';

const wallet = accounts.wallet('a', 'USDT');
const other = accounts.wallet('b', 'USDT');
const good: Journal = {
  id: '01a1f909-9f73-72cd-9333-fc698c7cc930',
  kind: 'transfer',
  cause: '01a1f909-9f73-72cd-9333-fc698c7cc931',
  legs: [leg(wallet, other, 1n)],
  prices: { USDT: '0.9998' },
};

test('codes of kinds are different, fit a smallint and lead back to their names', () => {
  const codes = Object.values(KINDS);
  assert.equal(new Set(codes).size, codes.length);
  for (const [kind, code] of Object.entries(KINDS)) {
    assert.ok(code > 0 && code < 2 ** 15);
    assert.equal(kindOf(code), kind);
  }
  assert.throws(() => kindOf(9_999));
});

test('a leg moves something, within one unit, between two accounts', () => {
  assert.throws(() => leg(wallet, other, 0n), RangeError);
  assert.throws(() => leg(wallet, other, -1n), RangeError);
  assert.throws(() => leg(wallet, other, 10n ** 38n), RangeError);
  assert.throws(() => leg(wallet, wallet, 1n), RangeError);
  // @ts-expect-error the compiler refuses two units, too
  assert.throws(() => leg(wallet, accounts.wallet('b', 'BTC'), 1n), RangeError);
  assert.equal(leg(wallet, other, 10n ** 38n - 1n).parts, 10n ** 38n - 1n);
});

test('a journal that no caller may make is refused', () => {
  assertJournal(good);
  const bad: [string, Partial<Record<keyof Journal, unknown>>][] = [
    ['id', { id: 'x' }],
    ['upper-case id', { id: good.id.toUpperCase() }],
    ['cause', { cause: '' }],
    ['kind', { kind: 'gift' }],
    ['inherited kind', { kind: 'toString' }],
    ['no legs', { legs: [] }],
    ['too many legs', { legs: Array.from({ length: 1_001 }, () => good.legs[0]) }],
    ['name', { legs: [{ from: { ...wallet, name: 'a,b' }, to: other, parts: 1n }] }],
    ['exponent in a price', { prices: { USDT: '1e3' } }],
    ['negative price', { prices: { USDT: '-1' } }],
    ['19 digits behind the point', { prices: { USDT: '1.0000000000000000001' } }],
  ];
  for (const [what, change] of bad) assert.throws(() => assertJournal({ ...good, ...change } as Journal), RangeError, what);
});
