// Conditions of each guard of the order machine, except limits (scenarios/bounds.test.ts): one row for each condition that an
// order must or must not meet.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseRate } from '@kurs/money';
import { TERMS } from '../exploration/order-terms.testing.ts';
import type { Context, OrderEvent, Refusal } from '../order/events/events.ts';
import { createMachine, eventsIn, actorOf } from './machine.ts';
import {
  ACCOUNT,
  CONTEXT,
  DAY,
  EXCHANGED,
  NOW,
  START,
  next,
  orderIn,
  payment,
  refusedOf,
  withOffer,
  withoutRefund,
} from './machine.testing.ts';
import { isUnneeded } from '../order/money/payment-coverage.ts';
import type { Facts, OrderView, Positions } from '../order/order.ts';
import { GUARDS } from './guards.ts';
import { ROWS, type OrderTransition } from './rows.ts';
import type { Step } from './step-helpers.ts';
import { STEPS } from './steps.ts';

type Case = readonly [what: string, order: OrderView, event: OrderEvent, answer?: Refusal | 'taken', context?: Partial<Context>];

const exchange = EXCHANGED;
const fresh = { isLate: false } as const;
const LOCK_OVER = { now: new Date(900_000) };
const later = { now: new Date(9 * DAY) };
const payout = { intent: 'i', kind: 'payout', parts: 18n, cost: 0n } as const;
const give = { ...ACCOUNT, side: 'give' } as const;
const get = { ...ACCOUNT, side: 'get' } as const;

const failed = (facts: Partial<Facts> = {}, positions: Partial<Positions> = {}): OrderView =>
  orderIn('undelivered', { out: 18n, ...positions }, { exchange, isTransient: true, tries: 1, ...facts });
const failedRefund = (facts: Partial<Facts> = {}, positions: Partial<Positions> = {}): OrderView =>
  orderIn('undelivered', { in: 20n, ...positions }, { isTransient: true, tries: 1, ...facts });
const choosing = (facts: Partial<Facts> = {}, positions: Partial<Positions> = {}): OrderView =>
  orderIn('choosing', { in: 20n, ...positions }, facts);
const approving = (approval?: Facts['approval']): OrderView =>
  orderIn('approving', { out: 18n }, { exchange, ...(approval && { approval }) });
const unallocated = orderIn('choosing', { in: 20n }, {}, [payment('final')], 'unallocated');
const uses = [{ id: 'use', coupon: 'c', code: 'coupon', held: 9n, isFunded: false }] as const;
const worth = { ...TERMS, rewardMid: parseRate('USD', 'USDT', '1') };
/** An order with an offer that includes a coupon, whose use became free when the order was late. */
const couponed = ((order: OrderView) => ({ ...order, pinned: { ...order.pinned, coupons: uses } }))(
  withOffer(choosing({ hasEndedCoupons: true }), { terms: worth }),
);
const seen = { ...payment('seen'), id: 'q' };
const short = orderIn('choosing', { in: 16n }, fresh, [payment('final', 16n)]);
const found = { isFoundLate: true } as const;

const CASES: Readonly<Record<string, readonly Case[]>> = {
  'its rate': [
    [
      'one of two payments may still be confirmed in time',
      orderIn('seen', {}, fresh, [payment('seen'), { ...seen, firstConfirmedAt: START }]),
      { type: 'window_over' },
      'not_due',
      later,
    ],
    [
      'neither may be confirmed in time any more',
      orderIn('seen', {}, fresh, [payment('seen'), seen]),
      { type: 'window_over' },
      'taken',
      later,
    ],
    [
      'late already, with something in',
      orderIn('seen', { in: 5n }, {}, [payment('seen')]),
      { type: 'window_over' },
      'taken',
      later,
    ],
    [
      'enough, and nothing to promise it from',
      short,
      { type: 'rate_over' },
      'taken',
      { ...LOCK_OVER, free: { get: 0n, give: 0n } },
    ],
    ['enough, with free money to promise it', short, { type: 'rate_over' }, 'not_due', LOCK_OVER],
    ['not late: the current rate is not considered', choosing(fresh), { type: 'go_on_better' }, 'not_due'],
    ['an unallocated payment has no locked rate', unallocated, { type: 'go_on_better' }, 'not_due'],
    ['late and too little', orderIn('choosing', { in: 15n }, {}, [payment('final', 15n)]), { type: 'go_on_better' }, 'not_due'],
    ['no current rate', choosing(), { type: 'go_on_better' }, 'not_due', { market: undefined }],
  ],
  'what it was offered': [
    ['nothing', choosing(), { type: 'choose_continue', offer: 1 }, 'choice_not_open'],
    ['something else', withOffer(choosing(), { choice: 'new_order' }), { type: 'choose_continue', offer: 1 }, 'choice_not_open'],
    ['with a coupon whose use was taken meanwhile', couponed, { type: 'choose_continue', offer: 1 }, 'offer_expired'],
    [
      'with a coupon whose use is free again',
      couponed,
      { type: 'choose_continue', offer: 1 },
      'taken',
      { again: new Set(['use']) },
    ],
    [
      'with a coupon whose use is still its own',
      { ...couponed, facts: withOffer(choosing(), { terms: worth }).facts },
      { type: 'choose_continue', offer: 1 },
    ],
    ['another number', withOffer(choosing()), { type: 'choose_continue', offer: 2 }, 'offer_expired'],
    [
      'an unallocated payment does not go on',
      withOffer(unallocated, { choice: 'continue' }),
      { type: 'choose_continue', offer: 1 },
      'choice_not_open',
    ],
    [
      'nothing is there any more',
      { ...withOffer(choosing()), positions: { ...unallocated.positions, in: 0n } },
      { type: 'choose_continue', offer: 1 },
      'choice_not_open',
    ],
    [
      'a new order for more than is there',
      { ...withOffer(unallocated), positions: { ...unallocated.positions, in: 19n } },
      { type: 'choose_new_order', offer: 1 },
      'choice_not_open',
    ],
    ['a new order for the available money', withOffer(unallocated), { type: 'choose_new_order', offer: 1 }],
    [
      'a new order after the offer’s time',
      withOffer(unallocated),
      { type: 'choose_new_order', offer: 1 },
      'offer_expired',
      later,
    ],
  ],
  'bought back': [
    ['as offered', withOffer(failed()), { type: 'take_back', offer: 1 }],
    ['by a debtor', withOffer(failed()), { type: 'take_back', offer: 1 }, 'choice_not_open', { owes: 'shown' }],
    ['by somebody blocked', withOffer(failed()), { type: 'take_back', offer: 1 }, 'choice_not_open', { owes: 'blocked' }],
    ['by a customer who typed a debtor’s data', withOffer(failed()), { type: 'take_back', offer: 1 }, 'taken', { owes: 'typed' }],
    ['while the order has a debt', withOffer(failed({}, { receivable: 1n })), { type: 'take_back', offer: 1 }, 'choice_not_open'],
    ['while a failed send has turned up', withOffer(failed(found)), { type: 'take_back', offer: 1 }, 'choice_not_open'],
    [
      'a refund is not',
      { ...failedRefund(), facts: { ...failedRefund().facts, offer: withOffer(failed()).facts.offer! } },
      { type: 'take_back', offer: 1 },
      'choice_not_open',
    ],
    ['without a refund account', withoutRefund(withOffer(failed())), { type: 'take_back', offer: 1 }, 'choice_not_open'],
    [
      'for all that the desk has',
      withOffer(failed()),
      { type: 'take_back', offer: 1 },
      'taken',
      { free: { get: 100n, give: withOffer(failed()).facts.offer!.parts } },
    ],
    [
      'for more than the desk has',
      withOffer(failed()),
      { type: 'take_back', offer: 1 },
      'choice_not_open',
      { free: { get: 100n, give: 1n } },
    ],
  ],
  'given back': [
    ['by choice', choosing(), { type: 'choose_refund' }],
    ['by choice of a debtor', choosing(), { type: 'choose_refund' }, 'choice_not_open', { owes: 'shown' }],
    ['by choice, without a refund account', withoutRefund(choosing()), { type: 'choose_refund' }, 'choice_not_open'],
    ['by timer', choosing(), { type: 'deadline' }, 'taken', later],
    ['by timer, without money', choosing({}, { in: 0n }), { type: 'deadline' }, 'not_due', later],
    ['by timer, while a failed send has turned up', choosing(found), { type: 'deadline' }, 'not_due', later],
    ['by people', choosing(), { type: 'op_refund', isOurs: false }],
    ['by people, without money', choosing({}, { in: 0n }), { type: 'op_refund', isOurs: false }, 'action_not_open'],
  ],
  approved: [
    ['it needs no approval', approving(), { type: 'approve', people: 2 }, 'action_not_open'],
    ['it waits for nobody', approving({ people: 0, clearingUntil: START }), { type: 'approve', people: 2 }, 'action_not_open'],
    [
      'it takes more of them by now',
      approving({ people: 1 }),
      { type: 'approve', people: 1 },
      'action_not_open',
      { approvalFor: () => ({ people: 2 }) },
    ],
    [
      'as many as it takes by now',
      approving({ people: 1 }),
      { type: 'approve', people: 2 },
      'taken',
      { approvalFor: () => ({ people: 2 }) },
    ],
  ],
  frozen: [
    ['what is there', choosing(), { type: 'freeze' }],
    ['what is owed', choosing({}, { receivable: 1n }), { type: 'freeze' }, 'action_not_open'],
    ['seen, without final money', orderIn('seen', {}, {}, [payment('seen')]), { type: 'freeze' }, 'action_not_open'],
    ['seen, with final money', orderIn('seen', { in: 5n }, {}, [payment('final', 5n), seen]), { type: 'freeze' }],
    ['on its way', orderIn('paying', { transfer: 18n }, { exchange, transfer: payout }), { type: 'freeze' }, 'action_not_open'],
    [
      'on its way, and stopped',
      orderIn('paying', { transfer: 18n }, { exchange, transfer: payout }),
      { type: 'freeze', isStopped: true },
    ],
  ],
  'sent again': [
    ['automatically', failed(), { type: 'retry' }],
    ['automatically, with a debt', failed({}, { receivable: 1n }), { type: 'retry' }, 'not_due'],
    ['automatically, while a failed send has turned up', failed(found), { type: 'retry' }, 'not_due'],
    ['automatically, without money', failed({}, { out: 0n }), { type: 'retry' }, 'not_due'],
    ['by people', failed(), { type: 'op_retry' }],
    ['by people, with a debt', failed({}, { receivable: 1n }), { type: 'op_retry' }, 'action_not_open'],
    ['by people, while a failed send has turned up', failed(found), { type: 'op_retry' }, 'action_not_open'],
    ['to another account', failed(), { type: 'new_account', account: get }],
    ['to another account, with a debt', failed({}, { receivable: 1n }), { type: 'new_account', account: get }, 'choice_not_open'],
    [
      'to another account, while a failed send has turned up',
      failed(found),
      { type: 'new_account', account: get },
      'choice_not_open',
    ],
    ['to another account, for a debtor: the payout', failed(), { type: 'new_account', account: get }, 'taken', { owes: 'shown' }],
    [
      'elsewhere, for a debtor: what is given back',
      failedRefund(),
      { type: 'new_account', account: give },
      'choice_not_open',
      { owes: 'shown' },
    ],
    ['to another account: the refund', failedRefund(), { type: 'new_account', account: give }],
    ['no answer: it becomes unclaimed', failed(), { type: 'deadline' }, 'taken', later],
    ['no answer, while a failed send has turned up', failed(found), { type: 'deadline' }, 'not_due', later],
  ],
  claimed: [
    [
      'what was given, by a debtor',
      orderIn('unclaimed', { unclaimedIn: 20n }),
      { type: 'claim', account: give },
      'choice_not_open',
      { owes: 'shown' },
    ],
    [
      'what was got, by a debtor',
      orderIn('unclaimed', { unclaimedOut: 18n }, { exchange }),
      { type: 'claim', account: get },
      'taken',
      { owes: 'shown' },
    ],
    [
      'what is owed',
      orderIn('unclaimed', { unclaimedIn: 20n, receivable: 1n }),
      { type: 'claim', account: give },
      'choice_not_open',
    ],
    [
      'what is owed, before two people',
      orderIn('unclaimed', { unclaimedIn: 20n, receivable: 1n }),
      { type: 'op_claim', account: give },
      'action_not_open',
    ],
  ],
  'what was sent, and what came back': [
    [
      'nothing was sent that could come back',
      orderIn('completed', {}, { exchange }),
      { type: 'transfer_returned' },
      'order_changed',
    ],
    [
      'nor where it is owed',
      orderIn('charged_back', { receivable: 5n }, { exchange }),
      { type: 'transfer_returned' },
      'order_changed',
    ],
    ['nothing was sent', orderIn('paying', {}, { exchange }), { type: 'transfer_final' }, 'order_changed'],
    [
      'nothing is owed that could be paid',
      orderIn('charged_back', {}, { exchange }),
      { type: 'repaid', parts: 1n },
      'order_changed',
    ],
    [
      'nothing is won back beside what is owed, before that is settled',
      choosing({}, { receivable: 5n }),
      { type: 'dispute_won', payment: 'p', parts: 5n },
      'order_changed',
    ],
    [
      'nor beside what is owed and was given up',
      choosing({}, { receivable: 5n, loss: 5n }),
      { type: 'dispute_won', payment: 'p', parts: 5n },
      'order_changed',
    ],
    [
      'nor of what nobody has claimed',
      orderIn('unclaimed', { unclaimedIn: 20n, receivable: 5n, loss: 5n }),
      { type: 'dispute_won', payment: 'p', parts: 5n },
      'order_changed',
    ],
    [
      'what was given up may be paid',
      orderIn('undelivered', { out: 18n, loss: 5n, receivable: 0n }, { exchange }),
      { type: 'repaid', parts: 0n },
    ],
    [
      'nothing is owed that could be given up',
      orderIn('charged_back', { loss: 5n }, { exchange }),
      { type: 'write_off', evidence: 'bankrupt' },
      'action_not_open',
    ],
    [
      'owed since it came to its state, where nothing says since when',
      orderIn('charged_back', { receivable: 5n }, { exchange, since: NOW }),
      { type: 'write_off', evidence: '' },
      'action_not_open',
      { now: new Date(180 * DAY) },
    ],
  ],
};

for (const [guard, cases] of Object.entries(CASES)) {
  describe(guard, () => {
    for (const [what, order, event, answer = 'taken', context] of cases)
      test(what, () => assert.equal(refusedOf(order, event, context) ?? 'taken', answer));
  });
}

describe('a payment that its order does not need', () => {
  const needs = (order: OrderView, parts = 20n): boolean => !isUnneeded(order, { ...seen, parts });
  const had = (state: OrderView['state'], parts: bigint, facts: Partial<Facts> = fresh): OrderView =>
    orderIn(state, { in: parts }, facts, parts > 0n ? [payment('final', parts), seen] : [seen]);
  const rows: readonly [what: string, order: OrderView, needs: boolean, parts?: bigint][] = [
    ['the first, which is enough', had('seen', 0n), true],
    ['the first, which is too little', had('seen', 0n), false, 15n],
    ['in addition to enough money', had('seen', 16n), false],
    ['one that completes too little', had('seen', 15n), true, 1n],
    ['in addition to a reversed one', orderIn('seen', {}, fresh, [payment('reversed'), seen]), true],
    [
      'in addition to a late one',
      orderIn('seen', { in: 16n }, fresh, [{ ...payment('final', 16n), isFeeOk: false }, seen]),
      true,
    ],
    ['of a late order, in addition to any money', had('choosing', 1n, {}), false],
    ['of a late order without money', had('seen', 0n, {}), true],
    ['of an order that had ended', had('expired', 0n), true],
    ['of an order that had ended, in addition to any money', had('expired', 1n), false],
    ['of an order that accepts no payments', had('paying', 16n), true],
    ['of an unallocated payment', orderIn('seen', { in: 20n }, {}, [payment('final'), seen], 'unallocated'), true],
  ];
  for (const [what, order, is, parts] of rows) test(what, () => assert.equal(needs(order, parts), is));
});

describe('a step that violates its row is a bug', () => {
  const order = orderIn('awaiting', { reserve: 18n }, fresh, []);
  const decided = (step: Step, row: Partial<OrderTransition> = {}) => {
    const rows = ROWS.map((one) => (one.event === 'cancel' ? { ...one, ...row } : one));
    return createMachine(rows, GUARDS, { ...STEPS, cancel: step }).decide(order, { type: 'cancel' }, CONTEXT);
  };
  test('throws for another state, another posting, and a negative position', () => {
    assert.throws(() => decided((draft) => draft.go('expired')), /cancel came from awaiting to expired/);
    assert.throws(() => decided(STEPS.cancel, { money: [] }), /cancel in awaiting posted reserve_release/);
    assert.throws(
      () =>
        decided((draft) => {
          draft.addLoss(-1n);
          draft.go('cancelled');
        }),
      /cancel in awaiting leaves loss at -1/,
    );
    assert.throws(() => decided((draft) => draft.go('expired'), { next: ['same'] }), /cancel came from awaiting to expired/);
    assert.throws(() => decided(() => {}), /cancel came from awaiting to awaiting/);
    assert.equal(decided(() => {}, { next: ['same'] }).refused, undefined, 'it may stay where its row says so');
  });

  test('an accepted event raises the version and names its row and former state; an event without a row is refused', () => {
    const { row, from, next: now } = next(order, { type: 'cancel' });
    assert.deepEqual([row.event, from, now.version], ['cancel', 'awaiting', order.version + 1]);
    assert.equal(refusedOf(orderIn('completed', {}), { type: 'cancel' }), 'order_changed');
  });

  test('each event updates the clock', () => {
    const waits = orderIn('approving', { out: 18n }, { exchange, approval: { people: 1 }, clock: { ran: 5, at: START } });
    assert.deepEqual(next(waits, { type: 'approve', people: 1 }).next.facts.clock, { ran: 60_005, at: NOW });
    assert.equal(next(order, { type: 'cancel' }).next.facts.clock, undefined);
  });

  test('events and their actors are read from the table', () => {
    assert.ok(eventsIn('awaiting').some(({ event, who }) => event === 'cancel' && who === 'C'));
    assert.deepEqual(
      eventsIn('frozen')
        .map(({ event }) => event)
        .filter((event) => !event.startsWith('payin')),
      ['unfreeze', 'surrender', 'dispute_won'],
    );
    assert.throws(() => actorOf('nothing' as 'cancel'), /No row takes nothing/);
  });
});
