// State machine of a withdrawal: its states, their changes, and the posting of each step. Pure.

import { type AccountRef, type Journal, type JournalKind, type Leg, accounts, leg } from '../../ledger/index.ts';
import { type PayoutBooks, type PayoutEvent, type PayoutStatus, intentLegs, payoutLegs } from '../../payments/index.ts';
import { type Machine, type MachineRow, rowFinder } from '../../platform/index.ts';

export type WithdrawalStatus =
  /** The withdrawal waits for operators; its money is in `wallet:held`. */
  | 'approving'
  /**
   * Its payout is requested from the payments room; the payout's status shows the progress. The holder can cancel until the
   * sender claims the payout.
   */
  | 'paying'
  /** The payout is final on its rail. */
  | 'done'
  /** The payout was not sent: the money is in its source again. */
  | 'failed'
  /** The payout came back after it was sent: the sent part is in its source again. */
  | 'returned'
  /** The holder cancelled the withdrawal: the money is in its source again. */
  | 'cancelled'
  /** An operator rejected the withdrawal, or a deposit or a reward was taken back: the money is in its source again. */
  | 'rejected';

/** Source of a withdrawal's money, to which it returns on failure: a wallet, or an affiliate's matured rewards. */
export type WithdrawalSource = 'wallet' | 'affiliate';

/** A withdrawal. Amounts are parts of its unit: `parts` arrive; `parts` and `fee` together leave the source. */
export interface Withdrawal {
  readonly id: string;
  readonly holderId: string;
  readonly source: WithdrawalSource;
  readonly unit: string;
  readonly rail: string;
  readonly currency: string;
  readonly to: Readonly<Record<string, string>>;
  readonly key: string;
  readonly parts: bigint;
  readonly fee: bigint;
  readonly usd: bigint;
  readonly status: WithdrawalStatus;
  /** Status of the withdrawal's payout; undefined if there is none yet. */
  readonly payout: PayoutStatus | undefined;
  /** Number of people who must approve the withdrawal. */
  readonly people: 0 | 1 | 2;
  /** Number of people who have approved the withdrawal. */
  readonly approved: 0 | 1 | 2;
  readonly txid: string | undefined;
  readonly confirmations: number | undefined;
  readonly needed: number | undefined;
  readonly reason: string | undefined;
  readonly decidedBy: string | undefined;
  readonly requestedAt: Date;
  /** Time of the last status change of the withdrawal or its payout. */
  readonly statusAt: Date;
}

/** An action of a person on a withdrawal. The other events come from its rail. */
export type WithdrawalAction = 'approve' | 'reject' | 'cancel';
/**
 * Event of a withdrawal. `turn_down`: a deposit or a reward was taken back, so money that is not sent returns to its source
 * first. `counted`: the withdrawal was found late, and two people accepted it as paid.
 */
type Event =
  | WithdrawalAction
  | 'turn_down'
  | 'counted'
  | Extract<PayoutEvent, 'kept' | 'refused' | 'absent' | 'final' | 'returned'>;
/**
 * Posting of a step; `POSTING_WORDS` describes its accounts. The payments room itself posts payouts that left, failed or came
 * back.
 */
type Posting = 'unhold' | 'queue' | 'hold_again' | 'give_back' | 'pay_found';
type WithdrawalRule = MachineRow<WithdrawalStatus, Event, Posting>;
/** Actor of an event: the holder (C), one or two operators (O), the rail (R), the system (S). */
type Actor = 'C' | 'O' | 'R' | 'S';

const row = (
  from: readonly WithdrawalStatus[],
  event: Event,
  who: Actor,
  next: WithdrawalStatus,
  post?: Posting,
  when?: string,
): WithdrawalRule => ({
  ...{ from, event, who, next: [next], money: post === undefined ? [] : [post] },
  ...(when !== undefined && { when }),
});

const STOPPED = 'its payout was stopped before a worker claimed it';

/** Transition table: all permitted changes of a withdrawal's status. Other events change nothing. */
const ROWS: readonly WithdrawalRule[] = [
  row(['approving'], 'approve', 'O', 'paying', 'queue'),
  row(['approving'], 'reject', 'O', 'rejected', 'unhold'),
  row(['approving'], 'cancel', 'C', 'cancelled', 'unhold'),
  row(['approving'], 'turn_down', 'S', 'rejected', 'unhold'),
  row(['paying'], 'cancel', 'C', 'cancelled', 'give_back', STOPPED),
  row(['paying'], 'turn_down', 'S', 'rejected', 'give_back', STOPPED),
  row(['paying'], 'kept', 'S', 'approving', 'hold_again'),
  row(['paying'], 'refused', 'R', 'failed'),
  row(['paying'], 'absent', 'R', 'failed'),
  row(['paying'], 'final', 'R', 'done'),
  row(['paying', 'done'], 'returned', 'R', 'returned'),
  row(['failed', 'returned'], 'counted', 'O', 'done', 'pay_found'),
];

/** Statuses of an unsuccessful withdrawal: all of its money, or the part that was sent, is in its source again. */
export const CAME_TO_NOTHING: ReadonlySet<WithdrawalStatus> = new Set(['failed', 'returned', 'cancelled', 'rejected']);

/** Place of a withdrawal's money in each status. */
const WHERE_IT_IS: Readonly<Record<WithdrawalStatus, string>> = {
  approving: 'in `wallet:held`: operators check it',
  paying: 'with its payout: in `payout:<id>`, or gone from custody',
  done: 'with its receiver',
  failed: 'in the wallet again',
  returned: 'the sent part is in the wallet again',
  cancelled: 'in the wallet again',
  rejected: 'in the wallet again',
};

/** Descriptions of the postings: their accounts and directions. */
export const POSTING_WORDS: Readonly<Record<Posting, string>> = {
  unhold: 'the hold ends: `wallet:held → wallet`',
  queue: 'payout intent: `wallet:held → payout`, the fee `→ income:fee`',
  hold_again: 'payout intent reversed into a hold: `payout → wallet:held`, with the fee',
  give_back: 'payout intent reversed: `payout → wallet`, with the fee',
  pay_found: 'pays for the payout that turned up: `wallet → receivable`, the fee `→ income:fee`',
};

/** The machine of withdrawals, for its diagram and its tests. */
export const WITHDRAWAL_TABLE: Machine<WithdrawalStatus, Event, WithdrawalRule> = {
  name: 'withdrawal',
  file: 'server/wallets/withdrawals/withdrawal.ts',
  begins: [
    { state: 'paying', event: 'request, within the limits' },
    { state: 'approving', event: 'request, above the limits' },
  ],
  states: WHERE_IT_IS,
  rests: new Set(['done', ...CAME_TO_NOTHING]),
  actors: { C: 'customer', O: 'operator, or two', R: 'rail', S: 'system' } satisfies Record<Actor, string>,
  rows: ROWS,
};

const find = rowFinder(ROWS);

const KIND: Readonly<Record<Posting, JournalKind>> = {
  unhold: 'withdrawal_cancelled',
  queue: 'withdrawal_queued',
  hold_again: 'withdrawal_kept',
  give_back: 'withdrawal_cancelled',
  pay_found: 'found_late_settled',
};

/** Returns a step's next status and its journal; undefined if the table has no such step. */
export function stepOf(
  one: Withdrawal,
  event: Event | PayoutEvent,
  id: string,
): { readonly next: WithdrawalStatus; readonly journal: Journal | undefined } | undefined {
  const [row] = find(one.status, event as Event);
  if (!row) return undefined;
  const next = row.next[0] as WithdrawalStatus;
  const [post] = row.money;
  return { next, journal: post && { id, kind: KIND[post], cause: one.id, legs: legsOf(one, post) } };
}

/** Returns the accounts and journal kinds for the postings of the payments room: payout sent, not sent, or returned. */
export const booksOf = (one: Withdrawal): PayoutBooks => ({
  ...{ cause: one.id, back: accountsOf(one).source, fee: one.fee },
  kinds: { sent: 'sent', notSent: 'withdrawal_cancelled', returned: 'returned' },
});

/**
 * Returns the journal that reserves a withdrawal's sum, so that the sum is no longer available. The ledger refuses a sum that
 * the wallet doesn't have.
 */
export function hold(one: Withdrawal, id: string): Journal {
  const { source, held } = accountsOf(one);
  return { id, kind: 'withdrawal_asked', cause: one.id, legs: [leg(source, held, one.parts + one.fee)] };
}

/** Returns one journal that reserves a withdrawal's sum and posts the payout's intent, for a withdrawal that needs no approval. */
export function holdAndQueue(one: Withdrawal, id: string): Journal {
  const request = hold(one, id);
  return { ...request, kind: 'withdrawal_queued', legs: [...request.legs, ...legsOf(one, 'queue')] };
}

function legsOf(one: Withdrawal, posting: Posting): Leg[] {
  const { source, held, fees, owed } = accountsOf(one);
  const { parts, fee } = one;
  const payout = (back: AccountRef) => ({ ...one, books: { back, fee } });
  if (posting === 'unhold') return [leg(held, source, parts + fee)];
  if (posting === 'queue') return intentLegs(payout(held));
  if (posting === 'hold_again') return payoutLegs('notSent', payout(held));
  if (posting === 'give_back') return payoutLegs('notSent', payout(source));
  return [leg(source, owed, parts), ...(one.status === 'failed' && fee > 0n ? [leg(source, fees, fee)] : [])];
}

/** Returns the account of a withdrawal's source. */
export const sourceAccount = (source: WithdrawalSource, holderId: string, unit: string): AccountRef =>
  source === 'wallet' ? accounts.wallet(holderId, unit) : accounts.affiliateAvailable(holderId, unit);

function accountsOf({ holderId, source, unit }: Withdrawal): Record<'source' | 'held' | 'fees' | 'owed', AccountRef> {
  return {
    source: sourceAccount(source, holderId, unit),
    held: accounts.walletHeld(holderId, unit),
    fees: accounts.income('fee', unit),
    owed: accounts.receivable(holderId, unit),
  };
}
