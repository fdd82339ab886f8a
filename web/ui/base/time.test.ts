import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeClock, writeDeadline, writeRemaining, writeTime } from './time.ts';

const TIME = '2026-11-20T14:05:09.300Z';

test('times name their zone and read as each language does', () => {
  assert.equal(writeTime(TIME, 'en'), 'Nov\u00a020, 2026, 14:05\u00a0UTC');
  assert.equal(writeTime(TIME, 'ru'), '20\u00a0нояб.\u00a02026, 14:05\u00a0UTC');
  assert.equal(writeClock(TIME), '14:05');
  assert.equal(writeClock(TIME, true), '14:05:09');
});

test('a deadline today is a clock time, a later one has its date', () => {
  assert.equal(writeDeadline(TIME, Date.parse('2026-11-20T01:00:00Z'), 'en'), '14:05\u00a0UTC');
  assert.equal(writeDeadline(TIME, Date.parse('2026-11-19T23:00:00Z'), 'en'), 'Nov\u00a020, 2026, 14:05\u00a0UTC');
});

test('the remaining time counts down to zero and stays there', () => {
  assert.equal(writeRemaining(161_900), '2:41');
  assert.equal(writeRemaining(3_722_000), '1:02:02');
  assert.equal(writeRemaining(999), '0:00');
  assert.equal(writeRemaining(-5000), '0:00');
});
