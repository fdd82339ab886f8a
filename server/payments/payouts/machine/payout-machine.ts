// State machine of a payout: its states and steps. Journals of its owner and of the payments room book the money that moves.

import { type Machine, type MachineRow, rowFinder } from '../../../platform/index.ts';
import type { PayoutEvent } from '../../rails/event-bodies.ts';

export type PayoutStatus = 'queued' | 'preparing' | 'sending' | 'in_doubt' | 'sent' | 'final' | 'failed' | 'stopped';

/** Steps of a payout within the payments room. The owner is notified of each step that is a `PayoutEvent`. */
export type PayoutStep =
  | PayoutEvent
  | 'take'
  | 'give_back'
  | 'stop'
  | 'ask_again'
  | 'meet'
  | 'book_sent'
  | 'resolve_sent'
  | 'resolve_not_sent';

type PayoutMachineRow = MachineRow<PayoutStatus, PayoutStep>;
/** Actor of a step: the owner (`W`), the worker (`S`), the rail (`R`), two operators (`O2`). */
type Actor = 'W' | 'S' | 'R' | 'O2';

const row = (
  from: readonly PayoutStatus[],
  event: PayoutStep,
  who: Actor,
  next: PayoutMachineRow['next'][number],
  when?: string,
): PayoutMachineRow => ({
  ...{ from, event, who, next: [next], money: [] },
  ...(when !== undefined && { when }),
});

const ROWS: readonly PayoutMachineRow[] = [
  row(['queued'], 'stop', 'W', 'stopped'),
  row(['queued', 'preparing'], 'kept', 'W', 'stopped'),
  row(['stopped'], 'ask_again', 'W', 'queued'),
  row(['queued'], 'take', 'S', 'preparing'),
  row(['preparing'], 'give_back', 'S', 'queued'),
  row(['preparing'], 'send', 'S', 'sending'),
  row(['queued', 'preparing'], 'meet', 'O2', 'sent', 'what turned up counts as this payout'),
  row(
    ['queued', 'preparing', 'sending', 'in_doubt', 'sent'],
    'book_sent',
    'O2',
    'final',
    'another copy of these books has sent it',
  ),
  row(['queued', 'preparing', 'sending'], 'refused', 'R', 'failed', 'a definite no'),
  row(['preparing', 'sending'], 'accepted', 'R', 'sent'),
  row(['sending'], 'unknown', 'R', 'in_doubt'),
  row(['in_doubt'], 'found', 'R', 'sent'),
  row(['in_doubt'], 'absent', 'R', 'failed', 'the look-up proves it'),
  row(['in_doubt'], 'resend', 'S', 'sending', 'its provider surely knows the reference still'),
  row(['in_doubt'], 'dedupe_over', 'S', 'same'),
  row(['in_doubt'], 'resolve_sent', 'O2', 'final'),
  row(['in_doubt'], 'resolve_not_sent', 'O2', 'failed'),
  row(['sent'], 'progress', 'R', 'same'),
  row(['sent'], 'vanished', 'R', 'same'),
  row(['sent'], 'final', 'R', 'final'),
  row(['sent', 'final'], 'returned', 'R', 'failed'),
  row(['failed'], 'found_late', 'R', 'same'),
  row(['failed'], 'late_back', 'R', 'same'),
  row(['failed'], 'late_settled', 'O2', 'same'),
];

/** Machine of payouts, for its drawing and for tests. */
export const PAYOUT_MACHINE: Machine<PayoutStatus, PayoutStep, PayoutMachineRow> = {
  name: 'payout',
  file: 'server/payments/payouts/machine/payout-machine.ts',
  begins: [{ state: 'queued', event: 'ask' }],
  states: {
    queued: 'in `payout:<id>`: nothing was signed, it can be stopped',
    preparing: 'in `payout:<id>`: the worker has taken it, perhaps signed',
    sending: 'in `payout:<id>`, perhaps gone: an attempt is stored, and perhaps out',
    in_doubt: 'in `payout:<id>`, perhaps gone: no clear answer',
    sent: 'gone from custody: the rail has it',
    final: 'with its receiver',
    failed: 'with its owner again: it did not happen or came back',
    stopped: 'with its owner again: nothing of it was ever signed',
  },
  rests: new Set(['final', 'failed', 'stopped'] as const),
  actors: { W: 'its owner', S: 'the worker', R: 'the rail', O2: 'two operators' } satisfies Record<Actor, string>,
  rows: ROWS,
};

const find = rowFinder(ROWS);

/** Returns the status of a payout after a step; undefined if a payout in this status can't take the step. */
export function nextStatus(status: PayoutStatus, step: PayoutStep): PayoutStatus | undefined {
  const next = find(status, step)[0]?.next[0];
  return next === 'same' ? status : next;
}

/** Returns a payout after a step. Throws if a payout in this status can't take the step, which is a fault of the code. */
export function moved<P extends { readonly status: PayoutStatus }>(payout: P, step: PayoutStep): P {
  const status = nextStatus(payout.status, step);
  if (status === undefined) throw new Error(`A payout that is ${payout.status} does not take ${step}`);
  return { ...payout, status };
}
