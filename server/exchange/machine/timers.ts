// Decides when an order's timer is due, and which events are then tried. Pure.

import { overdueAt, windowsEnd } from '../../collecting/index.ts';
import type { OrderEvent, Rules } from '../order/events/events.ts';
import { rateHeldUntil } from './hold.ts';
import type { OrderView } from '../order/order.ts';
import { canSendAgain } from '../order/money/sent-back.ts';

/**
 * Time in ms for which the lock's end is delayed: a payment that was seen in time may be reported a moment later, and must not
 * find its order expired.
 */
const LOCK_GRACE = 5_000;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Pauses before a failed transfer is tried again, in ms. */
const RETRY_AFTER = [1, 5, 15, 30, 60].map((minutes) => minutes * MINUTE);
/** Ages of unclaimed money at which its owner is reminded, in ms. */
const REMIND_AFTER = [1, 7, 30, 85].map((days) => days * DAY);

/** Events that the system tries when an order's timer is due; only the first one that the machine accepts is applied. */
export type TimerEvent = Extract<
  OrderEvent['type'],
  | 'lock_over'
  | 'window_over'
  | 'go_on_better'
  | 'take_short'
  | 'rate_over'
  | 'deadline'
  | 'hold_rate_over'
  | 'clearing_over'
  | 'retry'
  | 'settle_reversal'
>;

/** Returns the events that a due timer tries in the order's state, in this sequence. */
export function timersOf({ state }: OrderView): readonly TimerEvent[] {
  switch (state) {
    case 'awaiting':
      return ['lock_over'];
    case 'seen':
      return ['window_over'];
    case 'choosing':
      return ['go_on_better', 'take_short', 'rate_over', 'deadline'];
    case 'holding':
      return ['deadline', 'hold_rate_over'];
    case 'approving':
      return ['clearing_over', 'deadline'];
    case 'undelivered':
      return ['settle_reversal', 'retry', 'deadline'];
    default:
      return [];
  }
}

/** Returns when an order's timer is due next; undefined if nothing is to be done automatically. */
export function nextPollAt(order: OrderView, rules: Rules): Date | undefined {
  const times = [ownDue(order, rules), order.facts.pending?.from.getTime()].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}

function ownDue(order: OrderView, rules: Rules): number | undefined {
  const { facts, pinned, state } = order;
  const since = facts.since.getTime();
  if (facts.isFoundLate) return undefined;
  switch (state) {
    case 'awaiting':
      return pinned.lockUntil.getTime() + LOCK_GRACE;
    case 'seen':
      return windowDue(order);
    case 'choosing':
      if (!facts.isLate) return Math.max(since, pinned.lockUntil.getTime() + LOCK_GRACE);
      return facts.isAsked ? deadlineOf(order, rules)?.getTime() : since;
    case 'holding':
      return (deadlineOf(order, rules) ?? rateHeldUntil(order, rules))?.getTime();
    case 'approving':
      return deadlineOf(order, rules)?.getTime();
    case 'undelivered':
      if (order.positions.receivable > 0n || facts.isFreezePending) return since;
      if (facts.isTransient && facts.tries < rules.retries && canSendAgain(order))
        return since + (RETRY_AFTER[facts.tries - 1] ?? RETRY_AFTER.at(-1) ?? 0);
      return deadlineOf(order, rules)?.getTime();
    case 'unclaimed': {
      const next = REMIND_AFTER[facts.reminded];
      return next === undefined ? undefined : since + next;
    }
    default:
      return undefined;
  }
}

/**
 * Returns the time at which the locked rate is lost, unless one of the observed payments is confirmed by then. Undefined if no
 * such time is set.
 */
function windowDue(order: OrderView): number | undefined {
  if (order.facts.isLate && order.positions.in === 0n) return undefined;
  return overdueAt(order)?.getTime();
}

/**
 * Returns the time that polls must have reached before the order's timer may conclude that no payment or no confirmation came in
 * time. This time is the end of the lock, or of the window for a first confirmation. Undefined in other states.
 */
export function pollsUntil(order: OrderView): Date | undefined {
  const { state, facts, pinned } = order;
  if (state === 'awaiting' || (state === 'choosing' && !facts.isLate)) return pinned.lockUntil;
  return state === 'seen' ? windowsEnd(order) : undefined;
}

/**
 * Returns when the customer's choice, a hold, an approval or a clearing period ends automatically; undefined if it has no set
 * end. The guards of `deadline`, the timers and the pages all use this function.
 */
export function deadlineOf({ state, facts }: OrderView, rules: Windows): Date | undefined {
  const since = facts.since.getTime();
  switch (state) {
    case 'choosing':
      return new Date((facts.choiceSince?.getTime() ?? since) + rules.choice);
    case 'undelivered':
      return new Date(since + rules.choice);
    case 'holding':
      return facts.hold?.cause === 'soft' ? new Date(since + rules.hold) : undefined;
    case 'approving': {
      const clearing = facts.approval?.clearingUntil;
      if (clearing && isClearing(facts)) return clearing;
      return new Date(Math.max(since, clearing?.getTime() ?? 0) + rules.approval);
    }
    default:
      return undefined;
  }
}

type Windows = Pick<Rules, 'choice' | 'hold' | 'approval'>;

/** True if the order needs no approval, and only waits for the clearing period of a reversible pay-in. */
export function isClearing({ approval }: OrderView['facts']): boolean {
  return approval?.people === 0 && approval.clearingUntil !== undefined;
}
