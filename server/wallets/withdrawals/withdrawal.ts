// A withdrawal as a machine: its states, what moves it between them, and the posting of each step. Pure.

import { type AccountRef, type Journal, type JournalKind, type Leg, accounts, leg } from '../../ledger/index.ts';
import { type PayoutBooks, type PayoutEvent, type PayoutStatus, intentLegs, payoutLegs } from '../../payments/index.ts';
import { type Machine, type MachineRow, rowFinder } from '../../platform/index.ts';

export type WithdrawalStatus =
  /** Waits for operators; the money is in `wallet:held`. */
  | 'approving'
  /** Asked of payments: how far that has come is its payout's state. It can be called off until the payout is taken. */
  | 'paying'
  /** Final at its rail. */
  | 'done'
  /** Not sent, or come back after it was sent: in the wallet again. */
  | 'failed'
  | 'returned'
  /** Called off by its holder, turned down by an operator or since a deposit or a reward was taken back: in the wallet again. */
  | 'cancelled'
  | 'rejected';

/** What a withdrawal takes from, and goes back to where it comes to nothing: a wallet, or an affiliate's matured rewards. */
export type WithdrawalSource = 'wallet' | 'affiliate';

/** A withdrawal. Amounts are parts of its unit: `parts` arrive, `parts` and `fee` leave its source. */
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
  /** The state of its payout; undefined before there was one. */
  readonly payout: PayoutStatus | undefined;
  /** How many have to let it out; and how many have. */
  readonly people: 0 | 1 | 2;
  readonly approved: 0 | 1 | 2;
  readonly txid: string | undefined;
  readonly confirmations: number | undefined;
  readonly needed: number | undefined;
  readonly reason: string | undefined;
  readonly decidedBy: string | undefined;
  readonly askedAt: Date;
  /** When it came to where it stands, or its payout did. */
  readonly statusAt: Date;
}

/** What a person does to a withdrawal, beside the events of its rail. */
export type WithdrawalAction = 'approve' | 'reject' | 'cancel';
/**
 * `turn_down`: a deposit or a reward was taken back, and what has not left goes back where it came from first · `counted`: it was sent after
 * all, and two people say that it counts.
 */
type Event =
  | WithdrawalAction
  | 'turn_down'
  | 'counted'
  | Extract<PayoutEvent, 'kept' | 'refused' | 'absent' | 'final' | 'returned'>;
/** What a step posts; `POSTING_WORDS` says from where to where. That it left, failed or came back is posted by payments. */
type Posting = 'unhold' | 'queue' | 'hold_again' | 'give_back' | 'pay_found';
type Row = MachineRow<WithdrawalStatus, Event, Posting>;
/** Who makes it happen: its holder, one or two operators, the rail, the system. */
type Actor = 'C' | 'O' | 'R' | 'S';

const row = (
  from: readonly WithdrawalStatus[],
  event: Event,
  who: Actor,
  next: WithdrawalStatus,
  post?: Posting,
  when?: string,
): Row => ({
  ...{ from, event, who, next: [next], money: post === undefined ? [] : [post] },
  ...(when !== undefined && { when }),
});

const STOPPED = 'its payout was stopped: nobody had taken it';

/** The only way in which a withdrawal's status changes. What no row takes changes nothing. */
const ROWS: readonly Row[] = [
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

/** Where a withdrawal came to nothing: all of it, or what was sent, is in the wallet again. */
export const CAME_TO_NOTHING: ReadonlySet<WithdrawalStatus> = new Set(['failed', 'returned', 'cancelled', 'rejected']);

/** Where the money of a withdrawal is in each of its states. */
const WHERE_IT_IS: Readonly<Record<WithdrawalStatus, string>> = {
  approving: 'in `wallet:held`: operators look at it',
  paying: 'with its payout: in `payout:<id>`, or gone from custody',
  done: 'with its receiver',
  failed: 'in the wallet again',
  returned: 'what was sent is in the wallet again',
  cancelled: 'in the wallet again',
  rejected: 'in the wallet again',
};

/** What the postings of its steps are, and from where to where they go. */
export const POSTING_WORDS: Readonly<Record<Posting, string>> = {
  unhold: 'the hold ends: `wallet:held → wallet`',
  queue: 'payout intent: `wallet:held → payout`, the fee `→ income:fee`',
  hold_again: 'payout intent turned round, held again: `payout → wallet:held`, the fee back too',
  give_back: 'payout intent turned round: `payout → wallet`, the fee back too',
  pay_found: 'what turned up is paid: `wallet → receivable`, the fee `→ income:fee`',
};

/** The table of withdrawals, for its drawing and its proof. */
export const WITHDRAWAL_TABLE: Machine<WithdrawalStatus, Event, Row> = {
  name: 'withdrawal',
  file: 'server/wallets/withdrawals/withdrawal.ts',
  begins: [
    { state: 'paying', event: 'ask, within what goes by itself' },
    { state: 'approving', event: 'ask, above it' },
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

/** A step's next state and its journal under an id; undefined where the table has no such step. */
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

/** What payments posts of a withdrawal's payout: it left, it did not, it came back into what it was taken from. */
export const booksOf = (one: Withdrawal): PayoutBooks => ({
  ...{ cause: one.id, back: accountsOf(one).source, fee: one.fee },
  kinds: { sent: 'sent', notSent: 'withdrawal_cancelled', returned: 'returned' },
});

/** The hold: what is asked to leave is available no more. The floor of the wallet refuses what isn't there. */
export function hold(one: Withdrawal, id: string): Journal {
  const { source, held } = accountsOf(one);
  return { id, kind: 'withdrawal_asked', cause: one.id, legs: [leg(source, held, one.parts + one.fee)] };
}

/** The hold and the payout's intent at once, for what nobody has to approve. */
export function holdAndQueue(one: Withdrawal, id: string): Journal {
  const asked = hold(one, id);
  return { ...asked, kind: 'withdrawal_queued', legs: [...asked.legs, ...legsOf(one, 'queue')] };
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

/** The account that a source is. */
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
