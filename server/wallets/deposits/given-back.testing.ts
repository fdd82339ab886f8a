// Postings that the payments room makes together with its events about refunds of deposits. For tests.

import type { Journal } from '../../ledger/index.ts';
import { type PayoutEvent, type Returned, happeningOf, payoutLegs } from '../../payments/index.ts';
import { type Deposit, backMoney, backsOf } from './deposit.ts';

/** An event of a deposit's refund. Without `payout`, the event concerns the last refund. */
export type PayoutNews = PayoutEvent | { readonly event: PayoutEvent; readonly payout?: string; readonly back?: Returned };

/** Returns the journal that the payments room posts together with this event; undefined if there is none. */
export function postedOf(one: Deposit, reported: PayoutNews, id: string): Journal | undefined {
  const { event, payout = one.backId, back } = typeof reported === 'string' ? { event: reported } : reported;
  const given = backsOf(one).find((each) => each.id === payout);
  const happening = happeningOf(event);
  if (!happening || !given) return undefined;
  const { books, ...money } = backMoney(one, given);
  return { id, kind: books.kinds[happening], cause: books.cause, legs: payoutLegs(happening, { ...money, books }, back) };
}
