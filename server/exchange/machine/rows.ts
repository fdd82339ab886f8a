// The order machine as data: all rows of its table. An order's state changes only by these rows.
//
// A row applies if the order is in a state of `from`, `event` comes from the actor `who`, and the guard accepts. The row's step
// is then taken. The order ends in a state of `next` (`same`: unchanged), and only the postings named in `money` are made. The
// machine asserts both.

import type { MachineRow } from '../../platform/index.ts';
import type { EventName } from '../order/events/events.ts';
import type { GuardName } from './guards.ts';
import { type Actor, IN_FLIGHT, ORDER_STATES, type OrderState, TAKES_PAYMENTS } from '../order/order.ts';
import type { PostingName } from './postings.ts';
import type { StepName } from './steps.ts';

export interface OrderTransition extends MachineRow<OrderState, EventName, PostingName> {
  readonly who: Actor;
  readonly guard: GuardName;
  readonly step: StepName;
}

type Next = OrderTransition['next'][number];

function row(
  from: readonly OrderState[],
  event: EventName,
  who: Actor,
  guard: GuardName,
  step: StepName,
  next: readonly Next[],
  money: readonly PostingName[],
  nextFrom: NonNullable<OrderTransition['nextFrom']> = {},
): OrderTransition {
  return { from, event, who, guard, step, next, money, nextFrom };
}

/** States in which a payment may still become the order's. */
const OPEN: readonly OrderState[] = [...TAKES_PAYMENTS];
/** All other states: a payment that arrives then becomes an unallocated payment. */
const LATER: readonly OrderState[] = ORDER_STATES.filter((state) => !TAKES_PAYMENTS.has(state));
/** States in which a payout is requested or on its way. */
const FLYING: readonly OrderState[] = [...IN_FLIGHT];
/** States in which the customer may owe us a payment that was taken back after its order's payout was sent. */
const OWING: readonly OrderState[] = ['charged_back', ...FLYING, 'undelivered'];
/** Postings of an order that is exchanged automatically. */
const GO_ON: readonly PostingName[] = ['reserve', 'exchange', 'reserve_release', 'unallocated', 'payout_intent'];
const REFUND_OR_REST: readonly PostingName[] = ['reserve_release', 'refund_intent', 'unclaimed'];

const BEFORE_MONEY: readonly OrderTransition[] = [
  row(['awaiting'], 'cancel', 'C', 'nothing_seen', 'cancel', ['cancelled'], ['reserve_release']),
  row(['awaiting'], 'lock_over', 'S', 'lock_over', 'expire', ['expired'], ['reserve_release']),
  row(['awaiting', 'choosing'], 'payin_seen', 'R', 'dust', 'see', ['seen'], []),
  row(['seen'], 'payin_seen', 'R', 'always', 'see', ['seen'], []),
  row(['expired', 'cancelled', 'reversed'], 'payin_seen', 'R', 'always', 'see_late', ['seen'], []),
  row(['seen'], 'window_over', 'S', 'window_over', 'window_over', ['seen', 'choosing'], ['reserve_release']),
  row(OPEN, 'payin_dropped', 'R', 'dropped', 'drop', ['same'], ['reserve_release'], {
    seen: ['same', 'choosing', 'awaiting', 'expired'],
  }),
  row(
    OPEN,
    'payin_final',
    'R',
    'looked_up',
    'receive',
    ['paying', 'approving', 'holding', 'choosing', 'seen'],
    ['payin', ...GO_ON],
    {
      expired: ['holding', 'choosing'],
      cancelled: ['holding', 'choosing'],
      reversed: ['holding', 'choosing'],
    },
  ),
];

const CHOICE: readonly OrderTransition[] = [
  row(['choosing'], 'rate_over', 'S', 'rate_over', 'rate_over', ['choosing'], ['reserve_release']),
  row(
    ['choosing'],
    'choose_continue',
    'C',
    'continues',
    'continue',
    ['paying', 'approving'],
    ['reserve', 'exchange', 'reserve_release', 'payout_intent'],
  ),
  row(['choosing'], 'take_short', 'S', 'take_short', 'take_short', ['paying', 'approving'], GO_ON),
  row(['choosing'], 'go_on_better', 'S', 'better', 'go_on_better', ['paying', 'approving'], GO_ON),
  row(['choosing'], 'choose_new_order', 'C', 'is_unallocated', 'apply', ['applied'], ['unallocated_use']),
  row(['choosing', 'unclaimed'], 'take_over', 'S', 'undecided', 'take_over', ['applied'], ['claim', 'unallocated_back']),
  row(['choosing'], 'choose_refund', 'C', 'refundable', 'refund', ['refunding'], ['reserve_release', 'refund_intent']),
  row(['choosing'], 'give_route', 'C', 'route_given', 'give_route', ['choosing'], []),
  row(['choosing'], 'deadline', 'S', 'choice_over', 'refund_or_rest', ['refunding', 'unclaimed', 'holding'], REFUND_OR_REST),
  row(
    ['choosing', 'holding'],
    'settle_debt',
    'O2',
    'pays_debt',
    'settle_debt',
    ['applied'],
    ['reserve_release', 'unallocated', 'other_debt_settlement'],
  ),
  row(['choosing'], 'op_refund', 'O', 'notified', 'refund_or_rest', ['refunding', 'unclaimed'], REFUND_OR_REST),
  row(['choosing', 'approving'], 'op_hold', 'O', 'reason', 'op_hold', ['holding'], ['exchange_reverse', 'reserve']),
];

const CHECKING: readonly OrderTransition[] = [
  row(['holding'], 'papers_asked', 'K', 'no_papers_asked', 'papers_asked', ['holding'], ['reserve_release']),
  row(['holding'], 'papers_came', 'K', 'no_papers_came', 'papers_came', ['holding'], ['reserve_release']),
  row(['holding'], 'hold_rate_over', 'S', 'hold_rate_over', 'hold_rate_over', ['holding'], ['reserve_release']),
  row(['holding'], 'release', 'K', 'released', 'release', ['paying', 'approving', 'choosing', 'seen'], GO_ON),
  row(['holding'], 'decide_refund', 'K', 'lawful', 'refund_or_rest', ['refunding', 'unclaimed'], REFUND_OR_REST),
  row(['holding'], 'deadline', 'S', 'soft_over', 'refund_or_rest', ['refunding', 'unclaimed', 'same'], REFUND_OR_REST),
  row(['approving', 'holding'], 'give_route', 'C', 'route_given', 'give_route', ['same'], []),
  row(['approving'], 'approve', 'O', 'approved', 'approve', ['paying'], ['payout_intent']),
  row(['approving'], 'clearing_over', 'S', 'cleared', 'let_out', ['paying', 'approving'], ['payout_intent']),
  row(['approving'], 'deadline', 'S', 'approval_over', 'approval_over', ['holding'], ['exchange_reverse', 'reserve']),
  row(
    ['seen', 'choosing', 'holding', 'approving', ...FLYING, 'undelivered', 'unclaimed'],
    'freeze',
    'K2',
    'law',
    'freeze',
    ['frozen'],
    ['payout_intent_reverse', 'refund_intent_reverse', 'claim', 'exchange_reverse', 'reserve_release', 'freeze'],
  ),
  row(['frozen'], 'unfreeze', 'K2', 'written', 'unfreeze', ['holding'], ['unfreeze']),
  row(['frozen'], 'surrender', 'K2', 'authority', 'surrender', ['surrendered'], ['surrender']),
];

/** States of an order after its payout or refund is sent again. */
const AGAIN: readonly Next[] = ['paying', 'approving', 'refunding'];
const INTENTS: readonly PostingName[] = ['payout_intent', 'refund_intent'];

/** Rows for the outcome of a transfer. Its progress until then belongs to the payout's own machine. */
const TRANSFER: readonly OrderTransition[] = [
  row(FLYING, 'stop', 'O', 'untaken', 'stop', ['approving', 'holding'], ['payout_intent_reverse', 'refund_intent_reverse'], {
    paying: ['approving'],
    refunding: ['holding'],
  }),
  row(FLYING, 'transfer_sent', 'R', 'in_hand', 'sent', ['same'], []),
  row(FLYING, 'transfer_failed', 'R', 'not_sent', 'failed', ['undelivered'], ['payout_intent_reverse', 'refund_intent_reverse']),
  row(FLYING, 'transfer_final', 'R', 'deep_enough', 'end', ['completed', 'refunded', 'charged_back'], [], {
    paying: ['completed', 'charged_back'],
    refunding: ['refunded', 'charged_back'],
  }),
  row([...FLYING, 'completed', 'refunded'], 'transfer_returned', 'R', 'back', 'returned', ['undelivered'], []),
];

const UNDELIVERED: readonly OrderTransition[] = [
  row(['undelivered'], 'retry', 'S', 'transient', 'send_again', AGAIN, INTENTS),
  row(['undelivered'], 'new_account', 'C', 'account_valid', 'new_account', AGAIN, INTENTS),
  row(['undelivered'], 'op_retry', 'O', 'reason_owes_nothing', 'send_again', AGAIN, INTENTS),
  row(['undelivered'], 'deadline', 'S', 'failed_over', 'rest', ['unclaimed'], ['unclaimed']),
  row(
    ['undelivered'],
    'settle_reversal',
    'S',
    'owes',
    'settle_reversal',
    ['reversed', 'choosing'],
    ['exchange_reverse', 'debt_settlement', 'write_off', 'reserve_release'],
  ),
  row(['undelivered'], 'take_back', 'C', 'buys_back', 'take_back', ['refunding'], ['buy_back', 'refund_intent']),
  row(['unclaimed'], 'claim', 'C', 'claimable', 'claim', AGAIN, ['claim', ...INTENTS]),
  row(['unclaimed'], 'op_claim', 'O2', 'proved', 'claim', AGAIN, ['claim', ...INTENTS]),
];

const ANY_TIME: readonly OrderTransition[] = [
  row(LATER, 'payin_seen', 'R', 'further', 'see_aside', ['same'], []),
  row(LATER, 'payin_dropped', 'R', 'always', 'drop_aside', ['same'], []),
  row(LATER, 'payin_final', 'R', 'never_counted', 'unallocated', ['same'], ['unallocated']),
  // `reversed` is included: after a buy-back for less than was given, taking back one of two payments may use up all money.
  row(
    ['seen', 'choosing', 'holding', 'reversed'],
    'payin_reversed',
    'R',
    'taken_back',
    'reverse',
    ['same', 'reversed'],
    ['payin_reverse', 'reversal_debt', 'reserve_release'],
  ),
  row(
    ['approving', ...FLYING],
    'payin_reversed',
    'R',
    'before_sending',
    'unwind',
    ['reversed', 'choosing'],
    ['payout_intent_reverse', 'refund_intent_reverse', 'exchange_reverse', 'payin_reverse', 'reserve_release'],
  ),
  row(
    ['undelivered'],
    'payin_reversed',
    'R',
    'always',
    'unwind_undelivered',
    ['same', 'reversed', 'choosing'],
    ['exchange_reverse', 'payin_reverse', 'reversal_debt', 'reserve_release'],
  ),
  row([...FLYING, 'charged_back'], 'payin_reversed', 'R', 'too_late', 'owe', ['same'], ['reversal_debt']),
  row(
    ['completed', 'refunded', 'surrendered', 'applied'],
    'payin_reversed',
    'R',
    'loss_case',
    'charge_back',
    ['charged_back'],
    ['reversal_debt'],
  ),
  row(
    ['unclaimed'],
    'payin_reversed',
    'R',
    'always',
    'reverse_unclaimed',
    ['same', 'reversed'],
    ['claim', 'exchange_reverse', 'payin_reverse', 'unclaimed', 'reserve_release'],
  ),
  row(['frozen'], 'payin_reversed', 'R', 'always', 'reverse_frozen', ['same', 'reversed'], ['payin_reverse']),
  row(['charged_back'], 'transfer_returned', 'R', 'came_back', 'returned', ['undelivered'], ['write_off_reverse']),
  row(OWING, 'dispute_won', 'R', 'open_receivable', 'won', ['same'], ['dispute_win', 'unallocated'], {
    charged_back: ['same', 'completed', 'refunded', 'surrendered', 'applied'],
  }),
  row(OWING, 'repaid', 'O2', 'open_receivable', 'repaid', ['same'], [], {
    charged_back: ['same', 'completed', 'refunded', 'surrendered', 'applied'],
  }),
  row(OPEN, 'dispute_won', 'R', 'ended_before', 'won_open', ['holding', 'choosing'], ['reserve_release', 'payin']),
  row(LATER, 'dispute_won', 'R', 'no_receivable', 'won_unallocated', ['same'], ['unallocated']),
  row(['charged_back'], 'write_off', 'O2', 'proof', 'write_off', ['charged_back'], ['write_off']),
];

/** All rows. The first row that applies is used, so rows for particular states come before those for any state. */
export const ROWS: readonly OrderTransition[] = [
  ...BEFORE_MONEY,
  ...CHOICE,
  ...CHECKING,
  ...TRANSFER,
  ...UNDELIVERED,
  ...ANY_TIME,
];
