// Model of a payout and a rail whose truth is hidden from us, by state and not by attempts: returns what may happen next. For
// tests of an owner's machine together with it.

import type { PayoutEvent } from '../rails/event-bodies.ts';
import { type PayoutStatus, type PayoutStep, PAYOUT_MACHINE, nextStatus } from './machine/payout-machine.ts';

/** A rail's abilities about a send whose answer was lost. */
export interface RailKind {
  /** Its look-up shows what happened, and proves what never can. */
  readonly canLookUp: boolean;
  /** It repeats its first answer for a known reference. */
  readonly hasMemory: boolean;
}

export const RAIL_KINDS: readonly RailKind[] = [
  { canLookUp: true, hasMemory: false },
  { canLookUp: false, hasMemory: true },
  { canLookUp: false, hasMemory: false },
];

export interface PayoutNode {
  readonly status: PayoutStatus;
  /** Fate of the last send at the rail. `nothing`: nothing was sent, or it came back. */
  readonly truth: 'nothing' | 'not_done' | 'done';
  readonly rail: RailKind;
  /** Number of times that the rail may still return the payout. */
  readonly returns: number;
}

/** A step of a payout, with the events that its owner receives. */
export interface PayoutMove {
  readonly step: PayoutStep;
  readonly node: PayoutNode;
  readonly reports: readonly PayoutEvent[];
  /** Action of the rail: pays it (1), returns it (-1), or nothing. */
  readonly pays: 0 | 1 | -1;
  /** Actor of the step. */
  readonly who: string;
}

const WHO = new Map(PAYOUT_MACHINE.rows.map(({ event, who }) => [event, who]));
/** Steps of the owner, and steps after the payout's end. */
const NOT_OF_PAYMENTS: ReadonlySet<PayoutStep> = new Set([
  'stop',
  'ask_again',
  'meet',
  'book_sent',
  'found_late',
  'late_back',
  'late_settled',
  'progress',
  'vanished',
]);

/** Possible steps of each state, and the states they lead to. */
const OPEN = new Map(
  (Object.keys(PAYOUT_MACHINE.states) as PayoutStatus[]).map((status) => [
    status,
    [...WHO.keys()].flatMap((step): [PayoutStep, PayoutStatus][] => {
      const next = NOT_OF_PAYMENTS.has(step) ? undefined : nextStatus(status, step);
      return next === undefined ? [] : [[step, next]];
    }),
  ]),
);

/** Returns the possible steps of a payout in payments and at its rail. */
export function payoutMoves(node: PayoutNode): PayoutMove[] {
  return (OPEN.get(node.status) ?? []).flatMap(([step, status]) =>
    truthsAfter(node, step).map((truth): PayoutMove => ({
      step,
      node: { ...node, status, truth, returns: step === 'returned' ? node.returns - 1 : node.returns },
      reports: reportedOf(node, step),
      pays: step === 'returned' ? -1 : truth === 'done' && node.truth !== 'done' ? 1 : 0,
      who: WHO.get(step) ?? '',
    })),
  );
}

/** Returns the possible truths after a step; none if the truth doesn't allow the step. */
function truthsAfter({ truth, rail, returns, status }: PayoutNode, step: PayoutStep): PayoutNode['truth'][] {
  const isDone = truth === 'done';
  switch (step) {
    case 'send':
      return ['done', 'not_done'];
    case 'resend':
      if (!rail.hasMemory) return [];
      return isDone ? ['done'] : ['done', 'not_done'];
    case 'refused':
      return isDone ? [] : ['nothing'];
    case 'accepted':
      return isDone && status === 'sending' ? ['done'] : [];
    case 'found':
      return isDone && rail.canLookUp ? ['done'] : [];
    case 'absent':
      return !isDone && rail.canLookUp ? ['nothing'] : [];
    case 'resolve_sent':
      return isDone ? ['done'] : [];
    case 'resolve_not_sent':
      return isDone ? [] : ['nothing'];
    case 'final':
      return isDone ? ['done'] : [];
    case 'returned':
      return isDone && returns > 0 ? ['nothing'] : [];
    default:
      return [truth];
  }
}

function reportedOf({ status }: PayoutNode, step: PayoutStep): readonly PayoutEvent[] {
  if (step === 'take' || step === 'give_back') return [];
  if (step === 'resolve_sent') return ['found', 'final'];
  if (step === 'resolve_not_sent') return ['absent'];
  // Its preparation failed for good. It is published as sent first, as anyone who posts by it may expect.
  if (step === 'refused' && status !== 'sending') return ['send', 'refused'];
  return [step as PayoutEvent];
}
