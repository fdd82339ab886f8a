import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Alarm, type Found, PATIENCE_SECONDS, decide, kindsOf } from './alarm.ts';

const START = Date.parse('2026-11-25T12:00:00Z');
const RAIL: Found = { key: 'rail evm', kind: 'rail', words: 'evm does not answer' };

/** Runs checks at some seconds with their findings. Returns the messages as `second telling key`. */
function noticesOf(polls: readonly (readonly [second: number, found: readonly Found[]])[], remindHours = 6): string[] {
  let known: readonly Alarm[] = [];
  return polls.flatMap(([second, found]) => {
    const { store, forget, reported: events } = decide(known, found, new Date(START + second * 1_000), remindHours);
    assert.ok(forget.every((key) => !store.some((alarm) => alarm.key === key)));
    known = store;
    return events.map(({ notice, alarm }) => `${second} ${notice} ${alarm.key}`);
  });
}

test('an alarm is notified once, repeated as a reminder, and reported as over', () => {
  assert.deepEqual(
    noticesOf([
      [0, [RAIL]],
      [119, [RAIL]],
      [120, [RAIL]],
      [180, [RAIL]],
      [120 + 6 * 3_600 - 1, [RAIL]],
      [120 + 6 * 3_600, [RAIL]],
      [30_000, []],
      [30_059, []],
      [30_060, []],
      [40_000, []],
    ]),
    ['120 raised rail evm', '21720 reminder rail evm', '30060 over rail evm'],
  );
});

test('a short problem is not notified, and a flapping one is a single alarm', () => {
  assert.deepEqual(
    noticesOf([
      [0, [RAIL]],
      [60, []],
      [70, [RAIL]],
      [189, [RAIL]],
    ]),
    [],
  );
  const flaps = Array.from({ length: 20 }, (_, at) => [at * 30, at % 2 === 0 || at < 6 ? [RAIL] : []] as const);
  assert.deepEqual(noticesOf(flaps), ['120 raised rail evm']);
});

test('whatever comes and goes, each alarm is raised before it is over, and over before it is raised again', () => {
  const kinds = ['disk', 'rail', 'rates'] as const;
  const polls = fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.subarray([...kinds])), { maxLength: 80 });
  fc.assert(
    fc.property(polls, (steps) => {
      let second = 0;
      const reported = noticesOf(
        steps.map(([pause, found]) => {
          second += pause;
          return [second, found.map((kind) => ({ key: kind, kind, words: kind }))] as const;
        }),
      );
      for (const kind of kinds) {
        const own = reported.filter((line) => line.endsWith(` ${kind}`)).map((line) => line.split(' ')[1]);
        own.forEach((notice, at) => {
          const isOn = own.slice(0, at).findLast((each) => each !== 'reminder') === 'raised';
          assert.equal(notice === 'raised', !isOn, `${kind}: ${own.join()}`);
        });
      }
    }),
  );
  assert.equal(Math.min(...Object.values(PATIENCE_SECONDS)), 0);
});

test('every kind of alarm is covered by the check that finds it', () => {
  const polled = (['worker', 'certificate', 'api', 'database'] as const).flatMap(kindsOf);
  assert.deepEqual([...new Set(polled)].toSorted(), Object.keys(PATIENCE_SECONDS).toSorted());
});

test('docs/operations.md explains every alarm', () => {
  const text = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const reported = new Set(
    [...text.matchAll(/^\| `(\w+)[^`]*`(?:, `[^`]*`)* \|/gm)].map(([, kind]) => (kind === 'log' ? 'logged' : kind)),
  );
  assert.deepEqual([...reported].toSorted(), Object.keys(PATIENCE_SECONDS).toSorted());
});
