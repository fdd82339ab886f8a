// State machine of a payment into a wallet. The steps in `deposit.ts` compute the sums. Each step may lead only to a state that
// the table permits. Pure.

import type { JournalKind } from '../../ledger/index.ts';
import { type Machine, type MachineRow, nextStates, rowFinder } from '../../platform/index.ts';

/**
 * Status of a payment into a wallet:
 * - `seen`: seen on the rail, not final
 * - `checking`: credited as uncleared until a person has checked the sender
 * - `maturing`: credited as uncleared while the rail can still take the payment back
 * - `returning`, `returned`: being refunded, or refunded, by decision of the desk
 * - `final`: in the wallet
 * - `dropped`: disappeared before it was final
 * - `reversed`: taken back after it was final
 */
export type DepositStatus = 'seen' | 'checking' | 'maturing' | 'returning' | 'final' | 'dropped' | 'reversed' | 'returned';

/**
 * Event of a deposit:
 * - `see`, `drop`: the payment appears on its rail, or disappears before it is final
 * - `arrive`: all or a part of the payment is final
 * - `take_back`: the rail took back all or a part of the payment
 * - `release`, `give_back`: the desk releases or refunds the deposit
 * - `mature`: the rail can no longer take the payment back
 * - `left`, `stayed`, `came_back`: the deposit's refund was sent, was not sent, or came back
 * - `settle`: the debt for the deposit is settled
 */
export type DepositEvent =
  | 'see'
  | 'drop'
  | 'arrive'
  | 'take_back'
  | 'release'
  | 'mature'
  | 'give_back'
  | 'left'
  | 'stayed'
  | 'came_back'
  | 'settle';

/**
 * Posting of a step; `DEPOSIT_POSTINGS` describes its accounts. The outcome of a refund's payout is posted by the payments room
 * itself.
 */
export type DepositPosting = 'credit' | 'take' | 'clear' | 'intent' | 'intent_back' | 'settle' | 'settle_back';
type DepositRule = MachineRow<DepositStatus, DepositEvent, DepositPosting>;
/** Actor of an event: the rail (R), the desk (O), the system (S). */
type Actor = 'R' | 'O' | 'S';

const row = (
  [from, event, who, next, money]: readonly [
    readonly DepositStatus[],
    DepositEvent,
    Actor,
    DepositRule['next'],
    DepositRule['money'],
  ],
  more: Pick<DepositRule, 'when' | 'nextFrom'> = {},
): DepositRule => ({ from, event, who, next, money, ...more });

/** Statuses in which the payment is final, or once was. */
const CAME: readonly DepositStatus[] = ['checking', 'maturing', 'final', 'reversed', 'returned'];
/**
 * Statuses in which a part of the deposit waits for people or for a time. In these statuses, `see` and `drop` don't change the
 * status.
 */
const WAITING: readonly DepositStatus[] = ['checking', 'maturing', 'returning'];
const UNCLEARED = { when: 'a part is uncleared or being refunded' };

/** Transition table: all permitted changes of a deposit's status. */
const ROWS: readonly DepositRule[] = [
  row([WAITING, 'see', 'R', ['same'], []], UNCLEARED),
  row([WAITING, 'drop', 'R', ['same'], []], UNCLEARED),
  row([['seen', 'dropped', 'final', 'reversed', 'returned'], 'see', 'R', ['seen'], []]),
  row([['seen', 'final', 'reversed', 'returned'], 'drop', 'R', ['dropped'], []]),
  row([['seen', 'dropped', ...CAME], 'arrive', 'R', ['checking', 'maturing', 'final'], ['credit']], {
    nextFrom: { checking: ['checking'], maturing: ['maturing', 'final'], final: ['maturing', 'final'] },
  }),
  row([['returning'], 'arrive', 'R', ['same'], ['credit']]),
  row([CAME, 'take_back', 'R', ['same', 'reversed'], ['take']]),
  row([['returning'], 'take_back', 'R', ['same'], ['take']]),
  row([['checking'], 'release', 'O', ['maturing', 'final'], ['clear']]),
  row([['maturing'], 'mature', 'S', ['final'], ['clear']]),
  row([['checking'], 'give_back', 'O', ['returning'], ['intent']]),
  row([['returning'], 'left', 'R', ['returned', 'checking'], []]),
  row([['returning'], 'stayed', 'R', ['checking', 'reversed'], ['intent_back', 'settle_back']]),
  row([['seen', 'dropped', ...CAME], 'came_back', 'R', ['checking', 'reversed'], ['settle_back']]),
  row([['returning'], 'came_back', 'R', ['same'], ['settle_back']], { when: 'an earlier refund' }),
  row([['seen', 'dropped', 'returning', ...CAME], 'settle', 'S', ['same'], ['settle']]),
];

/** Descriptions of the postings: their accounts and directions. */
export const DEPOSIT_POSTINGS: Readonly<Record<DepositPosting, string>> = {
  credit: '`custody → wallet`, or `→ wallet:uncleared`; first its debt: `→ receivable`',
  take: 'from `wallet:uncleared`, then `wallet`, then `receivable`, to `custody`',
  clear: '`wallet:uncleared → wallet`',
  intent: 'intent of a payout: `wallet:uncleared → payout`',
  intent_back: 'if it was held back, the intent reversed: `payout → wallet:uncleared`',
  settle: '`wallet → receivable`',
  settle_back: 'its debt: `wallet:uncleared → receivable`',
};

/** Journal kind of each posting. */
export const KIND: Readonly<Record<DepositPosting, JournalKind>> = {
  credit: 'deposit',
  take: 'deposit_reversed',
  clear: 'deposit_matured',
  intent: 'refund_queued',
  intent_back: 'refused',
  settle: 'deposit_reversed',
  settle_back: 'deposit_reversed',
};

/** The machine of deposits, for its diagram and its tests. */
export const DEPOSIT_TABLE: Machine<DepositStatus, DepositEvent, DepositRule> = {
  name: 'deposit',
  file: 'server/wallets/deposits/deposit-machine.ts',
  begins: [{ state: 'seen', event: 'see' }],
  states: {
    seen: 'on its rail, not final',
    checking: 'in `wallet:uncleared`: a person checks its sender, or its returned refund',
    maturing: 'in `wallet:uncleared`: its rail can still take it back',
    returning: 'in `payout:<id>`, or gone from custody: it is being refunded',
    final: 'in the wallet',
    dropped: 'none: it disappeared before it was final',
    reversed: 'with its rail: taken back after it was final; the missing part is owed',
    returned: 'with its payer',
  },
  rests: new Set(['final', 'dropped', 'reversed', 'returned'] as const),
  actors: { R: 'rail', O: 'the desk', S: 'system' } satisfies Record<Actor, string>,
  rows: ROWS,
};

const find = rowFinder(ROWS);

/** Returns the table's row by which an event leads from one status to another; undefined if the table forbids that. */
export const wayOf = (from: DepositStatus, event: DepositEvent, to: DepositStatus): DepositRule | undefined =>
  find(from, event).find((each) => nextStates(each, from).some((next) => next === to || (next === 'same' && to === from)));

/** Returns `to`, the new status. Throws if the table has no row that leads to it, which is a fault of the code. */
export function movedTo(from: DepositStatus, event: DepositEvent, to: DepositStatus): DepositStatus {
  if (!wayOf(from, event, to)) throw new Error(`a deposit that is ${from} does not come to ${to} by ${event}`);
  return to;
}
