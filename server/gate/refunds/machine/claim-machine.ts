// State machine of a claim of a refund. Pure.

import type { PayoutEvent } from '../../../payments/index.ts';
import { type Machine, type MachineRow, rowFinder } from '../../../platform/index.ts';
import type { RefundPosting } from './refund-machine.ts';

export type ClaimState = 'confirming' | 'approving' | 'paying' | 'done' | 'refused' | 'failed' | 'returned';

/** Event of a claim. `confirm`, `refuse`: by a member of the store. `approve`, `reject`: by the desk. The others come from its rail. */
export type ClaimEvent =
  | 'confirm'
  | 'refuse'
  | 'approve'
  | 'reject'
  | Extract<PayoutEvent, 'kept' | 'refused' | 'absent' | 'final' | 'returned'>;

type ClaimRule = MachineRow<ClaimState, ClaimEvent, RefundPosting>;
/** Actor of an event: a member of the store or its API key (M), the desk (O), the rail (R), the system (S). */
type Actor = 'M' | 'O' | 'R' | 'S';

const row = (
  from: readonly ClaimState[],
  event: ClaimEvent,
  who: Actor,
  next: readonly ClaimState[],
  money: readonly RefundPosting[] = [],
): ClaimRule => ({ from, event, who, next, money });

/** Transition table: all permitted changes of a claim's state. Other events change nothing. */
const ROWS: readonly ClaimRule[] = [
  row(['confirming'], 'confirm', 'M', ['paying', 'approving'], ['pay']),
  row(['confirming'], 'refuse', 'M', ['refused'], ['to_store']),
  row(['approving'], 'approve', 'O', ['paying'], ['pay']),
  row(['approving'], 'reject', 'O', ['refused'], ['fee_back', 'to_store']),
  row(['paying'], 'kept', 'S', ['approving', 'failed'], ['keep', 'to_store']),
  row(['paying'], 'refused', 'R', ['failed'], ['fee_back', 'to_store']),
  row(['paying'], 'absent', 'R', ['failed'], ['fee_back', 'to_store']),
  row(['paying'], 'final', 'R', ['done']),
  row(['paying', 'done'], 'returned', 'R', ['returned'], ['to_store']),
];

/** The machine of claims, for its diagram and its tests. */
export const CLAIM_MACHINE: Machine<ClaimState, ClaimEvent, ClaimRule> = {
  name: 'claim',
  file: 'server/gate/refunds/machine/claim-machine.ts',
  begins: [
    { state: 'paying', event: 'claim, within the cap and the limits' },
    { state: 'approving', event: 'claim, above the limits of money out' },
    { state: 'confirming', event: 'claim, above the cap' },
  ],
  states: {
    confirming: 'in `refund`: a member of the store confirms or refuses it',
    approving: 'in `refund`: the desk checks it',
    paying: 'with its payout: in `payout`, or gone from custody',
    done: 'with its receiver',
    refused: 'in `refund` again',
    failed: 'in `refund` again, in the coin that was to be sent',
    returned: 'what came back is in `refund` again, in the coin that came back',
  },
  rests: new Set(['done', 'refused', 'failed', 'returned'] as const),
  actors: { M: 'member or key', O: 'the desk', R: 'rail', S: 'system' } satisfies Record<Actor, string>,
  rows: ROWS,
};

const find = rowFinder(ROWS);

/** True if a claim in this state may take the event. */
export const takesEvent = (state: ClaimState, event: string): event is ClaimEvent => find(state, event as ClaimEvent).length > 0;

/** Returns `to`, the new state of a claim. Throws if the table has no row that leads to it, which is a fault of the code. */
export function claimMovedTo(from: ClaimState, event: ClaimEvent, to?: ClaimState): ClaimState {
  const next = find(from, event).flatMap((rule) => rule.next.filter((one) => one !== 'same'));
  const found = to === undefined ? next[0] : next.find((one) => one === to);
  if (found === undefined) throw new Error(`a claim that is ${from} does not come to ${to ?? 'another state'} by ${event}`);
  return found;
}
