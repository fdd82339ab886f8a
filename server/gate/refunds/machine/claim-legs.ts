// Legs of the journals of refunds and their claims. The payments room posts the rest: payouts that were sent, were not sent, or
// came back. Pure.

import { conversion, move } from '../../../collecting/index.ts';
import { type Leg, accounts } from '../../../ledger/index.ts';
import type { PayoutBooks } from '../../../payments/index.ts';
import type { Claim, Refund } from './refund.ts';

/** Returns the legs by which a refund takes its money from the store: `reserve` from the reserve, the rest from the balance. */
export const takenLegs = ({ id, store, taken: { unit, parts } }: Refund, reserve: bigint): Leg[] => [
  ...move(accounts.merchantReserve(store.id, unit), accounts.refund(id, unit), reserve),
  ...move(accounts.merchant(store.id, unit), accounts.refund(id, unit), parts - reserve),
];

/** Returns the legs that turn round a conversion whose amount stands in the refund again. */
export const unconvertedLegs = ({ refundId, from, price, unit, parts }: Claim): Leg[] =>
  price
    ? [
        ...move(accounts.refund(refundId, unit), accounts.deskFree(unit), parts),
        ...move(accounts.deskFree(from.unit), accounts.refund(refundId, from.unit), price.exchanged),
      ]
    : [];

/** Returns the legs by which unclaimed money returns to the store's balance. */
export const givenBackLegs = ({ id, store, rests }: Refund): Leg[] =>
  rests.flatMap(({ unit, parts }) => move(accounts.refund(id, unit), accounts.merchant(store.id, unit), parts));

/** Returns the legs by which a claim's payout gets its money: the fee and the conversion too, unless they are booked. */
export function payLegs({ id, refundId, from, fee, price, unit, parts, isBooked }: Claim): Leg[] {
  const [given, got] = [accounts.refund(refundId, from.unit), accounts.payout(id, unit)];
  if (isBooked) return move(accounts.refund(refundId, unit), got, parts);
  if (price) return conversion({ given, promised: accounts.deskFree(unit), got }, { ...price, got: parts, provision: 0n });
  return [...move(given, accounts.income('fee', unit), fee), ...move(given, got, parts)];
}

/** Returns the legs by which a payout that was stopped gives its money to the refund again. */
export const keptLegs = ({ id, refundId, unit, parts }: Claim): Leg[] =>
  move(accounts.payout(id, unit), accounts.refund(refundId, unit), parts);

/** Returns the legs by which the cost of sending returns to the refund, since nothing was sent. */
export const feeBackLegs = ({ refundId, fee, from: { unit } }: Pick<Claim, 'refundId' | 'fee' | 'from'>): Leg[] =>
  move(accounts.income('fee', unit), accounts.refund(refundId, unit), fee);

/** Returns the accounts and journal kinds of a claim's payout. The fee may be of another unit, so it is not one of them. */
export const booksOfClaim = ({ id, refundId, unit }: Claim): PayoutBooks => ({
  ...{ cause: id, back: accounts.refund(refundId, unit), fee: 0n },
  kinds: { sent: 'sent', notSent: 'refused', returned: 'returned' },
});
