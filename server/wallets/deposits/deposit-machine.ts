// A payment into a wallet as a machine: its states and what moves it between them. Sums are reckoned by its steps
// (`deposit.ts`), which come to no other state than a row of theirs says. Pure.

import type { JournalKind } from '../../ledger/index.ts';
import { type Machine, type MachineRow, nextStates, rowFinder } from '../../platform/index.ts';

/**
 * How a payment into a wallet stands. `checking`: the holder's, not to be used before a person has looked at its sender ·
 * `maturing`: not to be used while its rail can still take it back · `returning`, `returned`: given back to where it came from,
 * by the desk's word
 */
export type DepositStatus = 'seen' | 'checking' | 'maturing' | 'returning' | 'final' | 'dropped' | 'reversed' | 'returned';

/**
 * What happens to a deposit. `arrive`: it is final, all or a part of it · `take_back`: its rail took back all or a part ·
 * `left`, `stayed`, `came_back`: what payments tells of a payout that gives it back · `settle`: what is owed for it is settled
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

/** What a step posts; `DEPOSIT_POSTINGS` says from where to where. What is told of a payout payments has posted. */
export type DepositPosting = 'credit' | 'take' | 'clear' | 'intent' | 'intent_back' | 'settle' | 'settle_back';
type Row = MachineRow<DepositStatus, DepositEvent, DepositPosting>;
/** Who makes it happen: its rail, the desk, the system. */
type Actor = 'R' | 'O' | 'S';

const row = (
  [from, event, who, next, money]: readonly [readonly DepositStatus[], DepositEvent, Actor, Row['next'], Row['money']],
  more: Pick<Row, 'when' | 'nextFrom'> = {},
): Row => ({ from, event, who, next, money, ...more });

/** It counts as received, or did. */
const CAME: readonly DepositStatus[] = ['checking', 'maturing', 'final', 'reversed', 'returned'];
/** Some of it waits for people or for a moment, so that what its rail shows decides nothing. */
const WAITING: readonly DepositStatus[] = ['checking', 'maturing', 'returning'];
const UNCLEARED = { when: 'some of it is uncleared, or being given back' };

/** The only way in which a deposit's status changes. */
const ROWS: readonly Row[] = [
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
  row([['returning'], 'came_back', 'R', ['same'], ['settle_back']], { when: 'an earlier payout of it' }),
  row([['seen', 'dropped', 'returning', ...CAME], 'settle', 'S', ['same'], ['settle']]),
];

/** What the postings of its steps are, and from where to where they go. */
export const DEPOSIT_POSTINGS: Readonly<Record<DepositPosting, string>> = {
  credit: '`custody → wallet`, or `→ wallet:uncleared`; first what is owed for it: `→ receivable`',
  take: 'from `wallet:uncleared`, then `wallet`, then `receivable`, to `custody`',
  clear: '`wallet:uncleared → wallet`',
  intent: 'intent of a payout: `wallet:uncleared → payout`',
  intent_back: 'where it was kept, the intent turned round: `payout → wallet:uncleared`',
  settle: '`wallet → receivable`',
  settle_back: 'what is owed for it: `wallet:uncleared → receivable`',
};

/** As which kind of journal each is posted. */
export const KIND: Readonly<Record<DepositPosting, JournalKind>> = {
  credit: 'deposit',
  take: 'deposit_reversed',
  clear: 'deposit_matured',
  intent: 'refund_queued',
  intent_back: 'refused',
  settle: 'deposit_reversed',
  settle_back: 'deposit_reversed',
};

/** The table of deposits, for its drawing and its proof. */
export const DEPOSIT_TABLE: Machine<DepositStatus, DepositEvent, Row> = {
  name: 'deposit',
  file: 'server/wallets/deposits/deposit-machine.ts',
  begins: [{ state: 'seen', event: 'see' }],
  states: {
    seen: 'on its rail, not final',
    checking: 'in `wallet:uncleared`: a person looks at its sender, or at what came back',
    maturing: 'in `wallet:uncleared`: its rail can still take it back',
    returning: 'in `payout:<id>`, or gone from custody: it is given back to where it came from',
    final: 'in the wallet',
    dropped: 'nowhere: it was gone before it was final',
    reversed: 'with its rail: taken back after it was final; what was not there is owed',
    returned: 'with who paid it',
  },
  rests: new Set(['final', 'dropped', 'reversed', 'returned'] as const),
  actors: { R: 'rail', O: 'the desk', S: 'system' } satisfies Record<Actor, string>,
  rows: ROWS,
};

const find = rowFinder(ROWS);

/** The row by which an event leads from one state to another; undefined where the table lets it not. */
export const wayOf = (from: DepositStatus, event: DepositEvent, to: DepositStatus): Row | undefined =>
  find(from, event).find((each) => nextStates(each, from).some((next) => next === to || (next === 'same' && to === from)));

/** The state that an event leads to. Throws for one that its rows don't lead to: that is a fault of the code. */
export function movedTo(from: DepositStatus, event: DepositEvent, to: DepositStatus): DepositStatus {
  if (!wayOf(from, event, to)) throw new Error(`a deposit that is ${from} does not come to ${to} by ${event}`);
  return to;
}
