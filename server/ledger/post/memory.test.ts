import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { callsOf, uuidOf } from './journals.testing.ts';
import { accounts } from '../chart/chart.ts';
import { type Journal, type Leg, leg } from '../chart/journal.ts';
import { openMemory } from './memory.ts';

const U = 'USDT';
const hot = accounts.custody('USDT_ERC20', 'hot', U);
const free = accounts.deskFree(U);
const wallet = accounts.wallet('u', U);
let next = 0;
const journal = (...legs: Leg[]): Journal => ({ id: uuidOf('0', (next += 1)), kind: 'transfer', cause: uuidOf('0', 0), legs });

describe('the ledger in memory', () => {
  test('posts, shows held money positive, and refuses what a bound forbids, naming the leg', () => {
    const books = openMemory();
    assert.deepEqual(books.post([journal(leg(hot, free, 100n)), journal(leg(free, wallet, 40n))]), [
      { status: 'posted' },
      { status: 'posted' },
    ]);
    assert.deepEqual([books.balance(hot), books.balance(free), books.balance(wallet)], [100n, 60n, 40n]);
    assert.deepEqual(books.post([journal(leg(hot, free, 1n), leg(wallet, free, 41n))]), [{ status: 'floor', leg: 1 }]);
    assert.deepEqual(books.post([journal(leg(wallet, free, 40n), leg(free, hot, 101n))]), [{ status: 'floor', leg: 1 }]);
    const income = accounts.income('fee', U);
    assert.deepEqual(books.post([journal(leg(income, hot, 101n))]), [{ status: 'ceiling', leg: 0 }]);
    assert.deepEqual([books.balance(hot), books.balance(free), books.balance(wallet)], [100n, 60n, 40n]);
  });

  test('checks bounds after the whole journal, not after each leg', () => {
    const books = openMemory();
    assert.deepEqual(books.post([journal(leg(wallet, free, 5n), leg(hot, wallet, 5n))]), [{ status: 'posted' }]);
  });

  test('a refused journal does not affect the next one of the same call', () => {
    const books = openMemory();
    const statuses = books.post([journal(leg(free, wallet, 1n)), journal(leg(hot, free, 1n)), journal(leg(free, wallet, 1n))]);
    assert.deepEqual(
      statuses.map(({ status }) => status),
      ['floor', 'posted', 'posted'],
    );
  });

  test('a known id is replayed with the same content, a conflict with any other; a refused journal may be posted again', () => {
    const books = openMemory();
    const one = { ...journal(leg(free, wallet, 7n)), prices: { [U]: '1.50' } };
    assert.deepEqual(books.post([one]), [{ status: 'floor', leg: 0 }]);
    books.post([journal(leg(hot, free, 100n))]);
    assert.deepEqual(books.post([one]), [{ status: 'posted' }]);
    assert.deepEqual(books.post([{ ...one, prices: { [U]: '1.5' } }]), [{ status: 'replayed' }]);
    const others: Journal[] = [
      { ...one, kind: 'deposit' },
      { ...one, cause: uuidOf('0', 999) },
      { ...one, legs: [leg(free, wallet, 8n)] },
      { ...one, legs: [leg(wallet, free, 7n)] },
      { ...one, legs: [...one.legs, ...one.legs] },
      { ...one, prices: { [U]: '1.6' } },
      { ...one, prices: {} },
    ];
    for (const other of others) assert.deepEqual(books.post([other]), [{ status: 'conflict' }]);
    assert.equal(books.balance(wallet), 7n);
  });

  test('throws if one call has the same id twice', () => {
    const one = journal(leg(hot, free, 1n));
    assert.throws(() => openMemory().post([one, one]), RangeError);
  });

  test('a copy is independent of its original', () => {
    const books = openMemory();
    const one = journal(leg(hot, free, 1n));
    const copy = books.clone();
    books.post([one]);
    assert.deepEqual([books.balance(free), copy.balance(free)], [1n, 0n]);
    assert.deepEqual(copy.post([one]), [{ status: 'posted' }]);
  });

  test('for any journals, each unit sums to zero and no account leaves its bounds', () => {
    fc.assert(
      fc.property(callsOf('1', 12), (calls) => {
        const books = openMemory();
        for (const call of calls) {
          books.post(call);
          const sums = new Map<string, bigint>();
          for (const { ref, stored } of books.accounts()) {
            sums.set(ref.unit, (sums.get(ref.unit) ?? 0n) + stored);
            assert.ok(ref.floor === null || stored >= ref.floor);
            assert.ok(ref.ceiling === null || stored <= ref.ceiling);
          }
          for (const sum of sums.values()) assert.equal(sum, 0n);
        }
      }),
    );
  });
});
