// Guards of the order machine. Each has a check, and words that describe the check in the table. Pure.
//
// The machine can't see some conditions. The caller checks them before the event reaches the machine, and the words name that
// caller in brackets. (payments): before the event is recorded. (exchange): when the event is applied. (customer’s call): in
// `choose`. (desk): in `actOnOrder`, after the check of the operator's permission. If all conditions are of this kind, the guard
// is `unchecked`.

import { arrivedInTime, isEnough, isOverdue, observedPayments, withinTerms } from '../../collecting/index.ts';
import { heldBy } from './derived-orders.ts';
import type { Context, EventName, EventOf, OrderEvent, Refusal } from '../order/events/events.ts';
import { goesToPayer, goesToPayerOnly } from '../order/money/give-back.ts';
import { currentPrice, lockedPrice } from './offers.ts';
import { hasFreeUses, hasUsesOf } from '../order/money/order-coupons.ts';
import { rateHeldUntil } from './hold.ts';
import { IN_FLIGHT, type Offer, type OrderView, isUndecided, sends } from '../order/order.ts';
import { goesOnShort } from '../order/money/payment-coverage.ts';
import { canClaim, canRefund, canSendAgain, refundCostOf } from '../order/money/sent-back.ts';
import { deadlineOf, isClearing } from './timers.ts';

export interface Guard {
  /** Words of the guard in the table. */
  readonly words: string;
  /** Returns the reason for which the guard refuses an event; undefined if it accepts. */
  readonly check: (order: OrderView, event: OrderEvent, context: Context) => Refusal | undefined;
}

function guard(words: string, refusal: Refusal, holds: (order: OrderView, event: never, context: Context) => boolean): Guard {
  return {
    words,
    check: (order, event, context) => (holds(order, event as never, context) ? undefined : refusal),
  };
}

/** Returns a guard that accepts every event: the event reports a fact, or the caller has checked its conditions. */
const unchecked = (words: string): Guard => ({ words, check: () => undefined });

const passed = (since: Date, span: number, now: Date): boolean => now.getTime() - since.getTime() >= span;

/** True if the amount that arrived in time is enough to be exchanged automatically, at the locked rate, when the lock ends. */
const takesShort = (order: OrderView): boolean => goesOnShort(order, arrivedInTime(order));

function reserveReaches(order: OrderView, got: bigint, context: Context): boolean {
  return got - order.positions.reserve <= context.free.get;
}

/**
 * True if a late order may go on automatically: the current rate is as good for the customer as the locked one, or better by at
 * most the set percentage.
 */
function isBetter(order: OrderView, context: Context): boolean {
  const { facts, positions } = order;
  if (order.kind !== 'order' || !facts.isLate || facts.hasLowerRate || facts.askMe || facts.isAsked) return false;
  const parts = withinTerms(order, positions.in);
  const locked = lockedPrice(order, parts, context.again);
  const current = currentPrice(order, parts, context);
  if (!locked || !current || !isEnough(order, parts) || !context.allows(parts)) return false;
  const was = locked.breakdown.get.parts;
  const is = current.breakdown.get.parts;
  return is >= was && (is - was) * 100n <= was * BigInt(context.rules.better) && reserveReaches(order, is, context);
}

function offerStands(order: OrderView, event: EventOf<'choose_continue'>, context: Context): boolean {
  const { offer } = order.facts;
  const isNewest = offer?.number === event.offer && !passed(offer.madeAt, context.rules.offer, context.now);
  return isNewest && (!hasFreeUses(order) || hasUsesOf(order, offer, context.again));
}

const owesNothing = (order: OrderView): boolean => order.positions.receivable === 0n;

/** True if a payout or refund was requested, and its sending has not been reported as done or failed. */
const isOut = (order: OrderView): boolean => order.facts.transfer !== undefined;

/** True if the customer owes nothing for this order, and none of its sends was found late. Its money may then be sent. */
const isSettled = (order: OrderView): boolean => owesNothing(order) && !order.facts.isFoundLate;

/** True if the customer owes nothing for other orders, and is not blocked. */
const isFree = ({ owes }: Context): boolean => heldBy(owes) === undefined;

/** The choice of an offer that each event accepts. */
const CHOICE_OF: Partial<Record<EventName, string>> = {
  choose_continue: 'continue',
  choose_new_order: 'new_order',
  take_back: 'take_back',
};

function offered(words: string, extra: (order: OrderView, offer: Offer, context: Context) => boolean): Guard {
  return {
    words,
    check: (order, event, context) => {
      const { offer } = order.facts;
      if (offer?.choice !== CHOICE_OF[event.type] || !offer) return 'choice_not_open';
      if (!offerStands(order, event as EventOf<'choose_continue'>, context)) return 'offer_expired';
      return extra(order, offer, context) ? undefined : 'choice_not_open';
    },
  };
}

/** True if the money that the offer covers is still there. */
const covers = (order: OrderView, offer: Offer): boolean => offer.breakdown.give.parts <= order.positions.in;

function isOver(order: OrderView, { rules, now }: Context): boolean {
  const ends = deadlineOf(order, rules);
  return ends !== undefined && now >= ends && !order.facts.isFoundLate;
}

export const GUARDS = {
  always: unchecked(''),
  nothing_seen: guard('nothing seen', 'order_changed', (order) => observedPayments(order).length === 0),
  lock_over: guard(
    "nothing seen by the lock's end",
    'not_due',
    (order, _: OrderEvent, { now }) => observedPayments(order).length === 0 && now >= order.pinned.lockUntil,
  ),
  dust: unchecked('above dust, right currency and place (payments)'),
  window_over: guard(
    'fee under our 6-block estimate, or no first confirmation in the window; nothing in yet / something in',
    'not_due',
    (order, _: OrderEvent, { now }) =>
      (!order.facts.isLate || order.positions.in > 0n) &&
      observedPayments(order).every((payment) => isOverdue(order, payment, now)),
  ),
  dropped: unchecked('gone by evidence, or given up after 14 days without a block (payments)'),
  looked_up: unchecked(
    'in order of arrival; looked up (payments); screened (exchange; a flagged payment that the order does not need is a held unallocated payment of its own): fits or more, in time / held / anything else',
  ),
  rate_over: guard(
    'lock\'s end, below the share that is enough, or "ask me" (or no reserve to promise it)',
    'not_due',
    (order, _: OrderEvent, context) =>
      !order.facts.isLate && context.now >= order.pinned.lockUntil && !(takesShort(order) && shortReaches(order, context)),
  ),
  take_short: guard(
    'short but in time, at least the share that is enough (80 %) and above the minimum; at the lock\'s end; customer did not tick "ask me"',
    'not_due',
    (order, _: OrderEvent, context) => context.now >= order.pinned.lockUntil && takesShort(order) && shortReaches(order, context),
  ),
  better: guard(
    'late, current rate better for the customer by at most the percentage for automatic exchange (2 %), reserve and limits allow; no "ask me"',
    'not_due',
    (order, _: OrderEvent, context) => isBetter(order, context),
  ),
  continues: offered(
    'offer is the newest, < 3 min old, at the CURRENT rate (the lower of it and the locked one while money that came in time is not late), for no more than is there; reserve held; limits + 10 %',
    (order, offer, context) =>
      order.kind === 'order' &&
      order.positions.in > 0n &&
      covers(order, offer) &&
      context.allows(order.positions.in) &&
      reserveReaches(order, offer.parts, context),
  ),
  is_unallocated: offered(
    'an unallocated payment only: a new order at the current rate takes the money',
    (order, offer, context) => order.kind === 'unallocated' && covers(order, offer) && offer.parts <= context.free.get,
  ),
  refundable: guard(
    'route known (source, refund account); above the refund minimum; its customer owes nothing elsewhere, and is not blocked',
    'choice_not_open',
    (order, _: OrderEvent, context) => isFree(context) && canRefund(order),
  ),
  route_given: guard(
    'token and mailed code; account screened (customer’s call); of the side given; no refund goes to its payer’s own account',
    'choice_not_open',
    (order, { account }: EventOf<'give_route'>) => account.side === 'give' && !goesToPayer(order),
  ),
  undecided: guard(
    'an unallocated payment only, about which its customer has decided nothing; the owner for whom it came takes it (gate)',
    'action_not_open',
    isUndecided,
  ),
  choice_over: guard(
    '72 h: the preset of step 2, else refund; route known / not; of a debtor people decide',
    'not_due',
    (order, _: OrderEvent, context) => order.positions.in > 0n && isOver(order, context),
  ),
  notified: guard(
    'customer notified (by letter, afterwards); same row lock as their choice: one wins',
    'action_not_open',
    (order) => order.positions.in > 0n,
  ),
  reason: unchecked('reason written (desk)'),
  lawful: unchecked('lawful (stated by the person who decides); route known / not'),
  released: unchecked(
    'no papers requested or received, and within the hold’s 72 h, or within 30 min: rate kept / papers: the lower of it and the current one / else re-priced (the step tells them apart)',
  ),
  no_papers_asked: guard(
    'reason written (desk); none requested, or others have come since',
    'action_not_open',
    ({ facts }) => facts.hold?.papers !== 'asked',
  ),
  no_papers_came: guard(
    'reason written (desk); none have come, or others were requested since',
    'action_not_open',
    ({ facts }) => facts.hold?.papers !== 'came',
  ),
  hold_rate_over: guard(
    '72 h, the locked rate still kept, and a person ends the hold',
    'not_due',
    (order, _: OrderEvent, { rules, now }) => {
      const until = rateHeldUntil(order, rules);
      return until !== undefined && now >= until;
    },
  ),
  soft_over: guard(
    '72 h and the cause is soft (papers, limits); a hard label or a silent screening stays and alarms',
    'not_due',
    (order, _: OrderEvent, context) => order.facts.hold?.cause === 'soft' && isOver(order, context),
  ),
  approved: guard(
    "amount rule, by the current worth: one or two operators (desk: two different ones), not the customer's friend (they state it)",
    'action_not_open',
    ({ facts: { approval }, positions }, event: EventOf<'approve'>, { now, approvalFor }) =>
      approval !== undefined &&
      event.people >= approval.people &&
      event.people >= approvalFor(positions.out).people &&
      approval.people > 0 &&
      (approval.clearingUntil === undefined || now >= approval.clearingUntil),
  ),
  cleared: guard(
    "the wait is a reversible pay-in's clearing period, and it is over, no dispute",
    'not_due',
    (order, _: OrderEvent, context) => isClearing(order.facts) && isOver(order, context),
  ),
  approval_over: guard(
    '24 h without approval',
    'not_due',
    (order, _: OrderEvent, context) => !isClearing(order.facts) && isOver(order, context),
  ),
  law: guard(
    'law: sanctions, seizure, theft claim (stated by the person who decides); money is in, its payout was stopped (payments), no receivable open',
    'action_not_open',
    (order, { isStopped }: EventOf<'freeze'>) =>
      owesNothing(order) &&
      (order.state !== 'seen' || order.positions.in > 0n) &&
      (!IN_FLIGHT.has(order.state) || isStopped === true),
  ),
  written: unchecked('written ground (desk)'),
  authority: unchecked('order of an authority (stated by the person who decides)'),
  untaken: guard(
    'before the worker took it (payments stops it, or refuses); no receivable',
    'order_changed',
    (order) => isOut(order) && owesNothing(order),
  ),
  in_hand: guard(
    "provider's id / tx id in hand, the look-up's answer, or two people's decision (payments)",
    'order_changed',
    isOut,
  ),
  not_sent: guard(
    'a definite refusal, the proof that it can never happen, or two people’s decision (payments)',
    'order_changed',
    isOut,
  ),
  deep_enough: guard(
    'deep enough / claimed (payments); no receivable / receivable open',
    'order_changed',
    (order) => !isOut(order) && order.facts.sent !== undefined,
  ),
  back: guard(
    'reverted, unclaimed, blocked, bounced: the money is back in our hands',
    'order_changed',
    (order) => order.facts.sent !== undefined,
  ),
  transient: guard(
    'cause was transient; at most 5; no receivable; more money than a refund costs',
    'not_due',
    (order, _: OrderEvent, { rules }) =>
      isSettled(order) && canSendAgain(order) && order.facts.isTransient && order.facts.tries < rules.retries,
  ),
  account_valid: guard(
    'token and mailed code; validated, screened (customer’s call); an account of the side that failed, which for a refund of what can be taken back is its payer’s alone; no receivable; more money than a refund costs; for a refund its customer owes nothing elsewhere, and is not blocked',
    'choice_not_open',
    (order, { account }: EventOf<'new_account'>, context) =>
      (sends(order) === 'payout'
        ? account.side === 'get'
        : account.side === 'give' && !goesToPayerOnly(order) && isFree(context)) &&
      isSettled(order) &&
      canSendAgain(order),
  ),
  reason_owes_nothing: guard(
    'reason written (desk); no receivable; more money than a refund costs',
    'action_not_open',
    (order) => isSettled(order) && canSendAgain(order),
  ),
  failed_over: guard(
    '72 h; no receivable',
    'not_due',
    (order, _: OrderEvent, context) => isSettled(order) && isOver(order, context),
  ),
  owes: guard('pay-in was reversed while the transfer was in flight', 'not_due', (order) => !owesNothing(order)),
  buys_back: offered(
    'bought back at the CURRENT rate, never above what was given, for more than a refund costs; route known; no receivable; its customer owes nothing elsewhere, and is not blocked',
    (order, { parts }, context) =>
      isFree(context) &&
      isSettled(order) &&
      sends(order) === 'payout' &&
      order.refund !== undefined &&
      order.positions.in + parts > refundCostOf(order) &&
      parts <= context.free.give,
  ),
  claimable: guard(
    'token and mailed code, route given and screened (customer’s call): of the side that is unclaimed, give currency (unless it can be taken back, or its customer owes elsewhere or is blocked) / get currency',
    'choice_not_open',
    (order, { account }: EventOf<'claim'>, context) =>
      canClaim(order, account.side) && (account.side === 'get' || (!goesToPayerOnly(order) && isFree(context))),
  ),
  proved: guard(
    'customer proved who they are another way; route screened (desk); of the side that is unclaimed',
    'action_not_open',
    (order, { account }: EventOf<'op_claim'>) => canClaim(order, account.side),
  ),
  further: unchecked('a further payment'),
  never_counted: unchecked('never counted for this order again; flagged: a held unallocated payment'),
  taken_back: unchecked('reorg, chargeback'),
  before_sending: guard(
    'before the worker took it (payments stops it first)',
    'order_changed',
    ({ state }, { isStopped }: EventOf<'payin_reversed'>) => !IN_FLIGHT.has(state) || isStopped === true,
  ),
  too_late: unchecked('too late to stop'),
  loss_case: unchecked('the loss case'),
  came_back: guard('what we sent came back after all', 'order_changed', (order) => order.facts.sent !== undefined),
  open_receivable: guard(
    'or mined again, or the customer paid it back; receivable open',
    'order_changed',
    (order) => order.positions.receivable + order.positions.loss > 0n,
  ),
  ended_before: guard(
    'money is back on an order that had ended',
    'order_changed',
    (order) => order.positions.receivable + order.positions.loss === 0n,
  ),
  no_receivable: guard(
    'no receivable open',
    'order_changed',
    (order) => order.positions.receivable + order.positions.loss === 0n,
  ),
  pays_debt: guard(
    'two people assign it to a debt in its own currency (desk); no more than is there',
    'action_not_open',
    (order, { parts }: EventOf<'settle_debt'>) => parts > 0n && parts <= order.positions.in,
  ),
  proof: guard(
    '180 days after the money was taken back, or proof (in writing)',
    'action_not_open',
    (order, { evidence }: EventOf<'write_off'>, { rules, now }) =>
      !owesNothing(order) && (evidence.trim() !== '' || passed(order.facts.owedSince ?? order.facts.since, rules.writeOff, now)),
  ),
} satisfies Record<string, Guard>;

export type GuardName = keyof typeof GUARDS;

function shortReaches(order: OrderView, context: Context): boolean {
  const price = lockedPrice(order, withinTerms(order, arrivedInTime(order)), context.again);
  return price !== undefined && reserveReaches(order, price.breakdown.get.parts, context);
}
