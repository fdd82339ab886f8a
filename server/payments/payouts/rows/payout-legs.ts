// Legs of a payout's journals: for its request, and for its money being sent, not sent, or returned. Pure.
//
// The owner posts the intent. If the owner stops or refuses the payout, it also posts the reverse of the intent. The payments
// room posts everything else.

import { type Leg, accounts, leg } from '../../../ledger/index.ts';
import type { PayoutEvent } from '../../rails/event-bodies.ts';
import type { PayoutBooks } from './payout-accounts.ts';
import type { Returned } from '../machine/returned-sends.ts';

/** Outcome for a payout's money: it left custody, it was not sent, or it came back. */
export type PayoutHappening = keyof PayoutBooks['kinds'];

/** A payout's amount, and the accounts of its journals. */
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

/** Returns the outcome that the payments room posts for an event; undefined if it posts nothing. */
export const happeningOf = (event: PayoutEvent): PayoutHappening | undefined => HAPPENINGS[event];

/** Returns the legs of the intent: a payout takes its money, and its fee, from its owner's account. */
export const intentLegs = ({ id, unit, parts, books: { back, fee } }: PayoutMoney): Leg[] => [
  leg(back, accounts.payout(id, unit), parts),
  ...some(back, accounts.income('fee', unit), fee),
];

/** Returns the legs that post an outcome. `back`: the amounts that came back; absent: the whole amount. */
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
