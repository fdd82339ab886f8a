// The whole table of a withdrawal: the effect of each event in each state, and the posting of each step.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payoutsShownAs, shownStatus } from './shown-status.ts';
import {
  CAME_TO_NOTHING,
  WITHDRAWAL_TABLE,
  type Withdrawal,
  type WithdrawalStatus,
  booksOf,
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
  ...{ parts: 900n, fee: 100n, usd: 1n, people: 1, approved: 0, status: 'approving', requestedAt: AT, statusAt: AT },
  ...{ payout: undefined, txid: undefined, confirmations: undefined, needed: undefined, reason: undefined, decidedBy: undefined },
};

const [WALLET, HELD, PAYOUT, FEES] = ['wallet:ann:BTC', 'wallet:ann:BTC:held', 'payout:w:BTC', 'income:fee:BTC'];
const BACK = [`${PAYOUT} → ${WALLET} 900`, `${FEES} → ${WALLET} 100`];
const RELEASED = [`${HELD} → ${WALLET} 1000`];

/** State, event, next state, journal kind and legs. Combinations that aren't listed change nothing. */
const ROWS: readonly (readonly [WithdrawalStatus, string, WithdrawalStatus, string?, (readonly string[])?])[] = [
  ['approving', 'approve', 'paying', 'withdrawal_queued', [`${HELD} → ${PAYOUT} 900`, `${HELD} → ${FEES} 100`]],
  ['approving', 'reject', 'rejected', 'withdrawal_cancelled', RELEASED],
  ['approving', 'cancel', 'cancelled', 'withdrawal_cancelled', RELEASED],
  ['approving', 'turn_down', 'rejected', 'withdrawal_cancelled', RELEASED],
  ['paying', 'cancel', 'cancelled', 'withdrawal_cancelled', BACK],
  ['paying', 'turn_down', 'rejected', 'withdrawal_cancelled', BACK],
  ['paying', 'kept', 'approving', 'withdrawal_kept', [`${PAYOUT} → ${HELD} 900`, `${FEES} → ${HELD} 100`]],
  ['paying', 'refused', 'failed'],
  ['paying', 'absent', 'failed'],
  ['paying', 'final', 'done'],
  ['paying', 'returned', 'returned'],
  ['done', 'returned', 'returned'],
  ['failed', 'counted', 'done', 'found_late_settled', [`${WALLET} → receivable:ann:BTC 900`, `${WALLET} → ${FEES} 100`]],
  ['returned', 'counted', 'done', 'found_late_settled', [`${WALLET} → receivable:ann:BTC 900`]],
];

type Event = Parameters<typeof stepOf>[1];
const legsOf = (step: ReturnType<typeof stepOf>): string[] =>
  step?.journal?.legs.map(({ from, to, parts }) => `${from.name} → ${to.name} ${parts}`) ?? [];

test('each event has the listed effect in each state, and no other', () => {
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

test('a requested sum is held with its fee; without approval it is queued in the same journal', () => {
  const request = hold(ONE, 'j');
  assert.deepEqual(
    [request.kind, request.cause, legsOf({ next: 'approving', journal: request })],
    ['withdrawal_asked', 'w', [`${WALLET} → ${HELD} 1000`]],
  );
  const queued = holdAndQueue(ONE, 'j');
  assert.deepEqual(
    [queued.kind, legsOf({ next: 'paying', journal: queued })],
    ['withdrawal_queued', [`${WALLET} → ${HELD} 1000`, `${HELD} → ${PAYOUT} 900`, `${HELD} → ${FEES} 100`]],
  );
});

test('without a fee none is posted; an affiliate’s rewards return to the affiliate’s account', () => {
  const free = { ...ONE, fee: 0n, status: 'paying' } as const;
  assert.deepEqual(legsOf(stepOf(free, 'cancel', 'j')), [`${PAYOUT} → ${WALLET} 900`]);
  assert.equal(booksOf({ ...ONE, source: 'affiliate' }).back.name, 'affiliate:ann:available:BTC');
});

test('the unsuccessful statuses are failed, returned, cancelled and rejected', () => {
  assert.deepEqual([...CAME_TO_NOTHING].sort(), ['cancelled', 'failed', 'rejected', 'returned']);
});

test('payments posts money that returns to its source, with the fee if nothing was sent', () => {
  const { cause, back, fee, kinds } = booksOf(ONE);
  assert.deepEqual([cause, back.name, fee], ['w', WALLET, 100n]);
  assert.deepEqual(kinds, { sent: 'sent', notSent: 'withdrawal_cancelled', returned: 'returned' });
});

test('while it is being paid, the status of its payout is shown', () => {
  const shown = (payout: Withdrawal['payout'], status: WithdrawalStatus = 'paying'): string => shownStatus({ status, payout });
  assert.deepEqual(
    (['queued', 'preparing', 'stopped', 'sending', 'failed', 'in_doubt', 'sent', 'final'] as const).map((one) => shown(one)),
    ['queued', 'queued', 'queued', 'sending', 'sending', 'in_doubt', 'sent', 'sent'],
  );
  assert.deepEqual([shown(undefined), shown('final', 'done'), shown('stopped', 'approving')], ['queued', 'done', 'approving']);
  assert.deepEqual(payoutsShownAs(['queued', 'sent', 'done']), ['queued', 'preparing', 'stopped', 'sent', 'final']);
});
