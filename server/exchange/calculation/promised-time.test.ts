import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { promisedOf } from './promised-time.ts';

const RULE = { minimumMinutes: 10, slackMinutes: 2, slackPercent: 20 } as const;

test('the promise is the orders’ duration, at least the minimum, plus the larger slack, rounded up to minutes', () => {
  const minutes = (taken: number | undefined): number => promisedOf(taken, RULE) / 60;
  assert.deepEqual(
    [undefined, 0, 599, 600, 601, 660, 1_200, 1_201, 3_600].map(minutes),
    [12, 12, 12, 12, 13, 14, 24, 25, 72],
    'ten minutes and two; from there on a fifth more',
  );
  assert.equal(promisedOf(90, { minimumMinutes: 1, slackMinutes: 0, slackPercent: 0 }), 120);
});

test('it never promises less than duration and slack, nor a minute more', () => {
  fc.assert(
    fc.property(
      fc.record({
        taken: fc.nat({ max: 1_000_000 }),
        minimumMinutes: fc.nat({ max: 1_440 }),
        slackMinutes: fc.nat({ max: 99 }),
        slackPercent: fc.nat({ max: 300 }),
      }),
      ({ taken, ...rule }) => {
        const base = Math.max(taken, rule.minimumMinutes * 60);
        const exact = base + Math.max(rule.slackMinutes * 60, (base * rule.slackPercent) / 100);
        const promised = promisedOf(taken, rule);
        assert.ok(promised % 60 === 0 && promised >= exact - 1e-6 && promised < exact + 60);
      },
    ),
  );
});
