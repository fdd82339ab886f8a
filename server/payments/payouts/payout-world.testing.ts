// Model of a payout and of the rail, which knows whether a send happened even if its answer was lost. Returns the steps that are
// possible next, and the state after each step. For tests of an owner's machine together with the payout's machine.

import type { PayoutEvent } from '../rails/event-bodies.ts';
import { type PayoutStatus, type PayoutStep, PAYOUT_MACHINE, nextStatus } from './machine/payout-machine.ts';

/** Abilities of a rail for a send whose answer was lost. */
export interface RailKind {
  /** True if look-ups show a send that happened, and can prove that a send will never happen. */
  readonly canLookUp: boolean;
  /** True if the rail answers a repeated reference as it did the first time. */
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
  /** Number of times that the rail may still return the payout's money. */
  readonly returns: number;
}

/** A possible step of a payout, with the events that its owner receives. */
export interface PayoutMove {
  readonly step: PayoutStep;
  readonly node: PayoutNode;
  readonly reports: readonly PayoutEvent[];
  /** Effect at the rail: the payout is paid (1), returned (-1), or neither (0). */
  readonly pays: 0 | 1 | -1;
  /** Actor of the step. */
  readonly who: string;
}

const WHO = new Map(PAYOUT_MACHINE.rows.map(({ event, who }) => [event, who]));
/** Steps that the model leaves out: those of the owner, those after the payout's end, and those that change no status. */
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

/** Possible steps in each status, each with the status after it. */
const OPEN = new Map(
  (Object.keys(PAYOUT_MACHINE.states) as PayoutStatus[]).map((status) => [
    status,
    [...WHO.keys()].flatMap((step): [PayoutStep, PayoutStatus][] => {
      const next = NOT_OF_PAYMENTS.has(step) ? undefined : nextStatus(status, step);
      return next === undefined ? [] : [[step, next]];
    }),
  ]),
);

/** Returns the possible steps of a payout, in the payments room and at its rail. */
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

/** Returns the possible fates of the send after a step; an empty list if the present fate rules the step out. */
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
  // The preparation failed for good. `send` is published first, because owners expect it before `refused`.
  if (step === 'refused' && status !== 'sending') return ['send', 'refused'];
  return [step as PayoutEvent];
}
