import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Costs } from './costs.ts';

const JOURNEY = 'e2e/site/some.together.journey.ts';

test('ten seconds of a core are allowed for a file and for a test of a journey, a minute for all of it, at the pace of the run', () => {
  const costs = new Costs();
  costs.note({ costOf: 'server/quick.test.ts', coreMs: 10_000 });
  costs.note({ costOf: 'server/slow.test.ts', coreMs: 12_000 });
  costs.note({ costOf: 'server/slow.test.ts', coreMs: 9_000 });
  costs.note({ costOf: JOURNEY, test: 'a way', coreMs: 10_001 });
  costs.note({ costOf: JOURNEY, test: 'another', coreMs: 10_000 });
  costs.note({ costOf: JOURNEY, coreMs: 70_000 });
  const told = (slower: number) => costs.excesses(slower).map(({ words, fails }) => [words.split(' had ')[0], fails]);
  assert.deepEqual(told(1), [
    ['server/slow.test.ts', true],
    [JOURNEY, false],
    [`${JOURNEY} › a way`, false],
  ]);
  assert.deepEqual(told(1.5), [['server/slow.test.ts', false]]);
  costs.forget(JOURNEY);
  assert.deepEqual(told(1), [['server/slow.test.ts', true]]);
});

test('the dearest files are told with the whole', () => {
  const costs = new Costs();
  assert.equal(costs.summary(5, 1), undefined);
  costs.note({ costOf: '', coreMs: 500 });
  costs.note({ costOf: 'a.test.ts', coreMs: 1_000 });
  costs.note({ costOf: JOURNEY, coreMs: 2_000 });
  assert.equal(
    costs.summary(4_000, 2),
    `a core was used for 4.0 s, at 0.50 of the usual pace: 3.0 s in test files, 0.5 s in loading them; the dearest\n  2.0 s ${JOURNEY}\n  1.0 s a.test.ts`,
  );
});
