// The whole table of a withdrawal: what each event does in each state, and the posting of each step.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CAME_TO_NOTHING,
  WITHDRAWAL_TABLE,
  type Withdrawal,
  type WithdrawalStatus,
  hold,
  holdAndQueue,
  stepOf,
} from './withdrawal.ts';

const AT = new Date(0);
const ONE: Withdrawal = {
  ...{
    id: 'w',
    holderId: 'ann',
    source: 'wallet',
    unit: 'BTC',
    rail: 'bitcoin',
    currency: 'BTC',
    to: { address: 'x' },
    key: 'x',
  },
  ...{ parts: 900n, fee: 100n, usd: 1n, people: 1, approved: 0, status: 'approving', askedAt: AT, statusAt: AT },
  ...{ txid: undefined, confirmations: undefined, needed: undefined, reason: undefined, decidedBy: undefined },
};

const [WALLET, HELD, PAYOUT, FEES, HOT] = [
  'wallet:ann:BTC',
  'wallet:ann:BTC:held',
  'payout:w:BTC',
  'income:fee:BTC',
  'custody:BTC:hot',
];
const BACK = [`${PAYOUT} → ${WALLET} 900`, `${FEES} → ${WALLET} 100`];
const RELEASED = [`${HELD} → ${WALLET} 1000`];

/** State, event: the state after it, the journal's kind, and its legs. What isn't listed changes nothing. */
const ROWS: readonly (readonly [WithdrawalStatus, string, WithdrawalStatus, string?, (readonly string[])?])[] = [
  ['approving', 'approve', 'queued', 'withdrawal_queued', [`${HELD} → ${PAYOUT} 900`, `${HELD} → ${FEES} 100`]],
  ['approving', 'reject', 'rejected', 'withdrawal_cancelled', RELEASED],
  ['approving', 'cancel', 'cancelled', 'withdrawal_cancelled', RELEASED],
  ['approving', 'turn_down', 'rejected', 'withdrawal_cancelled', RELEASED],
  ['queued', 'cancel', 'cancelled', 'withdrawal_cancelled', BACK],
  ['queued', 'turn_down', 'rejected', 'withdrawal_cancelled', BACK],
  ['queued', 'kept', 'approving', 'withdrawal_kept', [`${PAYOUT} → ${HELD} 900`, `${FEES} → ${HELD} 100`]],
  ['queued', 'send', 'sending'],
  ['queued', 'refused', 'failed', 'withdrawal_cancelled', BACK],
  ['sending', 'accepted', 'sent', 'sent', [`${PAYOUT} → ${HOT} 900`]],
  ['sending', 'refused', 'failed', 'withdrawal_cancelled', BACK],
  ['sending', 'unknown', 'in_doubt'],
  ['in_doubt', 'found', 'sent', 'sent', [`${PAYOUT} → ${HOT} 900`]],
  ['in_doubt', 'accepted', 'sent', 'sent', [`${PAYOUT} → ${HOT} 900`]],
  ['in_doubt', 'absent', 'failed', 'withdrawal_cancelled', BACK],
  ['in_doubt', 'refused', 'failed', 'withdrawal_cancelled', BACK],
  ['in_doubt', 'resend', 'sending'],
  ['sent', 'final', 'done'],
  ['sent', 'returned', 'returned', 'returned', [`${HOT} → ${WALLET} 900`]],
  ['done', 'returned', 'returned', 'returned', [`${HOT} → ${WALLET} 900`]],
  ['failed', 'counted', 'done', 'found_late_settled', [`${WALLET} → receivable:ann:BTC 900`, `${WALLET} → ${FEES} 100`]],
  ['returned', 'counted', 'done', 'found_late_settled', [`${WALLET} → receivable:ann:BTC 900`]],
];

type Event = Parameters<typeof stepOf>[1];
const legsOf = (step: ReturnType<typeof stepOf>): string[] =>
  step?.journal?.legs.map(({ from, to, parts }) => `${from.name} → ${to.name} ${parts}`) ?? [];

test('each event does in each state what the table says, and nothing anywhere else', () => {
  const known = WITHDRAWAL_TABLE.rows.map(({ event }) => event);
  const events = [...new Set([...known, ...ROWS.map(([, event]) => event)])];
  for (const status of Object.keys(WITHDRAWAL_TABLE.states) as WithdrawalStatus[]) {
    for (const event of events) {
      const row = ROWS.find(([from, by]) => from === status && by === event);
      const step = stepOf({ ...ONE, status }, event as Event, 'j');
      const found = step && [status, event, step.next, step.journal?.kind, legsOf(step)];
      assert.deepEqual(found, row && [status, event, row[2], row[3], row[4] ?? []], `${status} ${event}`);
      if (step?.journal) assert.deepEqual([step.journal.id, step.journal.cause], ['j', 'w'], `${status} ${event}`);
    }
  }
});

test('what is asked is held with its fee; what passes by itself is queued in the same journal', () => {
  const asked = hold(ONE, 'j');
  assert.deepEqual(
    [asked.kind, asked.cause, legsOf({ next: 'approving', journal: asked })],
    ['withdrawal_asked', 'w', [`${WALLET} → ${HELD} 1000`]],
  );
  const queued = holdAndQueue(ONE, 'j');
  assert.deepEqual(
    [queued.kind, legsOf({ next: 'queued', journal: queued })],
    ['withdrawal_queued', [`${WALLET} → ${HELD} 1000`, `${HELD} → ${PAYOUT} 900`, `${HELD} → ${FEES} 100`]],
  );
});

test('without a fee nothing of one is posted; an affiliate’s rewards go back to where they came from', () => {
  const free = { ...ONE, fee: 0n, status: 'queued' } as const;
  assert.deepEqual(legsOf(stepOf(free, 'cancel', 'j')), [`${PAYOUT} → ${WALLET} 900`]);
  const rewards = { ...ONE, source: 'affiliate', status: 'sent' } as const;
  assert.deepEqual(legsOf(stepOf(rewards, 'returned', 'j')), [`${HOT} → affiliate:ann:available:BTC 900`]);
});

test('what came to nothing is failed, returned, cancelled or rejected', () => {
  assert.deepEqual([...CAME_TO_NOTHING].sort(), ['cancelled', 'failed', 'rejected', 'returned']);
});

test('what came back is the holder’s, and what its rail kept on the way the desk’s; nothing moves where nothing came', () => {
  const sent = { ...ONE, status: 'sent' } as const;
  const back = (came: bigint, lost: bigint): string[] => legsOf(stepOf(sent, 'returned', 'j', { came, lost }));
  assert.deepEqual(back(897n, 3n), [`${HOT} → ${WALLET} 897`, `spent:rail:BTC → ${WALLET} 3`]);
  assert.deepEqual(back(897n, 0n), [`${HOT} → ${WALLET} 897`]);
  assert.deepEqual(back(0n, 900n), [`spent:rail:BTC → ${WALLET} 900`]);
});
