// One row for each limit of the order machine and of payments: exactly at it, and one unit beside it.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cutRate, fraction, rate } from '@kurs/money';
import { arrivedInTime, isEnough, isInTime, isOverdue, minimumEnough, missedBy, withinTerms } from '../../collecting/index.ts';
import { accounts } from '../../ledger/index.ts';
import { goesOnShort, isUnneeded, missing, promisesShort } from '../order/money/payment-coverage.ts';
import type { Context, OrderEvent } from '../order/events/events.ts';
import { GUARDS } from '../machine/guards.ts';
import { decide } from '../machine/machine.ts';
import { freshFacts } from '../machine/derived-orders.ts';
import { EMPTY, type Facts, type Offer, type OrderState, type OrderView, type Payment, type Positions } from '../order/order.ts';
import { begin } from '../exploration/order-world.testing.ts';
import { BACK, TERMS } from '../exploration/order-terms.testing.ts';
import { lockedPrice } from '../machine/offers.ts';
import { canClaim, canRefund, canSendAgain, refundCostOf } from '../order/money/sent-back.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = new Date(0);
const LOCK = 15 * MINUTE;
const CONFIRM = HOUR;
const RULES = {
  offer: 3 * MINUTE,
  choice: 72 * HOUR,
  hold: 71 * HOUR,
  approval: 24 * HOUR,
  keepRate: 30 * MINUTE,
  better: 2,
  retries: 5,
  writeOff: 180 * 24 * HOUR,
};
/** Amount due; 18 of it are exchanged, one to one, and promised. Sending a refund costs 1, and the smallest refund is 2. */
const DUE = 20n;
const INVOICE = accounts.invoiceIn('i', 'G');
const PENDING = { event: 'give_route', account: { fields: { account: 'a' }, key: 'a', side: 'give' }, from: START } as const;
const at = (milliseconds: number): Date => new Date(milliseconds);

const payment = (change: Partial<Payment> = {}): Payment => ({
  id: 'p',
  parts: DUE,
  status: 'final',
  place: 'hot',
  txid: 'p',
  seenAt: START,
  isFeeOk: true,
  confirmations: 1,
  needed: 1,
  ...change,
});

interface Change {
  readonly state?: OrderState;
  readonly positions?: Partial<Positions>;
  readonly facts?: Partial<Facts>;
  readonly payments?: readonly Payment[];
  readonly pinned?: Partial<OrderView['pinned']>;
  readonly hasRoute?: boolean;
  readonly kind?: OrderView['kind'];
}

function order({
  state = 'choosing',
  positions = {},
  facts = {},
  payments = [payment()],
  pinned = {},
  hasRoute = true,
  kind = 'order',
}: Change = {}): OrderView {
  const { order: placed } = begin(
    { kind: 'order', hasRoute, askMe: false },
    { sizes: [], pays: 1, reversals: 0, wins: 0, returns: 0, retries: 0 },
  );
  return {
    ...placed,
    kind,
    state,
    payments,
    positions: { ...EMPTY, ...positions },
    facts: freshFacts(START, facts),
    pinned: { ...placed.pinned, ...pinned },
  };
}

/** Returns a market at a share of the locked rate, in ten-thousandths. */
const marketAt = (share: bigint): NonNullable<Context['market']> => ({
  terms: { ...TERMS, rate: cutRate(rate('USD', 'USD', fraction(share, 10_000n)), 'down') },
  back: BACK,
  version: '2',
});

const context = (milliseconds: number, change: Partial<Context> = {}): Context => ({
  now: at(milliseconds),
  rules: RULES,
  newId: () => 'x',
  free: { get: 10_000n, give: 10_000n },
  held: 1_000n,
  market: marketAt(10_000n),
  allows: () => true,
  approvalFor: () => ({ people: 0 }),
  screening: 'clean',
  ...change,
});

describe('payments: each limit, at it and one unit beside it', () => {
  const seen = (milliseconds: number, change: Partial<Payment> = {}): Payment => payment({ seenAt: at(milliseconds), ...change });
  // prettier-ignore
  const rows: readonly [bound: string, is: () => unknown, should: unknown][] = [
    ['seen at the lock’s end', () => isInTime(order(), seen(LOCK)), true],
    ['one moment after it', () => isInTime(order(), seen(LOCK + 1)), false],
    ['with a fee that won’t do', () => isInTime(order(), seen(0, { isFeeOk: false })), false],
    ['first confirmed at the window’s end', () => isInTime(order(), seen(7, { firstConfirmedAt: at(7 + CONFIRM) })), true],
    ['one moment after it', () => isInTime(order(), seen(7, { firstConfirmedAt: at(8 + CONFIRM) })), false],
    ['unconfirmed just before the window’s end', () => isOverdue(order(), seen(7), at(6 + CONFIRM)), false],
    ['unconfirmed at it', () => isOverdue(order(), seen(7), at(7 + CONFIRM)), true],
    ['confirmed, long after it', () => isOverdue(order(), seen(7, { firstConfirmedAt: at(8) }), at(9 * CONFIRM)), false],
    ['80 % of 100', () => minimumEnough(100n, 80), 80n],
    ['of 101, up', () => minimumEnough(101n, 80), 81n],
    ['of 104, up', () => minimumEnough(104n, 80), 84n],
    ['of 105', () => minimumEnough(105n, 80), 84n],
    ['of 1', () => minimumEnough(1n, 80), 1n],
    ['90 % of 101, up', () => minimumEnough(101n, 90), 91n],
    ['all of it', () => minimumEnough(101n, 100), 101n],
    ['18 of 20 where 90 % are enough', () => isEnough(order({ pinned: { shortPercent: 90 } }), 18n), true],
    ['17 are not', () => isEnough(order({ pinned: { shortPercent: 90 } }), 17n), false],
    ['16 of 20 are enough', () => isEnough(order(), 16n), true],
    ['15 are not', () => isEnough(order(), 15n), false],
    ['at the direction’s minimum', () => isEnough(order({ pinned: { minimum: 18n } }), 18n), true],
    ['one below it', () => isEnough(order({ pinned: { minimum: 18n } }), 17n), false],
    ['up to the tolerance', () => withinTerms(order(), 22n), 22n],
    ['one above it', () => withinTerms(order(), 23n), 22n],
    ['an underpaid order goes on automatically', () => goesOnShort(order(), 16n), true],
    ['unless the customer wants to be asked', () => goesOnShort(order({ facts: { askMe: true } }), 16n), false],
    ['or it is late', () => goesOnShort(order({ facts: { isLate: true } }), 16n), false],
    ['and an unallocated payment never', () => goesOnShort(order({ kind: 'unallocated' }), 20n), false],
    ['it is promised while reserve is held for it', () => promisesShort(order({ positions: { reserve: 1n } }), 16n), true],
    ['and not without reserve', () => promisesShort(order(), 16n), false],
    ['what is missing of 20 when 19 came', () => missing(order({ payments: [payment({ parts: 19n })] })), 1n],
    ['when 20 came', () => missing(order()), 0n],
    ['nothing is missing of an unallocated payment', () => missing(order({ kind: 'unallocated', payments: [payment({ parts: 5n })] })), 0n],
    ['a seen payment counts, a reversed one doesn’t', () => missing(order({ payments: [payment({ parts: 5n, status: 'seen' }), payment({ parts: 9n, status: 'reversed' })] })), 15n],
    ['arrived in time counts only final payments', () => arrivedInTime(order({ payments: [payment({ parts: 5n }), payment({ parts: 9n, status: 'seen' })] })), 5n],
    ['cause of lateness: the fee', () => missedBy(order({ payments: [seen(0, { isFeeOk: false })] }), at(1)), 'low_fee'],
    ['cause of lateness: no confirmation', () => missedBy(order({ payments: [seen(0)] }), at(CONFIRM)), 'unconfirmed'],
    ['no cause, one moment before', () => missedBy(order({ payments: [seen(0)] }), at(CONFIRM - 1)), undefined],
    ['nor for a payment after the lock', () => missedBy(order({ payments: [seen(LOCK + 1, { isFeeOk: false })] }), at(9 * CONFIRM)), undefined],
    ['16 came: another payment isn’t needed', () => isUnneeded(order({ state: 'seen', payments: [payment({ parts: 16n })] }), payment({ id: 'q', parts: 4n })), true],
    ['15 came: it is', () => isUnneeded(order({ state: 'seen', payments: [payment({ parts: 15n })] }), payment({ id: 'q', parts: 1n })), false],
    ['15 came, and it isn’t enough either', () => isUnneeded(order({ state: 'seen', payments: [] }), payment({ id: 'q', parts: 15n })), true],
  ];
  for (const [bound, is, should] of rows) test(bound, () => assert.deepEqual(is(), should));
});

describe('refunds: each limit', () => {
  const back = (parts: bigint, pinned: Partial<OrderView['pinned']> = {}) => order({ positions: { in: parts }, pinned });
  const unclaimed = (parts: bigint) => order({ state: 'unclaimed', positions: { unclaimedIn: parts } });
  const failed = (parts: bigint) => order({ state: 'undelivered', positions: { in: parts } });
  const rows: readonly [bound: string, is: () => unknown, should: unknown][] = [
    ['refunded: the least, after its cost', () => canRefund(back(3n)), true],
    ['one less', () => canRefund(back(2n)), false],
    ['without an account', () => canRefund(order({ hasRoute: false, positions: { in: 20n } })), false],
    ['by a rail that only takes', () => canRefund(back(20n, { isReceiveOnly: true })), false],
    ['claimed: the least, after its cost', () => canClaim(unclaimed(3n), 'give'), true],
    ['one less', () => canClaim(unclaimed(2n), 'give'), false],
    ['tried again: more than its cost', () => canSendAgain(failed(2n)), true],
    ['its cost', () => canSendAgain(failed(1n)), false],
    [
      'what was kept is borne',
      () => refundCostOf(order({ payments: [payment({ retained: 3n }), payment({ retained: 4n, status: 'seen' })] })),
      4n,
    ],
    [
      'not where the cause is ours',
      () => refundCostOf(order({ payments: [payment({ retained: 3n })], facts: { isFreeRefund: true } })),
      0n,
    ],
  ];
  for (const [bound, is, should] of rows) test(bound, () => assert.equal(is(), should));
});

const taken = (view: OrderView, event: OrderEvent, now: number, change: Partial<Context> = {}): boolean =>
  decide(view, event, context(now, change)).refused === undefined;

function offerOf(view: OrderView, choice: Offer['choice'], parts: bigint, change: Partial<Offer> = {}): Offer {
  const price = lockedPrice(view, DUE);
  assert.ok(price);
  return { ...price, number: 1, choice, parts, madeAt: START, ...change };
}

const withOffer = (view: OrderView, choice: Offer['choice'], parts: bigint, change: Partial<Offer> = {}): OrderView => ({
  ...view,
  facts: { ...view.facts, offer: offerOf(view, choice, parts, change) },
});

const inTime = order({ positions: { in: 16n, reserve: 18n }, payments: [payment({ parts: 16n })] });
const late = order({ positions: { in: DUE }, facts: { isLate: true } });
const held = (cause: 'soft' | 'hard') =>
  order({ state: 'holding', positions: { in: DUE, reserve: 18n }, facts: { hold: { cause, since: START } } });
const approving = (approval: NonNullable<Facts['approval']>) => {
  const view = order({ state: 'approving', positions: { out: 18n } });
  const price = lockedPrice(view, DUE);
  assert.ok(price);
  const exchange = {
    give: DUE,
    components: [],
    exchanged: 18n,
    got: 18n,
    rate: TERMS.rate,
    retained: 0n,
    provision: 0n,
    version: '1',
  };
  return { ...view, facts: { ...view.facts, exchange, approval } };
};
const sent = { intent: 'i', kind: 'payout', parts: 18n, cost: 0n } as const;
const EXCHANGED = {
  give: DUE,
  components: [],
  exchanged: 18n,
  got: 18n,
  rate: TERMS.rate,
  retained: 0n,
  provision: 0n,
  version: '1',
} as const;
const undelivered = order({ state: 'undelivered', positions: { out: 18n }, facts: { exchange: EXCHANGED } });
const failedRefund = (facts: Partial<Facts> = {}) => order({ state: 'undelivered', positions: { in: DUE }, facts });
const flying = order({ state: 'paying', positions: { transfer: 18n }, facts: { transfer: sent, exchange: EXCHANGED } });
const gone = order({ state: 'paying', facts: { sent, exchange: EXCHANGED } });
const owing = order({ state: 'charged_back', positions: { receivable: 5n }, facts: { owedSince: START, ended: 'completed' } });

type GuardCase = readonly [
  bound: string,
  view: OrderView,
  event: OrderEvent,
  now: number,
  takes: boolean,
  change?: Partial<Context>,
];

/** The limits of each guard. Guards without limits are listed in `ELSEWHERE`. */
// prettier-ignore
const BOUNDS: Partial<Record<keyof typeof GUARDS, readonly GuardCase[]>> = {
  nothing_seen: [
    ['nothing was seen', order({ state: 'awaiting', payments: [] }), { type: 'cancel' }, 0, true],
    ['something was', order({ state: 'awaiting', payments: [payment({ status: 'seen' })] }), { type: 'cancel' }, 0, false],
  ],
  lock_over: [
    ['at the lock’s end', order({ state: 'awaiting', payments: [] }), { type: 'lock_over' }, LOCK, true],
    ['one moment before', order({ state: 'awaiting', payments: [] }), { type: 'lock_over' }, LOCK - 1, false],
    ['with something seen', order({ state: 'awaiting', payments: [payment({ status: 'seen' })] }), { type: 'lock_over' }, LOCK, false],
  ],
  window_over: [
    ['at the end of the first confirmation’s time', order({ state: 'seen', payments: [payment({ status: 'seen' })] }), { type: 'window_over' }, CONFIRM, true],
    ['one moment before', order({ state: 'seen', payments: [payment({ status: 'seen' })] }), { type: 'window_over' }, CONFIRM - 1, false],
    ['late already, nothing in', order({ state: 'seen', facts: { isLate: true }, payments: [payment({ status: 'seen' })] }), { type: 'window_over' }, CONFIRM, false],
  ],
  take_short: [
    ['80 % at the lock’s end', inTime, { type: 'take_short' }, LOCK, true],
    ['one moment before', inTime, { type: 'take_short' }, LOCK - 1, false],
    ['one part less than 80 %', order({ positions: { in: 15n, reserve: 18n }, payments: [payment({ parts: 15n })] }), { type: 'take_short' }, LOCK, false],
    ['who wants to be asked', order({ positions: { in: 16n, reserve: 18n }, payments: [payment({ parts: 16n })], facts: { askMe: true } }), { type: 'take_short' }, LOCK, false],
    ['the payout amount is just free', order({ positions: { in: 16n }, payments: [payment({ parts: 16n })] }), { type: 'take_short' }, LOCK, true, { free: { get: 14n, give: 0n } }],
    ['the reserve is enough, and nothing is free', inTime, { type: 'take_short' }, LOCK, true, { free: { get: 0n, give: 0n } }],
    ['one part of it is not', order({ positions: { in: 16n }, payments: [payment({ parts: 16n })] }), { type: 'take_short' }, LOCK, false, { free: { get: 13n, give: 0n } }],
  ],
  rate_over: [
    ['less than 80 % at the lock’s end', order({ positions: { in: 15n }, payments: [payment({ parts: 15n })] }), { type: 'rate_over' }, LOCK, true],
    ['one moment before', order({ positions: { in: 15n }, payments: [payment({ parts: 15n })] }), { type: 'rate_over' }, LOCK - 1, false],
    ['80 %', inTime, { type: 'rate_over' }, LOCK, false],
    ['late already', late, { type: 'rate_over' }, LOCK, false],
  ],
  better: [
    // At the locked rate 5 000 yield 4 749; 2 % of that are 94.98: 94 more are allowed, 95 are not.
    ['as good as the locked rate', much(100n), { type: 'go_on_better' }, LOCK, true],
    ['better by 2 %', much(100n), { type: 'go_on_better' }, LOCK, true, { market: marketAt(10_200n) }],
    ['better by one part more', much(100n), { type: 'go_on_better' }, LOCK, false, { market: marketAt(10_201n) }],
    ['better by 3 %, as operators allow', much(100n), { type: 'go_on_better' }, LOCK, true, { market: marketAt(10_300n), rules: { ...RULES, better: 3 } }],
    ['and not by more', much(100n), { type: 'go_on_better' }, LOCK, false, { market: marketAt(10_305n), rules: { ...RULES, better: 3 } }],
    ['better by just what operators allow', much(100n), { type: 'go_on_better' }, LOCK, true, { market: marketAt(20_000n), rules: { ...RULES, better: 100 } }],
    ['worse', much(100n), { type: 'go_on_better' }, LOCK, false, { market: marketAt(9_999n) }],
    ['asked already', { ...much(100n), facts: { ...much(100n).facts, isAsked: true } }, { type: 'go_on_better' }, LOCK, false],
    ['only the lower rate applies', { ...much(100n), facts: { ...much(100n).facts, hasLowerRate: true } }, { type: 'go_on_better' }, LOCK, false],
    ['who wants to be asked', { ...much(100n), facts: { ...much(100n).facts, askMe: true } }, { type: 'go_on_better' }, LOCK, false],
    ['limits don’t allow it', much(100n), { type: 'go_on_better' }, LOCK, false, { allows: () => false }],
    ['just free', much(100n), { type: 'go_on_better' }, LOCK, true, { free: { get: much(100n).get!.parts, give: 0n } }],
    ['one part is not', much(100n), { type: 'go_on_better' }, LOCK, false, { free: { get: much(100n).get!.parts - 1n, give: 0n } }],
  ],
  continues: [
    ['just before the offer’s end', withOffer(late, 'continue', 18n), { type: 'choose_continue', offer: 1 }, RULES.offer - 1, true],
    ['at it', withOffer(late, 'continue', 18n), { type: 'choose_continue', offer: 1 }, RULES.offer, false],
    ['another offer', withOffer(late, 'continue', 18n), { type: 'choose_continue', offer: 2 }, 0, false],
    ['for more than there is', { ...withOffer(late, 'continue', 18n), positions: { ...EMPTY, in: 19n } }, { type: 'choose_continue', offer: 1 }, 0, false],
    ['just free', withOffer(late, 'continue', 18n), { type: 'choose_continue', offer: 1 }, 0, true, { free: { get: 18n, give: 0n } }],
    ['one part is not', withOffer(late, 'continue', 18n), { type: 'choose_continue', offer: 1 }, 0, false, { free: { get: 17n, give: 0n } }],
    ['limits don’t allow it', withOffer(late, 'continue', 18n), { type: 'choose_continue', offer: 1 }, 0, false, { allows: () => false }],
  ],
  is_unallocated: [
    ['just free', withOffer({ ...late, kind: 'unallocated' }, 'new_order', 18n), { type: 'choose_new_order', offer: 1 }, 0, true, { free: { get: 18n, give: 0n } }],
    ['one part is not', withOffer({ ...late, kind: 'unallocated' }, 'new_order', 18n), { type: 'choose_new_order', offer: 1 }, 0, false, { free: { get: 17n, give: 0n } }],
    ['of an order', withOffer(late, 'new_order', 18n), { type: 'choose_new_order', offer: 1 }, 0, false],
  ],
  undecided: [
    ['while its customer chooses', { ...late, kind: 'unallocated' }, { type: 'take_over', to: INVOICE }, 0, true],
    ['of an order', late, { type: 'take_over', to: INVOICE }, 0, false],
    ['with an account that waits', { ...late, kind: 'unallocated', facts: { ...late.facts, pending: PENDING } }, { type: 'take_over', to: INVOICE }, 0, false],
  ],
  choice_over: [
    ['after 72 hours', late, { type: 'deadline' }, RULES.choice, true],
    ['one moment before', late, { type: 'deadline' }, RULES.choice - 1, false],
  ],
  soft_over: [
    ['at the hold’s end', held('soft'), { type: 'deadline' }, RULES.hold, true],
    ['one moment before', held('soft'), { type: 'deadline' }, RULES.hold - 1, false],
    ['of a hard cause', held('hard'), { type: 'deadline' }, 9 * RULES.hold, false],
  ],
  hold_rate_over: [
    ['of a hard cause, at the hold’s end', held('hard'), { type: 'hold_rate_over' }, RULES.hold, true],
    ['one moment before', held('hard'), { type: 'hold_rate_over' }, RULES.hold - 1, false],
    ['of a soft cause', held('soft'), { type: 'hold_rate_over' }, RULES.hold, false],
  ],
  approved: [
    ['by as many as it needs', approving({ people: 2 }), { type: 'approve', people: 2 }, 0, true],
    ['by one less', approving({ people: 2 }), { type: 'approve', people: 1 }, 0, false],
    ['cleared', approving({ people: 1, clearingUntil: at(9) }), { type: 'approve', people: 1 }, 9, true],
    ['one moment before', approving({ people: 1, clearingUntil: at(9) }), { type: 'approve', people: 1 }, 8, false],
  ],
  cleared: [
    ['at the clearing period’s end', approving({ people: 0, clearingUntil: at(9) }), { type: 'clearing_over' }, 9, true],
    ['one moment before', approving({ people: 0, clearingUntil: at(9) }), { type: 'clearing_over' }, 8, false],
    ['where people approve it', approving({ people: 1, clearingUntil: at(9) }), { type: 'clearing_over' }, 9, false],
  ],
  approval_over: [
    ['after a day', approving({ people: 1 }), { type: 'deadline' }, RULES.approval, true],
    ['one moment before', approving({ people: 1 }), { type: 'deadline' }, RULES.approval - 1, false],
    ['a clearing period does not end this way', approving({ people: 0, clearingUntil: at(9) }), { type: 'deadline' }, RULES.approval, false],
  ],
  transient: [
    ['the last try', failedRefund({ isTransient: true, tries: 4 }), { type: 'retry' }, 0, true],
    ['one more', failedRefund({ isTransient: true, tries: 5 }), { type: 'retry' }, 0, false],
    ['of a permanent failure', failedRefund({ tries: 1 }), { type: 'retry' }, 0, false],
  ],
  failed_over: [
    ['after 72 hours', undelivered, { type: 'deadline' }, RULES.choice, true],
    ['one moment before', undelivered, { type: 'deadline' }, RULES.choice - 1, false],
    ['while something is owed', { ...undelivered, positions: { ...undelivered.positions, receivable: 1n } }, { type: 'deadline' }, RULES.choice, false],
  ],
  owes: [
    ['one part is owed', { ...failedRefund(), positions: { ...EMPTY, in: DUE, receivable: 1n } }, { type: 'settle_reversal' }, 0, true],
    ['nothing is', failedRefund(), { type: 'settle_reversal' }, 0, false],
  ],
  untaken: [
    ['while it is on its way', flying, { type: 'stop' }, 0, true],
    ['once it was sent', gone, { type: 'stop' }, 0, false],
    ['while something is owed', { ...flying, positions: { ...flying.positions, receivable: 1n } }, { type: 'stop' }, 0, false],
  ],
  in_hand: [
    ['while it is on its way', flying, { type: 'transfer_sent' }, 0, true],
    ['once it was sent', gone, { type: 'transfer_sent' }, 0, false],
  ],
  not_sent: [
    ['while it is on its way', flying, { type: 'transfer_failed', isTransient: true }, 0, true],
    ['once it was sent', gone, { type: 'transfer_failed', isTransient: true }, 0, false],
  ],
  deep_enough: [
    ['once it was sent', gone, { type: 'transfer_final' }, 0, true],
    ['while it is on its way', flying, { type: 'transfer_final' }, 0, false],
  ],
  pays_debt: [
    ['all available money', late, { type: 'settle_debt', debt: 'd', parts: DUE }, 0, true],
    ['one part more', late, { type: 'settle_debt', debt: 'd', parts: DUE + 1n }, 0, false],
    ['one part', late, { type: 'settle_debt', debt: 'd', parts: 1n }, 0, true],
    ['nothing', late, { type: 'settle_debt', debt: 'd', parts: 0n }, 0, false],
  ],
  proof: [
    ['old enough', owing, { type: 'write_off', evidence: '' }, RULES.writeOff, true],
    ['one moment before', owing, { type: 'write_off', evidence: '' }, RULES.writeOff - 1, false],
    ['with proof', owing, { type: 'write_off', evidence: 'bankrupt' }, 0, true],
  ],
};

/** Returns a late order that is large enough for a hundredth to show. */
function much(scale: bigint): OrderView {
  const parts = 50n * scale;
  const view = order({ facts: { isLate: true }, positions: { in: parts }, payments: [payment({ parts })] });
  const request = { ...view, give: { ...view.give, parts } };
  const price = lockedPrice(request, parts);
  assert.ok(price && request.get);
  return { ...request, get: { ...request.get, parts: price.breakdown.get.parts } };
}

describe('the order machine: each limit, at it and one unit beside it', () => {
  for (const [guard, rows] of Object.entries(BOUNDS)) {
    for (const [bound, view, event, now, takes, change] of rows) {
      test(`${guard}: ${bound}`, () => assert.equal(taken(view, event, now, change), takes));
    }
  }
});

/** Guards whose limit is tested in another file, or that check a fact without a limit. */
const ELSEWHERE = [
  'law',
  'notified',
  'refundable',
  'route_given',
  'account_valid',
  'reason_owes_nothing',
  'buys_back',
  'claimable',
  'proved',
  'no_papers_asked',
  'no_papers_came',
  'back',
  'came_back',
  'open_receivable',
  'ended_before',
  'no_receivable',
  'before_sending',
] as const satisfies readonly (keyof typeof GUARDS)[];

test('every guard that can refuse has its rows', () => {
  // A check without parameters leaves everything to its callers.
  const refuses = (name: keyof typeof GUARDS): boolean => GUARDS[name].check.length > 0;
  const known = new Set<string>([...Object.keys(BOUNDS), ...ELSEWHERE]);
  const unknown = (Object.keys(GUARDS) as (keyof typeof GUARDS)[]).filter((name) => refuses(name) && !known.has(name));
  assert.deepEqual(unknown, []);
});
