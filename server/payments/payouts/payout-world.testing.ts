// A payout beside a rail whose truth is hidden from us, by state and not by attempts: what may happen to it next. For tests
// that go through an owner's machine together with it.

import type { PayoutEvent } from '../rails/event-bodies.ts';
import { type PayoutStatus, type PayoutStep, PAYOUT_MACHINE, nextStatus } from './machine/payout-machine.ts';

/** What a rail can do about a send whose answer was lost. */
export interface RailKind {
  /** Its look-up shows what happened, and proves what never can. */
  readonly looksUp: boolean;
  /** It answers a reference that it knows with its first answer. */
  readonly remembers: boolean;
}

export const RAIL_KINDS: readonly RailKind[] = [
  { looksUp: true, remembers: false },
  { looksUp: false, remembers: true },
  { looksUp: false, remembers: false },
];

export interface PayoutNode {
  readonly status: PayoutStatus;
  /** What the rail did with what was sent last. `nothing`: nothing was, or it came back. */
  readonly truth: 'nothing' | 'not_done' | 'done';
  readonly rail: RailKind;
  /** How often the rail still may give back what it did. */
  readonly returns: number;
}

/** One thing that happens to a payout, with what its owner is told of it. */
export interface PayoutMove {
  readonly step: PayoutStep;
  readonly node: PayoutNode;
  readonly tells: readonly PayoutEvent[];
  /** What the rail does now: pays it (1), gives it back (-1), or nothing. */
  readonly pays: 0 | 1 | -1;
  /** Who makes it happen. */
  readonly who: string;
}

const WHO = new Map(PAYOUT_MACHINE.rows.map(({ event, who }) => [event, who]));
/** What the owner does to it, and what turns up after its end. */
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

/** Of each state, what may happen and where that leads. */
const OPEN = new Map(
  (Object.keys(PAYOUT_MACHINE.states) as PayoutStatus[]).map((status) => [
    status,
    [...WHO.keys()].flatMap((step): [PayoutStep, PayoutStatus][] => {
      const next = NOT_OF_PAYMENTS.has(step) ? undefined : nextStatus(status, step);
      return next === undefined ? [] : [[step, next]];
    }),
  ]),
);

/** What may happen to a payout in payments and at its rail. */
export function payoutMoves(node: PayoutNode): PayoutMove[] {
  return (OPEN.get(node.status) ?? []).flatMap(([step, status]) =>
    truthsAfter(node, step).map((truth): PayoutMove => ({
      step,
      node: { ...node, status, truth, returns: step === 'returned' ? node.returns - 1 : node.returns },
      tells: toldOf(node, step),
      pays: step === 'returned' ? -1 : truth === 'done' && node.truth !== 'done' ? 1 : 0,
      who: WHO.get(step) ?? '',
    })),
  );
}

/** What may be the truth after a step; none where the truth doesn't let it happen. */
function truthsAfter({ truth, rail, returns, status }: PayoutNode, step: PayoutStep): PayoutNode['truth'][] {
  const isDone = truth === 'done';
  switch (step) {
    case 'send':
      return ['done', 'not_done'];
    case 'resend':
      if (!rail.remembers) return [];
      return isDone ? ['done'] : ['done', 'not_done'];
    case 'refused':
      return isDone ? [] : ['nothing'];
    case 'accepted':
      return isDone && status === 'sending' ? ['done'] : [];
    case 'found':
      return isDone && rail.looksUp ? ['done'] : [];
    case 'absent':
      return !isDone && rail.looksUp ? ['nothing'] : [];
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

function toldOf({ status }: PayoutNode, step: PayoutStep): readonly PayoutEvent[] {
  if (step === 'take' || step === 'give_back') return [];
  if (step === 'resolve_sent') return ['found', 'final'];
  if (step === 'resolve_not_sent') return ['absent'];
  // Preparing it failed for good: it is told as sent first, as anyone who posts of it may expect.
  if (step === 'refused' && status !== 'sending') return ['send', 'refused'];
  return [step as PayoutEvent];
}
