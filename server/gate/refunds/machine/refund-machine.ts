// State machine of a refund by a store. Its sums and its claims decide the next state. Pure.

import { type Machine, type MachineRow, nextStates, rowFinder } from '../../../platform/index.ts';

export type RefundState = 'open' | 'claimed' | 'paying' | 'paid' | 'expired' | 'cancelled';

/**
 * Event of a refund:
 * - `claim`: money is claimed; it is paid at once, or waits for people
 * - `confirm`: a member of the store lets a claim go out
 * - `approve`: people of the desk let a claim go out
 * - `refuse`: a member or the desk refuses a claim
 * - `keep`: a payout was stopped at the last check before it left
 * - `arrive`: a payout is final
 * - `fail`: a payout was not sent, or came back
 * - `time_over`: the time for claims is over
 * - `cancel`
 */
export type RefundEvent = 'claim' | 'confirm' | 'approve' | 'refuse' | 'keep' | 'arrive' | 'fail' | 'time_over' | 'cancel';

/** Posting of a step; `REFUND_POSTINGS` describes its accounts. */
export type RefundPosting = 'pay' | 'keep' | 'fee_back' | 'give_back' | 'to_store';

type RefundRule = MachineRow<RefundState, RefundEvent, RefundPosting>;
/** Actor of an event: the claimant (C), a member of the store or its API key (M), the desk (O), the rail (R), the system (S). */
type Actor = 'C' | 'M' | 'O' | 'R' | 'S';

const row = (
  from: readonly RefundState[],
  event: RefundEvent,
  who: Actor,
  next: RefundRule['next'],
  money: RefundRule['money'],
  when?: string,
): RefundRule => ({ from, event, who, next, money, ...(when !== undefined && { when }) });

const RUNNING = ['open', 'claimed', 'paying'] as const;
const WITH_CLAIMS = ['claimed', 'paying'] as const;
const ENDED = ['paid', 'expired', 'cancelled'] as const;
const LEFT = 'some of it is unclaimed';

/** Transition table: all permitted changes of a refund's state. */
const ROWS: readonly RefundRule[] = [
  row(RUNNING, 'claim', 'C', ['claimed', 'paying'], ['pay'], LEFT),
  row(['claimed'], 'confirm', 'M', ['claimed', 'paying'], ['pay']),
  row(['claimed'], 'approve', 'O', ['claimed', 'paying'], ['pay']),
  row(['claimed'], 'refuse', 'M', ['open', 'claimed', 'paying', 'expired', 'cancelled'], ['fee_back', 'to_store']),
  row(WITH_CLAIMS, 'keep', 'S', ['claimed'], ['keep']),
  row(WITH_CLAIMS, 'arrive', 'R', ['open', 'claimed', 'paying', ...ENDED], []),
  row([...RUNNING, ...ENDED], 'fail', 'R', ['open', 'claimed', 'paying', 'expired', 'cancelled'], ['fee_back', 'to_store']),
  row(['open'], 'time_over', 'S', ['expired', 'cancelled'], ['give_back']),
  row(WITH_CLAIMS, 'time_over', 'S', ['same'], ['give_back'], LEFT),
  row(['open'], 'cancel', 'M', ['cancelled'], ['give_back']),
  row(WITH_CLAIMS, 'cancel', 'M', ['same'], ['give_back'], LEFT),
];

/** Descriptions of the postings: their accounts and directions. */
export const REFUND_POSTINGS: Readonly<Record<RefundPosting, string>> = {
  pay: '`refund → income:fee, payout`; in another currency `refund → income:spread, income:fee, desk:free` and `desk:free → payout`',
  keep: '`payout → refund`',
  fee_back: '`income:fee → refund`, if nothing was sent',
  give_back: '`refund → merchant`',
  to_store:
    'of a claim that goes back to a payment: its conversion is turned round, and `refund → merchant:reserve, merchant`; a debt is repaid',
};

/** The machine of refunds, for its diagram and its tests. */
export const REFUND_MACHINE: Machine<RefundState, RefundEvent, RefundRule> = {
  name: 'refund',
  file: 'server/gate/refunds/machine/refund-machine.ts',
  begins: [{ state: 'open', event: 'make' }],
  states: {
    open: 'in `refund`: to be claimed by its link',
    claimed: 'in `refund`: a claim waits for a member of the store or for the desk',
    paying: 'with the payout of a claim: in `payout`, or gone from custody; the rest in `refund`',
    paid: 'with the claimants',
    expired: 'what nobody claimed is in `merchant` again',
    cancelled: 'what nobody had claimed is in `merchant` again',
  },
  rests: new Set(['paid', 'expired', 'cancelled'] as const),
  actors: {
    ...{ C: 'claimant', M: 'member or key', O: 'the desk', R: 'rail', S: 'system' },
  } satisfies Record<Actor, string>,
  rows: ROWS,
};

const find = rowFinder(ROWS);

/** Returns `to`, the new state. Throws if the table has no row that leads to it, which is a fault of the code. */
export function refundMovedTo(from: RefundState, event: RefundEvent, to: RefundState): RefundState {
  const isLegal = find(from, event).some((rule) =>
    nextStates(rule, from).some((next) => next === to || (next === 'same' && to === from)),
  );
  if (!isLegal) throw new Error(`a refund that is ${from} does not come to ${to} by ${event}`);
  return to;
}
