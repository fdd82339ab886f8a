// The order machine as data: all of its rows. It is the only way a state changes.
//
// A row: in one of the states `from`, when `event` happens by `who` and the guard holds, the step is taken; the order
// comes to one of `next` (`same`: the state stays), having posted nothing but `money`. The machine asserts both.

import type { MachineRow } from '../../platform/index.ts';
import type { EventName } from '../order/events.ts';
import type { GuardName } from './guards.ts';
import { type Actor, ORDER_STATES, type OrderState, TAKES_PAYMENTS } from '../order/order.ts';
import type { PostingName } from './postings.ts';
import type { StepName } from './steps.ts';

export interface Row extends MachineRow<OrderState, EventName, PostingName> {
  readonly who: Actor;
  readonly guard: GuardName;
  readonly step: StepName;
}

type Next = Row['next'][number];

function row(
  from: readonly OrderState[],
  event: EventName,
  who: Actor,
  guard: GuardName,
  step: StepName,
  next: readonly Next[],
  money: readonly PostingName[],
  nextFrom: NonNullable<Row['nextFrom']> = {},
): Row {
  return { from, event, who, guard, step, next, money, nextFrom };
}

/** States in which a payment may still become this order's. */
const OPEN: readonly OrderState[] = [...TAKES_PAYMENTS];
/** Every other state: what arrives is never counted for this order again. */
const LATER: readonly OrderState[] = ORDER_STATES.filter((state) => !TAKES_PAYMENTS.has(state));
/** The furthest that an order goes on by itself: the exchange and what it brings along. */
const GO_ON: readonly PostingName[] = ['reserve', 'exchange', 'reserve_release', 'unallocated', 'payout_intent'];
const REFUND_OR_REST: readonly PostingName[] = ['reserve_release', 'refund_intent', 'unclaimed'];

const BEFORE_MONEY: readonly Row[] = [
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
    ['queued', 'approving', 'holding', 'choosing', 'seen'],
    ['payin', ...GO_ON],
    {
      expired: ['holding', 'choosing'],
      cancelled: ['holding', 'choosing'],
      reversed: ['holding', 'choosing'],
    },
  ),
];

const CHOICE: readonly Row[] = [
  row(['choosing'], 'rate_over', 'S', 'rate_over', 'rate_over', ['choosing'], ['reserve_release']),
  row(
    ['choosing'],
    'choose_continue',
    'C',
    'continues',
    'continue',
    ['queued', 'approving'],
    ['reserve', 'exchange', 'reserve_release', 'payout_intent'],
  ),
  row(['choosing'], 'take_short', 'S', 'take_short', 'take_short', ['queued', 'approving'], GO_ON),
  row(['choosing'], 'go_on_better', 'S', 'better', 'go_on_better', ['queued', 'approving'], GO_ON),
  row(['choosing'], 'choose_new_order', 'C', 'is_stray', 'apply', ['applied'], ['unallocated_use']),
  row(['choosing'], 'choose_refund', 'C', 'refundable', 'refund', ['r_queued'], ['reserve_release', 'refund_intent']),
  row(['choosing'], 'give_route', 'C', 'route_given', 'give_route', ['choosing'], []),
  row(['choosing'], 'deadline', 'S', 'choice_over', 'refund_or_rest', ['r_queued', 'unclaimed', 'holding'], REFUND_OR_REST),
  row(
    ['choosing', 'holding'],
    'settle_debt',
    'O2',
    'pays_debt',
    'settle_debt',
    ['applied'],
    ['reserve_release', 'unallocated', 'other_debt_settlement'],
  ),
  row(['choosing'], 'op_refund', 'O', 'told', 'refund_or_rest', ['r_queued', 'unclaimed'], REFUND_OR_REST),
  row(['choosing', 'approving'], 'op_hold', 'O', 'reason', 'op_hold', ['holding'], ['exchange_reverse', 'reserve']),
];

const CHECKING: readonly Row[] = [
  row(['holding'], 'papers_asked', 'K', 'no_papers_asked', 'papers_asked', ['holding'], ['reserve_release']),
  row(['holding'], 'papers_came', 'K', 'no_papers_came', 'papers_came', ['holding'], ['reserve_release']),
  row(['holding'], 'hold_rate_over', 'S', 'hold_rate_over', 'hold_rate_over', ['holding'], ['reserve_release']),
  row(['holding'], 'release', 'K', 'released', 'release', ['queued', 'approving', 'choosing', 'seen'], GO_ON),
  row(['holding'], 'decide_refund', 'K', 'lawful', 'refund_or_rest', ['r_queued', 'unclaimed'], REFUND_OR_REST),
  row(['holding'], 'deadline', 'S', 'soft_over', 'refund_or_rest', ['r_queued', 'unclaimed', 'same'], REFUND_OR_REST),
  row(['approving', 'holding'], 'give_route', 'C', 'route_given', 'give_route', ['same'], []),
  row(['approving'], 'approve', 'O', 'approved', 'approve', ['queued'], ['payout_intent']),
  row(['approving'], 'season_over', 'S', 'seasoned', 'let_out', ['queued', 'approving'], ['payout_intent']),
  row(['approving'], 'deadline', 'S', 'approval_over', 'approval_over', ['holding'], ['exchange_reverse', 'reserve']),
  row(
    ['seen', 'choosing', 'holding', 'approving', 'queued', 'r_queued', 'payout_failed', 'refund_failed', 'unclaimed'],
    'freeze', 'K2', 'law', 'freeze', ['frozen'], ['payout_intent_reverse', 'refund_intent_reverse', 'claim', 'exchange_reverse', 'reserve_release', 'freeze'],
  ), // prettier-ignore
  row(['frozen'], 'unfreeze', 'K2', 'written', 'unfreeze', ['holding'], ['unfreeze']),
  row(['frozen'], 'surrender', 'K2', 'authority', 'surrender', ['surrendered'], ['surrender']),
];

/** Payouts and refunds are one machine; a refund's states are the payout's twins. */
function transferRows(refund: boolean): readonly Row[] {
  const [queued, sending, inDoubt, sent, failed, done] = (
    refund
      ? ['r_queued', 'r_sending', 'r_in_doubt', 'r_sent', 'refund_failed', 'refunded']
      : ['queued', 'sending', 'in_doubt', 'sent', 'payout_failed', 'completed']
  ) as [OrderState, OrderState, OrderState, OrderState, OrderState, OrderState];
  const intent: PostingName = refund ? 'refund_intent' : 'payout_intent';
  const queueAgain: StepName = refund ? 'queue_refund' : 'let_out';
  const again: readonly Next[] = refund ? [queued] : [queued, 'approving'];
  return [
    row([queued], 'send', 'S', 'taken', 'send', [sending], []),
    row(
      [queued],
      'stop',
      'O',
      'untaken',
      'stop',
      [refund ? 'holding' : 'approving'],
      [refund ? 'refund_intent_reverse' : 'payout_intent_reverse'],
    ),
    row([sending], 'accepted', 'R', 'in_hand', 'sent', [sent], ['departure']),
    row([sending], 'refused', 'R', 'definite', 'failed', [failed], ['departure_failed']),
    row([sending], 'unknown', 'S', 'unclear', 'doubt', [inDoubt], []),
    row([inDoubt], 'found', 'S', 'looked_found', 'sent', [sent], ['departure']),
    row([inDoubt], 'absent', 'S', 'conclusive', 'failed', [failed], ['departure_failed']),
    row([inDoubt], 'resend', 'S', 'same_reference', 'send', [sending], []),
    row([inDoubt], 'dedupe_over', 'S', 'window_passed', 'dedupe_over', [inDoubt], []),
    row([inDoubt], 'resolve', 'O2', 'statement', 'resolve', [sent, failed], ['departure', 'departure_failed']),
    row([sent], 'transfer_final', 'R', 'deep_enough', 'end', [done, 'charged_back'], []),
    row([sent], 'vanished', 'R', 'gone', 'stay', [sent], []),
    row([sent, done], 'transfer_returned', 'R', 'back', 'returned', [failed], ['departure_returned']),
    row([failed], 'retry', 'S', 'passing', queueAgain, again, [intent]),
    row([failed], 'new_account', 'C', 'account_valid', 'new_account', again, [intent]),
    row([failed], 'op_retry', 'O', 'reason_owes_nothing', queueAgain, again, [intent]),
    row([failed], 'deadline', 'S', 'failed_over', 'rest', ['unclaimed'], ['unclaimed']),
    row(
      [failed],
      'settle_reversal',
      'S',
      'owes',
      'settle_reversal',
      ['reversed', 'choosing'],
      ['exchange_reverse', 'debt_settlement', 'write_off', 'reserve_release'],
    ),
  ];
}

const UNDELIVERED: readonly Row[] = [
  row(['payout_failed'], 'take_back', 'C', 'buys_back', 'take_back', ['r_queued'], ['buy_back', 'refund_intent']),
  row(
    ['unclaimed'],
    'claim',
    'C',
    'claimable',
    'claim',
    ['r_queued', 'queued', 'approving'],
    ['claim', 'refund_intent', 'payout_intent'],
  ),
  row(
    ['unclaimed'],
    'op_claim',
    'O2',
    'proved',
    'claim',
    ['r_queued', 'queued', 'approving'],
    ['claim', 'refund_intent', 'payout_intent'],
  ),
];

const ANY_TIME: readonly Row[] = [
  row(LATER, 'payin_seen', 'R', 'further', 'see_aside', ['same'], []),
  row(LATER, 'payin_dropped', 'R', 'always', 'drop_aside', ['same'], []),
  row(LATER, 'payin_final', 'R', 'never_counted', 'stray', ['same'], ['unallocated']),
  // `reversed`: after a buy-back below what was given, one of two payments can use up what was left for both.
  row(
    ['seen', 'choosing', 'holding', 'refund_failed', 'reversed'],
    'payin_reversed',
    'R',
    'taken_back',
    'reverse',
    ['same', 'reversed'],
    ['payin_reverse', 'reversal_debt', 'reserve_release'],
  ),
  row(
    ['approving', 'queued', 'r_queued'],
    'payin_reversed',
    'R',
    'before_sending',
    'unwind',
    ['reversed', 'choosing'],
    ['payout_intent_reverse', 'refund_intent_reverse', 'exchange_reverse', 'payin_reverse', 'reserve_release'],
  ),
  row(
    ['payout_failed'],
    'payin_reversed',
    'R',
    'always',
    'unwind_failed',
    ['same', 'reversed', 'choosing'],
    ['exchange_reverse', 'payin_reverse', 'reversal_debt', 'reserve_release'],
  ),
  row(
    ['sending', 'in_doubt', 'sent', 'r_sending', 'r_in_doubt', 'r_sent', 'charged_back'],
    'payin_reversed',
    'R',
    'too_late',
    'owe',
    ['same'],
    ['reversal_debt'],
  ),
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
  row(
    ['charged_back'],
    'transfer_returned',
    'R',
    'came_back',
    'returned',
    ['payout_failed', 'refund_failed'],
    ['departure_returned', 'write_off_reverse'],
  ),
  row(
    ['charged_back', 'sending', 'in_doubt', 'sent', 'r_sending', 'r_in_doubt', 'r_sent', 'payout_failed', 'refund_failed'],
    'dispute_won', 'R', 'open_receivable', 'won', ['same'], ['dispute_win', 'unallocated'],
    { charged_back: ['same', 'completed', 'refunded', 'surrendered', 'applied'] },
  ), // prettier-ignore
  row(
    ['charged_back', 'sending', 'in_doubt', 'sent', 'r_sending', 'r_in_doubt', 'r_sent', 'payout_failed', 'refund_failed'],
    'repaid', 'O2', 'open_receivable', 'repaid', ['same'], [],
    { charged_back: ['same', 'completed', 'refunded', 'surrendered', 'applied'] },
  ), // prettier-ignore
  row(OPEN, 'dispute_won', 'R', 'ended_before', 'won_open', ['holding', 'choosing'], ['reserve_release', 'payin']),
  row(LATER, 'dispute_won', 'R', 'no_receivable', 'won_stray', ['same'], ['unallocated']),
  row(['charged_back'], 'write_off', 'O2', 'proof', 'write_off', ['charged_back'], ['write_off']),
];

/** All rows. Payments of the order's own money stand before those that only may come in any state. */
export const ROWS: readonly Row[] = [
  ...BEFORE_MONEY,
  ...CHOICE,
  ...CHECKING,
  ...transferRows(false),
  ...transferRows(true),
  ...UNDELIVERED,
  ...ANY_TIME,
];
