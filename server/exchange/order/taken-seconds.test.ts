import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takenSeconds } from './taken-seconds.ts';

const START = Date.UTC(2026, 10, 26);
type Step = readonly [minutes: number, event: string, to: string];
const taken = (steps: readonly Step[], isReversible = false): number | null =>
  takenSeconds(
    steps.map(([minutes, event, to]) => ({ at: new Date(START + minutes * 60_000), event, to })),
    { isReversible },
  );

const PAID: readonly Step[] = [[0, 'placed', 'awaiting'], [1, 'payin_seen', 'seen'], [10, 'payin_final', 'queued']]; // prettier-ignore
const SENT: readonly Step[] = [[14, 'send', 'sending'], [15, 'accepted', 'sent'], [30, 'transfer_final', 'completed']]; // prettier-ignore

test('the clock runs from the payment’s finality until the payout is handed to its rail', () => {
  assert.equal(taken([...PAID, ...SENT]), 5 * 60);
  assert.equal(taken([...PAID, [11, 'progress', 'queued'], ...SENT]), 5 * 60, 'what changes no state changes nothing');
  assert.equal(taken(PAID.slice(0, 2)), null, 'nothing was paid yet');
});

test('it stands still while the customer chooses or compliance looks, and runs in approvals, doubts and while the float is empty', () => {
  const paid = PAID.slice(0, 2);
  assert.equal(taken([...paid, [3, 'payin_final', 'choosing'], [10, 'choose_continue', 'queued'], ...SENT]), 5 * 60);
  assert.equal(taken([...paid, [3, 'payin_final', 'holding'], [10, 'release', 'queued'], ...SENT]), 5 * 60);
  const approved: readonly Step[] = [...paid, [3, 'payin_final', 'approving'], [10, 'approve', 'queued'], ...SENT];
  assert.deepEqual([taken(approved), taken(approved, true)], [12 * 60, 5 * 60], 'but not in a clearing period');
  const refused: readonly Step[] = [...PAID, [11, 'send', 'sending'], [12, 'refused', 'payout_failed']];
  const again: readonly Step[] = [
    [22, 'send', 'sending'],
    [23, 'unknown', 'in_doubt'],
    [25, 'found', 'sent'],
  ];
  assert.equal(taken([...refused, [20, 'retry', 'queued'], ...again]), 15 * 60);
  assert.equal(taken([...refused, [20, 'new_account', 'queued'], ...again]), 7 * 60, 'a wait for another account is not ours');
});
