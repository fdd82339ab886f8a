// The order machine as data: every row of the money rules, §3. It is the only way a state changes.
//
// A row: in one of the states `from`, when `event` happens by `who` and the guard holds, the step is taken; the order
// comes to one of `next` (`same`: the state stays), having posted nothing but `money`. The machine asserts both.

import type { EventName } from './events.ts';
import type { GuardName } from './guards.ts';
import { type Actor, ORDER_STATES, type OrderState, TAKES_PAYMENTS } from './order.ts';
import type { PostingTag } from './postings.ts';
import type { StepName } from './steps.ts';

export interface Row {
  readonly from: readonly OrderState[];
  readonly event: EventName;
  readonly who: Actor;
  readonly guard: GuardName;
  readonly step: StepName;
  readonly next: readonly Next[];
  readonly money: readonly PostingTag[];
  /** Where it can come to from one of several states, where that differs. */
  readonly nextFrom?: Readonly<Partial<Record<OrderState, readonly Next[]>>>;
}

type Next = OrderState | 'same';

/** Where a row can come to from a state. */
export function nextOf(row: Row, from: OrderState): readonly Next[] {
  return row.nextFrom?.[from] ?? row.next;
}

function row(
  from: readonly OrderState[],
  event: EventName,
  who: Actor,
  guard: GuardName,
  step: StepName,
  next: readonly Next[],
  money: readonly PostingTag[],
  nextFrom: NonNullable<Row['nextFrom']> = {},
): Row {
  return { from, event, who, guard, step, next, money, nextFrom };
}

/** States in which a payment may still become this order's. */
const OPEN: readonly OrderState[] = [...TAKES_PAYMENTS];
/** Every other state: what arrives is never counted for this order again. */
const LATER: readonly OrderState[] = ORDER_STATES.filter((state) => !TAKES_PAYMENTS.has(state));
/** The furthest that an order goes on by itself: the exchange and what it brings along. */
const GO_ON: readonly PostingTag[] = ['O1', 'O4', 'O1r', 'O11', 'O5'];
const REFUND_OR_REST: readonly PostingTag[] = ['O1r', 'O9', 'O10'];

const BEFORE_MONEY: readonly Row[] = [
  row(['awaiting'], 'cancel', 'C', 'nothing_seen', 'cancel', ['cancelled'], ['O1r']),
  row(['awaiting'], 'lock_over', 'S', 'lock_over', 'expire', ['expired'], ['O1r']),
  row(['awaiting', 'choosing'], 'payin_seen', 'R', 'dust', 'see', ['seen'], []),
  row(['seen'], 'payin_seen', 'R', 'always', 'see', ['seen'], []),
  row(['expired', 'cancelled', 'reversed'], 'payin_seen', 'R', 'always', 'see_late', ['seen'], []),
  row(['seen'], 'window_over', 'S', 'window_over', 'window_over', ['seen', 'choosing'], ['O1r']),
  row(OPEN, 'payin_dropped', 'R', 'dropped', 'drop', ['same'], ['O1r'], {
    seen: ['same', 'choosing', 'awaiting', 'expired'],
  }),
  row(
    OPEN,
    'payin_final',
    'R',
    'looked_up',
    'receive',
    ['queued', 'approving', 'holding', 'choosing', 'seen'],
    ['O3', ...GO_ON],
    {
      expired: ['holding', 'choosing'],
      cancelled: ['holding', 'choosing'],
      reversed: ['holding', 'choosing'],
    },
  ),
];

const CHOICE: readonly Row[] = [
  row(['choosing'], 'rate_over', 'S', 'rate_over', 'rate_over', ['choosing'], ['O1r']),
  row(['choosing'], 'choose_continue', 'C', 'continues', 'continue', ['queued', 'approving'], ['O1', 'O4', 'O1r', 'O5']),
  row(['choosing'], 'take_short', 'S', 'take_short', 'take_short', ['queued', 'approving'], GO_ON),
  row(['choosing'], 'go_on_better', 'S', 'better', 'go_on_better', ['queued', 'approving'], GO_ON),
  row(['choosing'], 'choose_new_order', 'C', 'is_stray', 'apply', ['applied'], ['O11a']),
  row(['choosing'], 'choose_refund', 'C', 'refundable', 'refund', ['r_queued'], ['O1r', 'O9']),
  row(['choosing'], 'give_route', 'C', 'route_given', 'give_route', ['choosing'], []),
  row(['choosing'], 'deadline', 'S', 'choice_over', 'refund_or_rest', ['r_queued', 'unclaimed', 'holding'], REFUND_OR_REST),
  row(['choosing', 'holding'], 'settle_debt', 'O2', 'pays_debt', 'settle_debt', ['applied'], ['O1r', 'O11', 'O12p']),
  row(['choosing'], 'op_refund', 'O', 'told', 'refund_or_rest', ['r_queued', 'unclaimed'], REFUND_OR_REST),
  row(['choosing', 'approving'], 'op_hold', 'O', 'reason', 'op_hold', ['holding'], ['O4u', 'O1']),
];

const CHECKING: readonly Row[] = [
  row(['holding'], 'papers_asked', 'K', 'no_papers_asked', 'papers_asked', ['holding'], ['O1r']),
  row(['holding'], 'papers_came', 'K', 'no_papers_came', 'papers_came', ['holding'], ['O1r']),
  row(['holding'], 'hold_rate_over', 'S', 'hold_rate_over', 'hold_rate_over', ['holding'], ['O1r']),
  row(['holding'], 'release', 'K', 'released', 'release', ['queued', 'approving', 'choosing', 'seen'], GO_ON),
  row(['holding'], 'decide_refund', 'K', 'lawful', 'refund_or_rest', ['r_queued', 'unclaimed'], REFUND_OR_REST),
  row(['holding'], 'deadline', 'S', 'soft_over', 'refund_or_rest', ['r_queued', 'unclaimed', 'same'], REFUND_OR_REST),
  row(['approving', 'holding'], 'give_route', 'C', 'route_given', 'give_route', ['same'], []),
  row(['approving'], 'approve', 'O', 'approved', 'approve', ['queued'], ['O5']),
  row(['approving'], 'season_over', 'S', 'seasoned', 'let_out', ['queued', 'approving'], ['O5']),
  row(['approving'], 'deadline', 'S', 'approval_over', 'approval_over', ['holding'], ['O4u', 'O1']),
  row(
    ['seen', 'choosing', 'holding', 'approving', 'queued', 'r_queued', 'payout_failed', 'refund_failed', 'unclaimed'],
    'freeze', 'K2', 'law', 'freeze', ['frozen'], ['O5r', 'O9r', 'O10b', 'O4u', 'O1r', 'O10f'],
  ), // prettier-ignore
  row(['frozen'], 'unfreeze', 'K2', 'written', 'unfreeze', ['holding'], ['O10u']),
  row(['frozen'], 'surrender', 'K2', 'authority', 'surrender', ['surrendered'], ['O10s']),
];

/** Payouts and refunds are one machine; a refund's states are the payout's twins. */
function transferRows(refund: boolean): readonly Row[] {
  const [queued, sending, inDoubt, sent, failed, done] = (
    refund
      ? ['r_queued', 'r_sending', 'r_in_doubt', 'r_sent', 'refund_failed', 'refunded']
      : ['queued', 'sending', 'in_doubt', 'sent', 'payout_failed', 'completed']
  ) as [OrderState, OrderState, OrderState, OrderState, OrderState, OrderState];
  const intent: PostingTag = refund ? 'O9' : 'O5';
  const queueAgain: StepName = refund ? 'queue_refund' : 'let_out';
  const again: readonly Next[] = refund ? [queued] : [queued, 'approving'];
  return [
    row([queued], 'send', 'S', 'taken', 'send', [sending], []),
    row([queued], 'stop', 'O', 'untaken', 'stop', [refund ? 'holding' : 'approving'], [refund ? 'O9r' : 'O5r']),
    row([sending], 'accepted', 'R', 'in_hand', 'sent', [sent], ['O6']),
    row([sending], 'refused', 'R', 'definite', 'failed', [failed], ['O7']),
    row([sending], 'unknown', 'S', 'unclear', 'doubt', [inDoubt], []),
    row([inDoubt], 'found', 'S', 'looked_found', 'sent', [sent], ['O6']),
    row([inDoubt], 'absent', 'S', 'conclusive', 'failed', [failed], ['O7']),
    row([inDoubt], 'resend', 'S', 'same_reference', 'send', [sending], []),
    row([inDoubt], 'dedupe_over', 'S', 'window_passed', 'dedupe_over', [inDoubt], []),
    row([inDoubt], 'resolve', 'O2', 'statement', 'resolve', [sent, failed], ['O6', 'O7']),
    row([sent], 'transfer_final', 'R', 'deep_enough', 'end', [done, 'charged_back'], []),
    row([sent], 'vanished', 'R', 'gone', 'stay', [sent], []),
    row([sent, done], 'transfer_returned', 'R', 'back', 'returned', [failed], ['O8']),
    row([failed], 'retry', 'S', 'passing', queueAgain, again, [intent]),
    row([failed], 'new_account', 'C', 'account_valid', 'new_account', again, [intent]),
    row([failed], 'op_retry', 'O', 'reason_owes_nothing', queueAgain, again, [intent]),
    row([failed], 'deadline', 'S', 'failed_over', 'rest', ['unclaimed'], ['O10']),
    row([failed], 'settle_reversal', 'S', 'owes', 'settle_reversal', ['reversed', 'choosing'], ['O4u', 'O12s', 'O12x', 'O1r']),
  ];
}

const UNDELIVERED: readonly Row[] = [
  row(['payout_failed'], 'take_back', 'C', 'buys_back', 'take_back', ['r_queued'], ['O4b', 'O9']),
  row(['unclaimed'], 'claim', 'C', 'claimable', 'claim', ['r_queued', 'queued', 'approving'], ['O10b', 'O9', 'O5']),
  row(['unclaimed'], 'op_claim', 'O2', 'proved', 'claim', ['r_queued', 'queued', 'approving'], ['O10b', 'O9', 'O5']),
];

const ANY_TIME: readonly Row[] = [
  row(LATER, 'payin_seen', 'R', 'further', 'see_aside', ['same'], []),
  row(LATER, 'payin_dropped', 'R', 'always', 'drop_aside', ['same'], []),
  row(LATER, 'payin_final', 'R', 'never_counted', 'stray', ['same'], ['O11']),
  // `reversed`: after a buy-back below what was given, one of two payments can use up what was left for both.
  row(
    ['seen', 'choosing', 'holding', 'refund_failed', 'reversed'],
    'payin_reversed',
    'R',
    'taken_back',
    'reverse',
    ['same', 'reversed'],
    ['O3r', 'O12', 'O1r'],
  ),
  row(
    ['approving', 'queued', 'r_queued'],
    'payin_reversed',
    'R',
    'before_sending',
    'unwind',
    ['reversed', 'choosing'],
    ['O5r', 'O9r', 'O4u', 'O3r', 'O1r'],
  ),
  row(
    ['payout_failed'],
    'payin_reversed',
    'R',
    'always',
    'unwind_failed',
    ['same', 'reversed', 'choosing'],
    ['O4u', 'O3r', 'O12', 'O1r'],
  ),
  row(
    ['sending', 'in_doubt', 'sent', 'r_sending', 'r_in_doubt', 'r_sent', 'charged_back'],
    'payin_reversed',
    'R',
    'too_late',
    'owe',
    ['same'],
    ['O12'],
  ),
  row(
    ['completed', 'refunded', 'surrendered', 'applied'],
    'payin_reversed',
    'R',
    'loss_case',
    'charge_back',
    ['charged_back'],
    ['O12'],
  ),
  row(
    ['unclaimed'],
    'payin_reversed',
    'R',
    'always',
    'reverse_unclaimed',
    ['same', 'reversed'],
    ['O10b', 'O4u', 'O3r', 'O10', 'O1r'],
  ),
  row(['frozen'], 'payin_reversed', 'R', 'always', 'reverse_frozen', ['same', 'reversed'], ['O3r']),
  row(['charged_back'], 'transfer_returned', 'R', 'came_back', 'returned', ['payout_failed', 'refund_failed'], ['O8', 'O12x']),
  row(
    ['charged_back', 'sending', 'in_doubt', 'sent', 'r_sending', 'r_in_doubt', 'r_sent', 'payout_failed', 'refund_failed'],
    'dispute_won', 'R', 'open_receivable', 'won', ['same'], ['O12w', 'O11'],
    { charged_back: ['same', 'completed', 'refunded', 'surrendered', 'applied'] },
  ), // prettier-ignore
  row(
    ['charged_back', 'sending', 'in_doubt', 'sent', 'r_sending', 'r_in_doubt', 'r_sent', 'payout_failed', 'refund_failed'],
    'repaid', 'O2', 'open_receivable', 'repaid', ['same'], [],
    { charged_back: ['same', 'completed', 'refunded', 'surrendered', 'applied'] },
  ), // prettier-ignore
  row(OPEN, 'dispute_won', 'R', 'ended_before', 'won_open', ['holding', 'choosing'], ['O1r', 'O3']),
  row(LATER, 'dispute_won', 'R', 'no_receivable', 'won_stray', ['same'], ['O11']),
  row(['charged_back'], 'write_off', 'O2', 'proof', 'write_off', ['charged_back'], ['O12x']),
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
