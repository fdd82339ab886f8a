// The legs of a payout: from where to where its money goes as it is asked for, sent, not sent, and come back. Pure.
//
// The intent, and its reverse where the owner stops or keeps a payout, are in the owner's journal; all else payments posts.

import { type Leg, accounts, leg } from '../../../ledger/index.ts';
import type { PayoutEvent } from '../../rails/event-bodies.ts';
import type { PayoutBooks } from './payout-accounts.ts';
import type { Returned } from '../machine/returned-sends.ts';

/** What may become of a payout's money: it left custody, it did not, it came back. */
export type PayoutHappening = keyof PayoutBooks['kinds'];

/** A payout's money, and the accounts between which it moves. */
export interface PayoutMoney {
  readonly id: string;
  readonly currency: string;
  readonly unit: string;
  readonly parts: bigint;
  readonly books: Pick<PayoutBooks, 'back' | 'fee'>;
}

const HAPPENINGS: Partial<Record<PayoutEvent, PayoutHappening>> = {
  ...{ accepted: 'sent', found: 'sent', refused: 'notSent', absent: 'notSent', returned: 'returned' },
};

/** What an event tells that payments has posted; undefined if nothing was. */
export const happeningOf = (event: PayoutEvent): PayoutHappening | undefined => HAPPENINGS[event];

/** The intent: a payout takes its money, and the fee for it, from its owner's account. */
export const intentLegs = ({ id, unit, parts, books: { back, fee } }: PayoutMoney): Leg[] => [
  leg(back, accounts.payout(id, unit), parts),
  ...some(back, accounts.income('fee', unit), fee),
];

/** The legs of what became of a payout. `back`: how much came back of what was returned; without it, all. */
export function payoutLegs(happening: PayoutHappening, money: PayoutMoney, back?: Returned): Leg[] {
  const { id, currency, unit, parts, books } = money;
  const [intent, hot] = [accounts.payout(id, unit), accounts.custody(currency, 'hot', unit)];
  if (happening === 'sent') return [leg(intent, hot, parts)];
  if (happening === 'notSent')
    return [leg(intent, books.back, parts), ...some(accounts.income('fee', unit), books.back, books.fee)];
  const { came, lost } = back ?? { came: parts, lost: 0n };
  return [...some(hot, books.back, came), ...some(accounts.spent('rail', unit), books.back, lost)];
}

const some = (...[from, to, parts]: Parameters<typeof leg>): Leg[] => (parts > 0n ? [leg(from, to, parts)] : []);
