import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAYOUT_MACHINE, type PayoutStatus, type PayoutStep, moved, nextStatus } from './payout-machine.ts';

const STATES = Object.keys(PAYOUT_MACHINE.states) as PayoutStatus[];
const STEPS = [...new Set(PAYOUT_MACHINE.rows.map(({ event }) => event))];
/** Statuses in which bytes may be out: nothing here may go back to its owner without proof or two people. */
const PERHAPS_OUT: readonly PayoutStatus[] = ['sending', 'in_doubt'];

test('each step leads from a state to one state at most', () => {
  for (const row of PAYOUT_MACHINE.rows) assert.equal(row.next.length, 1, row.event);
  const pairs = PAYOUT_MACHINE.rows.flatMap(({ from, event }) => from.map((state) => `${state} ${event}`));
  assert.equal(new Set(pairs).size, pairs.length);
});

test('a payout that may be out ends as not sent only by a definite refusal, by proof or by two people', () => {
  const ends = STATES.flatMap((state) =>
    STEPS.filter(
      (step) => PERHAPS_OUT.includes(state) && ['failed', 'stopped', 'queued'].includes(nextStatus(state, step) ?? ''),
    ),
  );
  assert.deepEqual(ends.toSorted(), ['absent', 'refused', 'resolve_not_sent'] satisfies PayoutStep[]);
});

test('only a payout that was never signed can be stopped, and only a stopped one is requested again', () => {
  const stoppable = STATES.filter((state) => nextStatus(state, 'stop') === 'stopped' || nextStatus(state, 'kept') === 'stopped');
  assert.deepEqual(stoppable, ['queued', 'preparing']);
  assert.deepEqual(
    STATES.filter((state) => nextStatus(state, 'ask_again') !== undefined),
    ['stopped'],
  );
});

test('a step that a state does not take is a fault of the code', () => {
  assert.throws(() => moved({ status: 'final' }, 'resend'), /A payout that is final does not take resend/);
});
