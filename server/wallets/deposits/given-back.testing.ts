// What payments posts as it tells of giving a deposit back, for tests of what the deposit makes of that.

import type { Journal } from '../../ledger/index.ts';
import { type PayoutEvent, type Returned, happeningOf, payoutLegs } from '../../payments/index.ts';
import { type Deposit, backMoney, backsOf } from './deposit.ts';

/** What is told of a payout of a deposit, of the last without a `payout`. */
export type Told = PayoutEvent | { readonly event: PayoutEvent; readonly payout?: string; readonly back?: Returned };

/** The journal that payments posts in the moment in which it tells this; undefined for none. */
export function postedOf(one: Deposit, told: Told, id: string): Journal | undefined {
  const { event, payout = one.backId, back } = typeof told === 'string' ? { event: told } : told;
  const given = backsOf(one).find((each) => each.id === payout);
  const happening = happeningOf(event);
  if (!happening || !given) return undefined;
  const { books, ...money } = backMoney(one, given);
  return { id, kind: books.kinds[happening], cause: books.cause, legs: payoutLegs(happening, { ...money, books }, back) };
}
