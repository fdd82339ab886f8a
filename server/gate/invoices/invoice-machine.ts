// State machine of an invoice. The steps in `steps.ts` compute the sums, which decide the next state. Each step may lead only to
// a state that the table permits. Pure.

import { type Machine, type MachineRow, nextStates, rowFinder } from '../../platform/index.ts';

export type InvoiceState = 'open' | 'confirming' | 'settled' | 'short' | 'expired' | 'cancelled' | 'invalid';

/**
 * Event of an invoice:
 * - `choose`: the buyer chooses a method, or leaves an e-mail address
 * - `see`, `drop`: a payment appears on its rail, or vanishes before it is final
 * - `miss`: a payment that was in time has no confirmation in its window
 * - `arrive`: a payment is final and clean
 * - `hold`: a payment is final and flagged
 * - `papers`: the desk requests papers about a held payment, or they came
 * - `clear`, `refuse`: the desk releases a held payment, or refuses it
 * - `hold_over`: the time of a hold is over
 * - `price`: there is a price again for a payment that waited for one
 * - `reverse`: the rail took a final payment back
 * - `time_over`: the invoice's time is over
 * - `cancel`
 * - `accept`: a member accepts a short invoice, or late payments of one that has ended
 * - `give_back`: a member gives a short invoice back
 * - `decide`: the time for a decision is over, and the store's preset decides
 * - `return`: there is a price and the coin for a payment that waits to be given back
 * - `mark`: the store states that the invoice counts as settled or invalid
 */
export type InvoiceEvent =
  | 'choose'
  | 'see'
  | 'drop'
  | 'miss'
  | 'arrive'
  | 'hold'
  | 'papers'
  | 'clear'
  | 'refuse'
  | 'hold_over'
  | 'price'
  | 'reverse'
  | 'time_over'
  | 'cancel'
  | 'mark'
  | 'accept'
  | 'give_back'
  | 'decide'
  | 'return';

/** Posting of a step; `INVOICE_POSTINGS` describes its accounts. */
export type InvoicePosting =
  | 'reserve'
  | 'reserve_back'
  | 'payin'
  | 'convert'
  | 'settle'
  | 'give_back'
  | 'late_back'
  | 'payin_back'
  | 'convert_back'
  | 'settle_back'
  | 'given_back'
  | 'hand_over';
type InvoiceRule = MachineRow<InvoiceState, InvoiceEvent, InvoicePosting>;
/** Actor of an event: the buyer (C), a member of the store or its API key (M), the rail (R), the desk (O), the
 * system (S). */
type Actor = 'C' | 'M' | 'R' | 'O' | 'S';

const row = (
  [from, event, who, next, money]: readonly [
    readonly InvoiceState[],
    InvoiceEvent,
    Actor,
    InvoiceRule['next'],
    InvoiceRule['money'],
  ],
  more: Pick<InvoiceRule, 'when' | 'nextFrom'> = {},
): InvoiceRule => ({ from, event, who, next, money, ...more });

const RUNNING = ['open', 'confirming'] as const;
const ENDED = ['expired', 'cancelled', 'invalid'] as const;
const OVER: readonly InvoiceState[] = ['settled', ...ENDED];
const ANY: readonly InvoiceState[] = [...RUNNING, 'short', ...OVER];

/** Transition table: all permitted changes of an invoice's state. */
const ROWS: readonly InvoiceRule[] = [
  row([['open', 'short'], 'choose', 'C', ['same'], []]),
  row([['open'], 'cancel', 'M', ['cancelled'], []], { when: 'nothing is credited, seen or held' }),
  row([RUNNING, 'see', 'R', ['confirming', 'open'], ['reserve', 'reserve_back']]),
  row([['short'], 'see', 'R', ['same'], ['reserve', 'reserve_back']]),
  row([OVER, 'see', 'R', ['same'], []]),
  row([RUNNING, 'miss', 'S', ['open', 'confirming'], ['reserve_back']]),
  row([['short'], 'miss', 'S', ['same'], ['reserve_back']]),
  row([RUNNING, 'drop', 'R', ['open', 'confirming'], ['reserve_back']]),
  row([['short'], 'drop', 'R', ['same'], ['reserve_back']]),
  row([OVER, 'drop', 'R', ['same'], []]),
  row([
    RUNNING,
    'arrive',
    'R',
    ['open', 'confirming', 'settled'],
    ['payin', 'reserve', 'reserve_back', 'convert', 'settle', 'hand_over'],
  ]),
  row([['short'], 'arrive', 'R', ['same', 'settled'], ['payin', 'reserve', 'reserve_back', 'convert', 'settle', 'hand_over']]),
  row([OVER, 'arrive', 'R', ['same', 'settled'], ['payin', 'reserve', 'convert', 'give_back', 'settle', 'hand_over']], {
    nextFrom: { settled: ['same'], expired: ['same'], cancelled: ['same'] },
  }),
  row([RUNNING, 'hold', 'R', ['open', 'confirming'], ['payin', 'reserve_back']]),
  row([['short'], 'hold', 'R', ['same'], ['payin', 'reserve_back']]),
  row([OVER, 'hold', 'R', ['same'], ['payin']]),
  row([ANY, 'papers', 'O', ['same'], []]),
  row([RUNNING, 'clear', 'O', ['open', 'confirming', 'settled'], ['reserve', 'reserve_back', 'convert', 'settle', 'hand_over']]),
  row([['short'], 'clear', 'O', ['same', 'settled'], ['reserve', 'reserve_back', 'convert', 'settle', 'hand_over']]),
  row([OVER, 'clear', 'O', ['same', 'settled'], ['reserve', 'convert', 'settle', 'hand_over']], {
    nextFrom: { settled: ['same'], expired: ['same'], cancelled: ['same'] },
  }),
  row([RUNNING, 'refuse', 'O', ['open', 'confirming'], ['hand_over']]),
  row([['short', ...OVER], 'refuse', 'O', ['same'], ['hand_over']]),
  row([RUNNING, 'hold_over', 'S', ['open', 'confirming'], ['hand_over']], { when: 'handed over if the hold is soft' }),
  row([['short', ...OVER], 'hold_over', 'S', ['same'], ['hand_over']], { when: 'handed over if the hold is soft' }),
  row([RUNNING, 'price', 'S', ['open', 'confirming', 'settled'], ['reserve', 'reserve_back', 'convert', 'settle', 'hand_over']]),
  row([['short'], 'price', 'S', ['same', 'settled'], ['reserve', 'reserve_back', 'convert', 'settle', 'hand_over']]),
  row([OVER, 'price', 'S', ['same'], ['hand_over']]),
  row([RUNNING, 'reverse', 'R', ['open', 'confirming'], ['convert_back', 'payin_back']]),
  row([['short'], 'reverse', 'R', ['same', 'expired'], ['convert_back', 'payin_back', 'reserve_back']]),
  row([['settled'], 'reverse', 'R', ['same', 'invalid'], ['settle_back', 'given_back', 'convert_back', 'payin_back']]),
  row([ENDED, 'reverse', 'R', ['same'], ['settle_back', 'given_back', 'convert_back', 'payin_back']]),
  row([['open'], 'mark', 'M', ['same', 'short', 'cancelled'], ['reserve_back']], { when: 'marked invalid: short or cancelled' }),
  row([['confirming', 'short', ...ENDED], 'mark', 'M', ['same'], []], { when: 'cancelled and invalid: as settled only' }),
  row([['open'], 'time_over', 'S', ['short', 'expired'], []], { when: 'no payment is pending' }),
  row([['short'], 'accept', 'M', ['settled'], ['reserve_back', 'settle']]),
  row([['short'], 'give_back', 'M', ['expired'], ['reserve_back', 'give_back']]),
  row([['short'], 'decide', 'S', ['settled', 'expired'], ['settle', 'give_back']], {
    when: 'no payment is pending, and the time for a decision is over',
  }),
  row([ENDED, 'accept', 'M', ['settled'], ['late_back', 'reserve', 'convert', 'settle', 'hand_over']], {
    when: 'within the time for it, and the late payment’s payer has not decided',
  }),
  row([OVER, 'return', 'S', ['same'], ['give_back']], { when: 'there is a price, and the desk has the coin' }),
];

/** Descriptions of the postings: their accounts and directions. */
export const INVOICE_POSTINGS: Readonly<Record<InvoicePosting, string>> = {
  reserve: '`desk:free → invoice:reserve`, if the desk has it',
  reserve_back: '`invoice:reserve → desk:free`',
  payin: '`custody` or `wallet → invoice:in`',
  convert:
    '`invoice:in → income:spread, income:fee, desk:free` and `invoice:reserve → invoice:set`; of one unit or in kind `invoice:in → income:fee, invoice:set`',
  settle: '`invoice:set → merchant, income:gate`; of a payment that can be taken back for months `→ merchant:reserve`',
  give_back: '`invoice:set → desk:free` and `desk:free → unallocated`; of one unit or in kind `invoice:set → unallocated`',
  late_back: '`unallocated → invoice:in`',
  payin_back: '`invoice:in → custody`',
  convert_back: 'the conversion turned round; what `desk:free` lacks comes from `spent:loss`',
  settle_back: 'the payment’s part of `merchant:reserve`, `merchant`, then `receivable`, and `income:gate → invoice:set`',
  given_back: '`unallocated`, or `receivable`, `→ invoice:in`; if it was converted `invoice:in → desk:free`',
  hand_over: '`invoice:in → unallocated`, for what belongs to the payer',
};

/** The machine of invoices, for its diagram and its tests. */
export const INVOICE_MACHINE: Machine<InvoiceState, InvoiceEvent, InvoiceRule> = {
  name: 'invoice',
  file: 'server/gate/invoices/invoice-machine.ts',
  begins: [{ state: 'open', event: 'make' }],
  states: {
    open: 'what was credited is in `invoice:set`; what is on its way has its `invoice:reserve`',
    confirming: 'as open; with what is on its way the invoice is paid',
    settled: 'with the store, in `merchant`; what was not needed is in `unallocated`',
    short: 'in `invoice:set`: partly paid, and its time is over',
    expired: 'none; what came too late or was given back is in `unallocated`. It waits in `invoice:set` for a price or the coin',
    cancelled: 'none; what came all the same is in `unallocated`',
    invalid: 'taken back by its rail',
  },
  rests: new Set(['settled', 'short', 'expired', 'cancelled', 'invalid'] as const),
  actors: { C: 'buyer', M: 'member or key', R: 'rail', O: 'the desk', S: 'system' } satisfies Record<Actor, string>,
  rows: ROWS,
};

const find = rowFinder(ROWS);

/** Returns `to`, the new state. Throws if the table has no row that leads to it, which is a fault of the code. */
export function movedTo(from: InvoiceState, event: InvoiceEvent, to: InvoiceState): InvoiceState {
  const isLegal = find(from, event).some((rule) =>
    nextStates(rule, from).some((next) => next === to || (next === 'same' && to === from)),
  );
  if (!isLegal) throw new Error(`an invoice that is ${from} does not come to ${to} by ${event}`);
  return to;
}
